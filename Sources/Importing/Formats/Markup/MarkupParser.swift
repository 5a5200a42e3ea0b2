import CLibXML2
internal import Model

/// Receives the contents of a document, in order.
protocol MarkupHandler: AnyObject {
    /// `namespace` is empty if the element has none; attributes without a namespace have only their
    /// name.
    func start(_ name: String, namespace: String, attributes: [(name: String, value: String)], line: Int)
    func end(_ name: String)
    func text(_ bytes: [UInt8])
}

/// libxml2's parsers of XML and HTML, fed chunk by chunk. They access no network and no external
/// parts, and resolve no entities that the document defines. libxml2's limits on depth and single
/// texts stay active.
@safe final class MarkupParser {
    enum Language {
        case xml
        /// Fed as UTF-8, whatever encoding the document declares.
        case html
    }

    struct Fault: Error {
        var line: Int
        var reason: String
        /// Whether the limit `depth` was exceeded; otherwise the text has an error.
        var isTooDeep = false
    }

    private let context: xmlParserCtxtPtr
    private let language: Language
    private let receiver: Receiver

    /// The receiver of libxml2's callbacks; it outlives the parser's context.
    final class Receiver {
        let handler: any MarkupHandler
        let maximumDepth: Int
        fileprivate(set) var depth = 0
        fileprivate(set) var fault: String?
        fileprivate var isTooDeep = false

        init(_ handler: any MarkupHandler, maximumDepth: Int) {
            self.handler = handler
            self.maximumDepth = maximumDepth
        }

        /// The current line; set by the parser.
        fileprivate var line: () -> Int = { 0 }

        fileprivate func start(_ name: String, namespace: String, attributes: [(name: String, value: String)]) {
            guard fault == nil else { return }
            depth += 1
            guard depth <= maximumDepth else {
                fault = "elements are nested more than \(maximumDepth) deep"
                isTooDeep = true
                return
            }
            handler.start(name, namespace: namespace, attributes: attributes, line: line())
        }

        fileprivate func end(_ name: String) {
            guard fault == nil else { return }
            depth -= 1
            handler.end(name)
        }

        fileprivate func text(_ bytes: [UInt8]) {
            if fault == nil { handler.text(bytes) }
        }
    }

    init?(_ language: Language, handler: any MarkupHandler, maximumDepth: Int) {
        xmlInitParser()
        self.language = language
        receiver = Receiver(handler, maximumDepth: maximumDepth)
        var callbacks = unsafe xmlSAXHandler()
        unsafe callbacks.characters = { context, letters, count in
            guard let letters = unsafe letters, count > 0 else { return }
            unsafe MarkupParser.receiver(context)?.text(Array(UnsafeBufferPointer(start: letters, count: Int(count))))
        }
        let user = unsafe Unmanaged.passUnretained(receiver).toOpaque()
        let created: xmlParserCtxtPtr?
        switch language {
        case .html:
            unsafe callbacks.startElement = { context, name, attributes in
                unsafe MarkupParser.receiver(context)?.start(
                    MarkupParser.string(name).lowercased(), namespace: "", attributes: MarkupParser.pairs(attributes))
            }
            unsafe callbacks.endElement = { context, name in
                unsafe MarkupParser.receiver(context)?.end(MarkupParser.string(name).lowercased())
            }
            // Contents of scripts and styles are ignored.
            unsafe callbacks.cdataBlock = { _, _, _ in }
            unsafe created = htmlCreatePushParserCtxt(&callbacks, user, nil, 0, nil, XML_CHAR_ENCODING_UTF8)
        case .xml:
            unsafe callbacks.initialized = UInt32(XML_SAX2_MAGIC)
            unsafe callbacks.startElementNs = { context, name, _, namespace, _, _, count, _, attributes in
                unsafe MarkupParser.receiver(context)?.start(
                    MarkupParser.string(name), namespace: MarkupParser.string(namespace),
                    attributes: MarkupParser.attributes(attributes, count: Int(count)))
            }
            unsafe callbacks.endElementNs = { context, name, _, _ in
                unsafe MarkupParser.receiver(context)?.end(MarkupParser.string(name))
            }
            unsafe callbacks.entityDecl = { context, _, _, _, _, _ in
                unsafe MarkupParser.receiver(context)?.fault = "it declares entities"
            }
            unsafe callbacks.reference = { context, _ in
                unsafe MarkupParser.receiver(context)?.fault = "it uses an entity that is not XML's"
            }
            unsafe created = xmlCreatePushParserCtxt(&callbacks, user, nil, 0, nil)
        }
        guard let created = unsafe created else { return nil }
        switch language {
        case .xml: unsafe xmlCtxtUseOptions(created, Int32(XML_PARSE_NONET.rawValue))
        case .html:
            unsafe htmlCtxtUseOptions(created, Int32(HTML_PARSE_NONET.rawValue | HTML_PARSE_IGNORE_ENC.rawValue))
        }
        unsafe context = created
        receiver.line = { [unowned self] in line }
    }

