internal import CLibXML2
internal import Model

/// An opening element: names without prefix, each with the URI of its namespace.
struct MarkupElement {
    struct Attribute {
        let name: String
        let namespace: String
        let value: String
    }

    let name: String
    let namespace: String
    let attributes: [Attribute]

    subscript(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
    /// The value of an attribute, by its name and the end of its namespace's URI: versions of a
    /// format differ in the beginning of the URI.
    subscript(_ name: String, in ending: String) -> String? {
        attributes.first { $0.name == name && $0.namespace.hasSuffix(ending) }?.value
    }
}

/// Receives the contents of a document, in order.
protocol MarkupReceiver: AnyObject {
    func open(_ element: MarkupElement)
    func close(_ name: String)
    func text(_ bytes: Span<UInt8>)
    /// The reason why the receiver has stopped.
    var fault: CountFault? { get }
}

extension MarkupReceiver {
    func close(_ name: String) {}
    func text(_ bytes: Span<UInt8>) {}
    var fault: CountFault? { nil }
}

/// Feeds libxml2's parsers piece by piece. They access no network and resolve no entities that the
/// document defines; libxml2's limits stay active.
@safe final class MarkupStream {
    enum Language {
        case xml
        /// HTML in this encoding, whatever encoding the page declares.
        case html(xmlCharEncoding)
    }

    /// Receives libxml2's callbacks and passes them on.
    private final class Port {
        let receiver: any MarkupReceiver
        var fault: CountFault?
        var depth = 0
        private let mostDepth = CountBounds.current.depth

        init(_ receiver: any MarkupReceiver) { self.receiver = receiver }

        func open(_ element: MarkupElement) {
            guard fault == nil else { return }
            depth += 1
            guard depth <= mostDepth else { return fault = .tooLarge("depth \(mostDepth)") }
            receiver.open(element)
            fault = receiver.fault
        }

        func close(_ name: String) {
            guard fault == nil else { return }
            depth -= 1
            receiver.close(name)
            fault = receiver.fault
        }

        func text(_ letters: UnsafePointer<xmlChar>?, _ count: Int32) {
            guard fault == nil, let letters = unsafe letters, count > 0 else { return }
            receiver.text(unsafe UnsafeBufferPointer(start: letters, count: Int(count)).span)
            fault = receiver.fault
        }
    }

    private let context: xmlParserCtxtPtr
    private let isHTML: Bool
    private let port: Port

    init(_ language: Language, _ receiver: any MarkupReceiver) throws(CountFault) {
        xmlInitParser()
        port = Port(receiver)
        let user = unsafe Unmanaged.passUnretained(port).toOpaque()
        let created: xmlParserCtxtPtr?
        switch language {
        case .html(let encoding):
            isHTML = true
            var calls = unsafe Self.callsOfHTML()
            unsafe created = htmlCreatePushParserCtxt(&calls, user, nil, 0, nil, encoding)
        case .xml:
            isHTML = false
            var calls = unsafe Self.callsOfXML()
            unsafe created = xmlCreatePushParserCtxt(&calls, user, nil, 0, nil)
        }
        guard let created = unsafe created else { throw .tooLarge("memory") }
        unsafe context = created
        if isHTML {
            unsafe htmlCtxtUseOptions(created, Int32(HTML_PARSE_NONET.rawValue | HTML_PARSE_IGNORE_ENC.rawValue))
        } else {
            unsafe xmlCtxtUseOptions(created, Int32(XML_PARSE_NONET.rawValue))
        }
    }

    deinit {
        if isHTML { return unsafe htmlFreeParserCtxt(context) }
        if let document = unsafe context.pointee.myDoc { unsafe xmlFreeDoc(document) }
        unsafe xmlFreeParserCtxt(context)
    }

