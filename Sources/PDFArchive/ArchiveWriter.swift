import Zipping

/// Turns the PDF that cairo writes into PDF/A-3b (ISO 19005-3) while it is written: tagged, with
/// title, language, outline and attachments. Only one object at a time is in memory, besides the
/// pages' dictionaries and the structure.
///
/// The same pages give the same bytes. Use it from one thread at a time.
package final class ArchiveWriter {
    /// The root of the structure.
    package let structure = StructureElement(.document)

    private let description: ArchiveDescription
    private let objects: ArchiveObjects
    private var splitter = ObjectSplitter()
    private var page: PageRecord?
    private var pages: [PageRecord] = []
    /// The dictionaries of the pages without their ends, because entries are added later.
    private var dictionaries: [(number: Int, text: String)] = []
    /// The number of the object at the root of the pages.
    private var pageTree: String?
    private var hasContent = false
    private var isBegun = false
    /// Objects that contain only the length of a stream whose dictionary already has it.
    private var lengths: Set<Int> = []
    private var navigation = DocumentNavigation()
    private var attachments: [Attachment] = []

    /// - Parameter receive: gets the file in pieces.
    package init(_ description: ArchiveDescription, writing receive: @escaping ([UInt8]) throws -> Void) {
        self.description = description
        objects = ArchiveObjects(receive)
    }

    /// Processes the bytes of one write by cairo.
    package func take(_ piece: [UInt8]) throws {
        try begin()
        try splitter.take(piece) { number, object in try pass(number, object) }
    }

    private func begin() throws {
        guard !isBegun else { return }
        isBegun = true
        // Bytes above 127 mark the file as binary (6.1.2).
        try objects.write([UInt8]("%PDF-1.7\n%".utf8)[...] + [0xB5, 0xED, 0xAE, 0xFB, 0x0A])
    }

    // MARK: Pages

    /// - Parameter height: in points.
    package func beginPage(height: Double) -> PageRecord {
        let record = PageRecord(
            index: pages.count, height: height, firstLink: pages.last.map { $0.firstLink + $0.links.count } ?? 0)
        page = record
        hasContent = false
        return record
    }

    /// Ends the page; cairo has written it.
    package func endPage() throws {
        try splitter.finishObject { number, object in try pass(number, object) }
        guard let page else { return }
        self.page = nil
        pages.append(page)
        guard hasContent, dictionaries.count == pages.count else { throw ArchiveFailure.missing("page \(pages.count)") }
        for place in page.places { navigation.define(place.name, page: page.index, x: place.x, y: place.y) }
    }

    // MARK: Objects of cairo's

    private func pass(_ number: Int, _ object: [UInt8]) throws {
        guard lengths.remove(number) == nil, let start = object.firstIndex(of: 10).map({ $0 + 1 }) else { return }
        let body = object[start...]
        // cairo's objects for the structure and the whole document are left out; `finish` writes
        // others.
        guard !Self.replaced.contains(where: { body.starts(with: $0) }) else {
            if body.starts(with: Self.catalog) {
                pageTree = Self.reference("/Pages", in: String(decoding: body, as: UTF8.self))
            }
            return
        }
        if body.starts(with: Self.pageDictionary) {
            var lines = String(decoding: body, as: UTF8.self).split(separator: "\n")
            lines.removeAll { $0.hasPrefix("   /StructParents") || $0 == "endobj" }
            lines.removeLast()
            return dictionaries.append((number, lines.joined(separator: "\n")))
        }
        objects.begin(number)
        let head = Self.place(of: Self.streamBegin, in: object[..<min(object.count, 4096)]).map {
            $0 + Self.streamBegin.count
        }
        if page != nil, !hasContent, let head,
            let length = Self.contentLength(String(decoding: object[..<head], as: UTF8.self))
        {
            hasContent = true
            return try passContent(number, object[head...], length)
        }
        for (wrong, right) in Self.corrections {
            guard let place = Self.place(of: wrong, in: object[..<(head ?? object.count)]) else { continue }
            try objects.write(object[..<place])
            try objects.write(right[...])
            return try objects.write(object[(place + wrong.count)...])
        }
        try objects.write(object[...])
    }

    /// Entries that cairo writes and an archive must not have, at most one in each object.
    private static let corrections = [
        // Viewers must not smooth pictures (6.2.8).
        ("/Interpolate true", "/Interpolate false"),
        // The glyph of each character must be declared, even if its number is equal (6.2.11.3.2).
        ("/Subtype /CIDFontType2", "/Subtype /CIDFontType2\n   /CIDToGIDMap /Identity"),
    ].map { (wrong: Array($0.0.utf8), right: Array($0.1.utf8)) }

    private func passContent(_ number: Int, _ stream: ArraySlice<UInt8>, _ length: Int) throws {
        guard let page else { return }
        lengths.insert(length)
        let content: [UInt8]
        do { content = try ZlibStream.decompress(stream.dropLast(Self.streamEnd.utf8.count)) } catch {
            guard case .compression(let result) = error else { throw error }
            throw ArchiveFailure.compression(number: result)
        }
        try objects.stream(
            number, "/Filter/FlateDecode", objects.compressed(PageMarks(elements: page.marks).rewrite(content)))
    }

    private static let streamBegin = Array("\nstream\n".utf8)
    private static let streamEnd = "\nendstream\nendobj\n"
    private static let pageDictionary = Array("<< /Type /Page %".utf8)
    private static let catalog = Array("<< /Type /Catalog".utf8)
    /// The beginnings of objects that this type replaces. The array of a page's elements is the
    /// only array that cairo writes as an object.
    private static let replaced = [
        "<< /Type /StructElem", "<< /Type /StructTreeRoot", "<< /Type /Catalog", "<< /Producer", "<< /Nums", "[\n",
    ].map { Array($0.utf8) }

    /// The first position of some bytes.
    private static func place(of word: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= word.count else { return nil }
        for place in bytes.startIndex...(bytes.endIndex - word.count)
        where bytes[place] == word[0] && bytes[place + 1] == word[1] {
            if bytes[place...].starts(with: word) { return place }
        }
        return nil
    }

    /// The number of the object with the length of a page's content: the only stream of a page that
    /// has no type.
    private static func contentLength(_ head: String) -> Int? {
        guard head.hasSuffix(" 0 R\n   /Filter /FlateDecode\n>>\nstream\n"), let text = reference("/Length", in: head)
        else { return nil }
        return Int(text)
    }

    /// The number in `/Key 12 0 R`.
    private static func reference(_ key: String, in text: String) -> String? {
        guard let range = text.firstRange(of: key + " ") else { return nil }
        return String(text[range.upperBound...].prefix { $0.isNumber })
    }

    // MARK: The document

    package func attach(_ attachment: Attachment) { attachments.append(attachment) }

    /// Adds an entry to the outline, below another entry or at the top.
    /// - Returns: its number, as the parent of further entries.
    package func addOutline(_ title: String, to destination: String, below parent: Int?, isOpen: Bool) -> Int {
        navigation.addOutline(title, to: destination, below: parent, isOpen: isOpen)
    }

    /// Writes the rest of the file, after cairo has finished.
    package func finish() throws {
        let size = try splitter.check()
        guard let pageTree else { throw ArchiveFailure.missing("catalog") }
        if let missing = navigation.missing(of: pages) { throw ArchiveFailure.unknownDestination(missing) }
        let pageNumbers = dictionaries.map(\.number)
        objects.release(below: size, except: pageNumbers)
        let links = try navigation.writeLinks(of: pages, to: objects)
        for (page, dictionary) in zip(pages, dictionaries) {
            let ownLinks = links.isEmpty ? [] : links[page.firstLink...].prefix(page.links.count)
            let own =
                ownLinks.isEmpty ? "" : "/Annots[\(ownLinks.map { "\($0) 0 R" }.joined(separator: " "))]"
            try objects.object(
                dictionary.number,
                dictionary.text
                    + "\n/StructParents \(page.index)/Tabs/S\(own)\(page.notes(modified: description.modified))>>")
        }
        let tree = try StructureWriter(objects: objects, pages: pageNumbers, pageRecords: pages, links: links).write(
            structure)
        var catalog =
            """
            <</Type/Catalog/Pages \(pageTree) 0 R/Lang\(PDFText.string(description.language))/MarkInfo<</Marked \
            true>>/StructTreeRoot \(tree) 0 R
            """
        catalog +=
            """
            /ViewerPreferences<</DisplayDocTitle true>>/Metadata \(try writeMetadata()) 0 \
            R/OutputIntents[\(try writeOutputIntent())]
            """
        let files = try attachments.map {
            (name: $0.name, number: try $0.write(to: objects, modified: description.modified))
        }
        catalog += "/Names<<\(try navigation.names(pages: pageNumbers))"
        if !files.isEmpty {
            let sorted = files.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
            catalog +=
                """
                /EmbeddedFiles<</\
                Names[\(sorted.map { "\(PDFText.bytes($0.name)) \($0.number) 0 R" }.joined(separator: "\n"))]>>
                """
        }
        catalog += ">>"
        if !files.isEmpty { catalog += "/AF[\(files.map { "\($0.number) 0 R" }.joined(separator: " "))]" }
        if let outline = try navigation.writeOutline(to: objects) { catalog += "/Outlines \(outline) 0 R" }
        let root = objects.allocate(), information = objects.allocate()
        try objects.object(root, catalog + ">>")
        try objects.object(information, description.information)
        try objects.finish(
            root: root, information: information, seed: description.information + attachments.map(\.sha256).joined())
    }

    /// Metadata must be readable without a filter (6.6.2.1).
    private func writeMetadata() throws -> Int {
        let number = objects.allocate()
        try objects.stream(number, "/Type/Metadata/Subtype/XML", Array(XMPPacket(description: description).text.utf8))
        return number
    }

    private func writeOutputIntent() throws -> String {
        let number = objects.allocate()
        try objects.stream(number, "/N 3", ColourProfile.sRGB)
        return
            """
            <</Type/OutputIntent/S/GTS_PDFA1/OutputConditionIdentifier(sRGB)/Info(sRGB \
            IEC61966-2.1)/RegistryName(http://www.color.org)/DestOutputProfile \(number) 0 R>>
            """
    }
}