    deinit {
        if language == .html {
            unsafe htmlFreeParserCtxt(context)
        } else {
            if let document = unsafe context.pointee.myDoc { unsafe xmlFreeDoc(document) }
            unsafe xmlFreeParserCtxt(context)
        }
    }

    /// The current line of the parser.
    var line: Int { unsafe Int(context.pointee.input?.pointee.line ?? 0) }

    /// Parses the next bytes; HTML has no faults except depth.
    func feed(_ bytes: [UInt8], isLast: Bool) throws(Fault) {
        let result = unsafe bytes.withUnsafeBytes { buffer in
            let start = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            let count = Int32(clamping: buffer.count)
            return switch language {
            case .html: unsafe htmlParseChunk(context, start, count, isLast ? 1 : 0)
            case .xml: unsafe xmlParseChunk(context, start, count, isLast ? 1 : 0)
            }
        }
        if let reason = receiver.fault { throw Fault(line: line, reason: reason, isTooDeep: receiver.isTooDeep) }
        guard language == .xml, result != 0, unsafe context.pointee.wellFormed == 0 else { return }
        var reason = "it is not well-formed"
        if let error = unsafe xmlCtxtGetLastError(context), let message = unsafe error.pointee.message {
            reason = unsafe String(cString: message).split(separator: "\n").first.map(String.init) ?? reason
        }
        throw Fault(line: line, reason: reason)
    }

    // MARK: Callbacks of libxml2

    private static func receiver(_ context: UnsafeMutableRawPointer?) -> Receiver? {
        guard let context = unsafe context else { return nil }
        return unsafe Unmanaged<Receiver>.fromOpaque(context).takeUnretainedValue()
    }

    private static func string(_ letters: UnsafePointer<xmlChar>?) -> String {
        guard let letters = unsafe letters else { return "" }
        return unsafe String(decodingCString: letters, as: UTF8.self)
    }

    /// Names and values alternate, terminated by a null pointer.
    private static func pairs(_ list: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?) -> [(name: String, value: String)]
    {
        guard let list = unsafe list else { return [] }
        var pairs: [(name: String, value: String)] = []
        var index = 0
        while let name = unsafe list[index] {
            unsafe pairs.append((string(name).lowercased(), string(list[index + 1])))
            index += 2
        }
        return pairs
    }

    /// Five pointers for each attribute: name, prefix, namespace, start and end of its value.
    private static func attributes(_ list: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, count: Int) -> [(
        name: String, value: String
    )] {
        guard let list = unsafe list else { return [] }
        return (0..<count).compactMap { index in
            guard let start = unsafe list[index * 5 + 3], let end = unsafe list[index * 5 + 4] else { return nil }
            let value = unsafe UnsafeBufferPointer(start: start, count: end - start)
            return unsafe (string(list[index * 5]), String(decoding: value, as: UTF8.self))
        }
    }
}

extension MarkupParser.Fault {
    func failure(_ path: String, kind: String, depth: Int) -> TableFailure {
        let place = Place(file: path, line: line)
        return isTooDeep
            ? .tooLarge(place, kind: kind, limit: "depth \(depth)") : .damaged(place, kind: kind, reason: reason)
    }
}