    func feed(_ bytes: [UInt8], isLast: Bool = false) throws(CountFault) {
        let result = unsafe bytes.withUnsafeBytes { buffer in
            let start = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            return isHTML
                ? unsafe htmlParseChunk(context, start, Int32(clamping: buffer.count), isLast ? 1 : 0)
                : unsafe xmlParseChunk(context, start, Int32(clamping: buffer.count), isLast ? 1 : 0)
        }
        if let fault = port.fault { throw fault }
        if !isHTML, result != 0, unsafe context.pointee.wellFormed == 0 { throw .damaged("it is not well-formed") }
    }

    /// Reads a whole document from memory.
    static func read(_ bytes: [UInt8], _ receiver: any MarkupReceiver) throws(CountFault) {
        let stream = try MarkupStream(.xml, receiver)
        try stream.feed(bytes)
        try stream.feed([], isLast: true)
    }

    /// Reads an XML file.
    static func read(_ file: SourceFile, _ receiver: any MarkupReceiver) throws(CountFault) {
        let stream = try MarkupStream(.xml, receiver)
        try file.forEachPiece(of: 1 << 16) { (piece) throws(CountFault) in try stream.feed(piece) }
        try stream.feed([], isLast: true)
    }

    /// Reads a part of an archive.
    static func read(_ inflation: Inflation, _ receiver: any MarkupReceiver) throws(CountFault) {
        let stream = try MarkupStream(.xml, receiver)
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = try inflation.read(into: &buffer, from: 0)
            if count == 0 { break }
            try stream.feed(count == buffer.count ? buffer : Array(buffer.prefix(count)))
        }
        try stream.feed([], isLast: true)
    }

    // MARK: what libxml2 calls

    private static func callsOfHTML() -> xmlSAXHandler {
        var calls = unsafe xmlSAXHandler()
        unsafe calls.startElement = { context, name, list in
            var attributes: [MarkupElement.Attribute] = []
            var index = 0
            while let list = unsafe list, let name = unsafe list[index] {
                unsafe attributes.append(
                    .init(
                        name: MarkupStream.string(name).lowercased(), namespace: "",
                        value: MarkupStream.string(list[index + 1])))
                index += 2
            }
            unsafe MarkupStream.port(context)?.open(
                MarkupElement(name: MarkupStream.string(name).lowercased(), namespace: "", attributes: attributes))
        }
        unsafe calls.endElement = { context, name in
            unsafe MarkupStream.port(context)?.close(MarkupStream.string(name).lowercased())
        }
        unsafe calls.characters = { context, letters, count in unsafe MarkupStream.port(context)?.text(letters, count) }
        // Contents of scripts and styles are ignored.
        unsafe calls.cdataBlock = { _, _, _ in }
        return unsafe calls
    }

    private static func callsOfXML() -> xmlSAXHandler {
        var calls = unsafe xmlSAXHandler()
        unsafe calls.initialized = UInt32(XML_SAX2_MAGIC)
        unsafe calls.startElementNs = { context, name, _, namespace, _, _, count, _, list in
            var attributes: [MarkupElement.Attribute] = []
            for index in 0..<Int(count) {
                guard let list = unsafe list, let start = unsafe list[index * 5 + 3],
                    let end = unsafe list[index * 5 + 4]
                else { continue }
                let value = unsafe String(
                    decoding: UnsafeBufferPointer(start: start, count: end - start), as: UTF8.self)
                // libxml2 does not resolve this character reference.
                unsafe attributes.append(
                    .init(
                        name: MarkupStream.string(list[index * 5]),
                        namespace: MarkupStream.string(list[index * 5 + 2]),
                        value: value.replacing("&#38;", with: "&")))
            }
            unsafe MarkupStream.port(context)?.open(
                MarkupElement(
                    name: MarkupStream.string(name), namespace: MarkupStream.string(namespace),
                    attributes: attributes))
        }
        unsafe calls.endElementNs = { context, name, _, _ in
            unsafe MarkupStream.port(context)?.close(MarkupStream.string(name))
        }
        unsafe calls.characters = { context, letters, count in unsafe MarkupStream.port(context)?.text(letters, count) }
        unsafe calls.cdataBlock = { context, letters, count in unsafe MarkupStream.port(context)?.text(letters, count) }
        unsafe calls.entityDecl = { context, _, _, _, _, _ in
            unsafe MarkupStream.port(context)?.fault = .damaged("it declares entities")
        }
        unsafe calls.reference = { context, _ in
            unsafe MarkupStream.port(context)?.fault = .damaged("it uses an entity that is not XML's")
        }
        return unsafe calls
    }