/// Reason why a file cannot become an archive: cairo's output has an unexpected form. This is a
/// fault of the program, never of a person's data.
package enum ArchiveFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// An object is not at the offset in the library's cross-references.
    case displaced(object: Int)
    /// A page has a different number of marks than were set on it.
    case marks(found: Int, expected: Int)
    /// A part that every PDF has was not written.
    case missing(String)
    case compression(number: Int32)
    /// The destination of a link or an outline entry that is not on any page.
    case unknownDestination(String)

    package var description: String {
        switch self {
        case .displaced(let object): "object \(object) is not where the file says"
        case .marks(let found, let expected): "a page has \(found) marks instead of \(expected)"
        case .missing(let part): "the file has no \(part)"
        case .compression(let number): "zlib \(number)"
        case .unknownDestination(let name): "no page has the destination \(name)"
        }
    }
}

/// The colour space of all pages, sRGB (IEC 61966-2-1), as an ICC profile of version 4: an archive
/// must define its colours (ISO 19005-3, 6.2.3). The profile is computed from the norm's numbers,
/// so that no external profile is needed.
enum ColourProfile {
    static let sRGB: [UInt8] = {
        let curve = parametricCurve
        let tags: [(name: String, content: [UInt8])] = [
            ("desc", text("sRGB")), ("cprt", text("No copyright")), ("wtpt", xyz(0.9642, 1, 0.8249)),
            // Bradford's adaption of D65 to D50, and the primaries adapted by it.
            (
                "chad",
                signature("sf32")
                    + [
                        1.0479298, 0.0229468, -0.0501922, 0.0296278, 0.9904344, -0.0170738, -0.0092430, 0.0150552,
                        0.7518743,
                    ].flatMap(fixed)
            ),
            ("rXYZ", xyz(0.4360657, 0.2224884, 0.0139160)), ("gXYZ", xyz(0.3851471, 0.7168732, 0.0970764)),
            ("bXYZ", xyz(0.1430664, 0.0606079, 0.7140961)), ("rTRC", curve), ("gTRC", curve), ("bTRC", curve),
        ]
        var table = number(tags.count), contents: [UInt8] = []
        var places: [[UInt8]: Int] = [:]
        let first = 128 + 4 + 12 * tags.count
        for (name, content) in tags {
            let place = places[content] ?? first + contents.count
            if places[content] == nil {
                places[content] = place
                contents += content + [UInt8](repeating: 0, count: (4 - content.count % 4) % 4)
            }
            table += Array(name.utf8) + number(place) + number(content.count)
        }
        var header = number(first + contents.count) + [0, 0, 0, 0] + number(0x0420_0000)
        header += Array("mntrRGB XYZ ".utf8)
        // The date of the norm's amendment, so that the profile never changes.
        header += [2003, 1, 1, 0, 0, 0].flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        header += Array("acsp".utf8) + [UInt8](repeating: 0, count: 28) + fixed(0.9642) + fixed(1) + fixed(0.8249)
        header += [UInt8](repeating: 0, count: 128 - header.count)
        return header + table + contents
    }()

    /// Linear near black, a power of 2.4 above (function 3 of ICC.1:2004-10, 10.15).
    private static var parametricCurve: [UInt8] {
        signature("para") + [0, 3, 0, 0] + [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045].flatMap(fixed)
    }

    private static func text(_ text: String) -> [UInt8] {
        let units = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        return signature("mluc") + number(1) + number(12) + Array("enUS".utf8) + number(units.count) + number(28)
            + units
    }

    private static func xyz(_ x: Double, _ y: Double, _ z: Double) -> [UInt8] {
        signature("XYZ ") + [x, y, z].flatMap(fixed)
    }

    private static func signature(_ name: String) -> [UInt8] { Array(name.utf8) + [0, 0, 0, 0] }

    /// A number with 16 binary places.
    private static func fixed(_ value: Double) -> [UInt8] { number(Int(Int32((value * 65536).rounded()))) }

    private static func number(_ value: Int) -> [UInt8] {
        let bits = UInt32(truncatingIfNeeded: value)
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: bits >> $0) }
    }
}
