import Digests
import Model
internal import Zipping

/// The files with rows within a document, held against what the codes on its pages state of them. A
/// code's text stands in the document as the alternative text of its figure.
struct AttachedData {
    private let document: ParsedDocument

    init(of document: ParsedDocument) { self.document = document }

    /// Levels of the structure down to the parts of a section, among which its code is; with a list
    /// for each.
    private static let codeDepth = 6
    /// No tree of names that anybody makes is deeper.
    private static let deepest = 32

    /// A finding for each stated file that is another one or gone.
    func findings(path: String) -> [Finding] {
        let codes = self.codes
        guard !codes.isEmpty else { return [] }
        let files = self.files
        return codes.compactMap { code in
            let name = DataCode.fileName(of: code.anchor), sums = files[name, default: [:]].values.map(Self.sum)
            guard sums.isEmpty || sums.contains(where: { $0 != code.sha256 }) else { return nil }
            let found = sums.lazy.compactMap(\.self).first { $0 != code.sha256 }
            return Finding("DOCUMENT-DATA-CHANGED", place: Place(file: path), arguments: ["name": name, "stated": code.sha256, "found": found ?? "–"])
        }
    }

    private var codes: [DataCode] {
        var found: [DataCode] = [], seen: Set<Int> = []
        func collect(_ part: PDFObject, _ depth: Int) {
            guard depth > 0, isNew(part, &seen) else { return }
            for item in part.items { collect(item, depth - 1) }
            if let code = part["/Alt"].text.flatMap(DataCode.init) { found.append(code) } else { collect(part["/K"], depth - 1) }
        }
        collect(document.root["/StructTreeRoot"]["/K"], Self.codeDepth)
        return found
    }

    /// The attached files by their names and numbers, as readers list them and as the document is
    /// associated with them: one that differs between the two is changed.
    private var files: [String: [Int: PDFObject]] {
        var found: [String: [Int: PDFObject]] = [:], seen: Set<Int> = []
        func add(_ specification: PDFObject) {
            guard let name = specification["/UF"].text ?? specification["/F"].text else { return }
            for file in specification["/EF"].keys.map({ specification["/EF"][$0] }) where file.isStream { found[name, default: [:]][file.number] = file }
        }
        func walk(_ tree: PDFObject, _ depth: Int) {
            guard depth > 0, isNew(tree, &seen) else { return }
            for (index, item) in tree["/Names"].items.enumerated() where index % 2 == 1 { add(item) }
            for kid in tree["/Kids"].items { walk(kid, depth - 1) }
        }
        walk(document.root["/Names"]["/EmbeddedFiles"], Self.deepest)
        document.root["/AF"].items.forEach(add)
        return found
    }

    /// A hostile document may lead back to what was read, again and again.
    private func isNew(_ part: PDFObject, _ seen: inout Set<Int>) -> Bool { !part.isIndirect || seen.insert(part.number).inserted }

    /// Nil: it is packed as no file of ours is, or too long.
    private static func sum(of stream: PDFObject) -> String? {
        let filter = stream.dictionary["/Filter"], stored = stream.stored
        if filter.isNull { return SHA256.digest(of: stored).hexadecimal }
        guard (filter.name ?? filter.items.first?.name) == "/FlateDecode", filter.items.count < 2 else { return nil }
        return (try? ZlibStream.decompress(stored[...])).map { SHA256.digest(of: $0).hexadecimal }
    }
}