    private static func port(_ context: UnsafeMutableRawPointer?) -> Port? {
        guard let context = unsafe context else { return nil }
        return unsafe Unmanaged<Port>.fromOpaque(context).takeUnretainedValue()
    }

    private static func string(_ letters: UnsafePointer<xmlChar>?) -> String {
        guard let letters = unsafe letters else { return "" }
        return unsafe String(decodingCString: letters, as: UTF8.self)
    }
}

/// Counts a workbook of Excel 2007 and later: the archive's directory and inflation, then the bytes
/// of each sheet's `sheetData`. A cell is filled if it has a value or an inline text, or refers to
/// a shared text that is not blank. Numbers are values of type `n`, including days and times.
enum XLSXCount: FileCount {
    static let kind = "xlsx"

    private struct Relation {
        var type: String
        var target: String
    }

    static func count(_ file: SourceFile, _ options: SourceCounter.Options) throws(CountFault) -> SourceCount {
        let head = try file.read(at: 0, 4)
        guard head != [0xD0, 0xCF, 0x11, 0xE0] else { throw .encrypted }
        let archive = try ArchiveEntries(file)
        guard
            let book = try relations("", archive).values.first(where: { $0.type.hasSuffix("/officeDocument") })?.target
        else {
            throw .damaged("the archive holds no workbook")
        }
        let parts = try relations(book, archive)
        var blank = BlankTexts()
        if let texts = parts.values.first(where: { $0.type.hasSuffix("/sharedStrings") })?.target, archive.holds(texts)
        {
            try TagScan.run(try archive.open(texts), &blank)
        }
        var tables: [TableCount] = []
        let list = SheetList()
        try MarkupStream.read(try archive.bytes(of: book), list)
        for sheet in list.sheets {
            guard let part = parts[sheet.relation], part.type.hasSuffix("/worksheet") else { continue }
            var cells = SheetCells(blank)
            try TagScan.run(try archive.open(part.target), &cells)
            tables.append(cells.counts.table(sheet.name))
        }
        return SourceCount(tables: tables, datesAreNumbers: true)
    }

    /// The relationship targets of a part, by id; the part "" is the package itself.
    private static func relations(_ part: String, _ archive: ArchiveEntries) throws(CountFault) -> [String: Relation] {
        var folders = part.split(separator: "/").map(String.init)
        let name = folders.popLast() ?? ""
        let own = (folders + ["_rels", name + ".rels"]).joined(separator: "/")
        guard archive.holds(own) else { return [:] }
        let list = RelationList()
        try MarkupStream.read(try archive.bytes(of: own), list)
        return list.found.mapValues { relation in
            var path = relation.target.hasPrefix("/") ? [] : folders
            for step in relation.target.replacing("\\", with: "/").split(separator: "/") where step != "." {
                if step == ".." { _ = path.popLast() } else { path.append(String(step)) }
            }
            return Relation(type: relation.type, target: path.joined(separator: "/"))
        }
    }

    private final class RelationList: MarkupReceiver {
        var found: [String: Relation] = [:]

        func open(_ element: MarkupElement) {
            guard element.name == "Relationship", let id = element["Id"], let target = element["Target"],
                element["TargetMode"] != "External"
            else { return }
            found[id] = Relation(type: element["Type"] ?? "", target: target)
        }
    }

    private final class SheetList: MarkupReceiver {
        var sheets: [(name: String, relation: String)] = []

        func open(_ element: MarkupElement) {
            guard element.name == "sheet", sheets.count < 10_000, let name = element["name"],
                let relation = element["id"]
            else { return }
            sheets.append((name, relation))
        }
    }
}
