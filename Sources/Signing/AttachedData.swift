import Digests
import Model
internal import Zipping

/// Compares the files of rows attached to a document with the QR codes on its pages. The document
/// contains a QR code's text as the alternative text of its figure.
struct AttachedData {
    private let document: ParsedDocument
    private let path: String

    /// The limit of bytes read, packed and unpacked: a small document may expand to a lot.
    private let limit: Int

    init(of document: ParsedDocument, path: String, limit: Int = 1 << 31) {
        (self.document, self.path, self.limit) = (document, path, limit)
    }

    /// The depth to which the structure is searched for QR codes: the levels down to the parts of a
    /// section, with a possible list at each level.
    private static let codeDepth = 6
    /// The limit for trees of names; no real document has a deeper one.
    private static let deepest = 32
    /// Limits that no report reaches: its number of codes, and the length of a file of rows.
    private static let mostCodes = 10_000, longest = 1 << 28
    /// The highest compression ratio of Deflate.
    private static let mostPacked = 1032

    /// A finding for each file that has a QR code and that was changed or is missing.
    func findings() throws(SigningFailure) -> [Finding] {
        let codes = try self.codes()
        guard !codes.isEmpty else { return [] }
        let names = Set(codes.map { DataCode.fileName(of: $0.anchor) })
        let sums = try self.sums(of: files.filter { names.contains($0.key) })
        return codes.compactMap { code in
            let name = DataCode.fileName(of: code.anchor), sums = sums[name] ?? []
            guard sums.isEmpty || sums.contains(where: { $0 != code.sha256 }) else { return nil }
            guard let found = sums.lazy.compactMap(\.self).first(where: { $0 != code.sha256 }) else {
                return Finding("DOCUMENT-DATA-MISSING", place: Place(file: path), arguments: ["name": name])
            }
            return Finding(
                "DOCUMENT-DATA-CHANGED", place: Place(file: path),
                arguments: ["name": name, "stated": code.sha256, "found": found])
        }
    }

    /// The QR codes without repetitions: every page of a section has the same one.
    private func codes() throws(SigningFailure) -> [DataCode] {
        var found: [DataCode] = [], known: Set<DataCode> = [], seen: Set<Int> = []
        func collect(_ part: PDFObject, _ depth: Int) {
            guard depth > 0, found.count <= Self.mostCodes, isNew(part, &seen) else { return }
            for item in part.items { collect(item, depth - 1) }
            guard let code = part["/Alt"].text.flatMap(DataCode.init) else { return collect(part["/K"], depth - 1) }
            if known.insert(code).inserted { found.append(code) }
        }
        collect(document.root["/StructTreeRoot"]["/K"], Self.codeDepth)
        guard found.count <= Self.mostCodes else { throw .damaged(path: path, reason: "> \(Self.mostCodes) /Alt") }
        return found
    }

    /// The attached files by name and object number, both from the document's tree of file names
    /// and from its associated files. A file that differs between these two lists was changed.
    private var files: [String: [Int: PDFObject]] {
        var found: [String: [Int: PDFObject]] = [:], seen: Set<Int> = []
        func add(_ specification: PDFObject) {
            guard isNew(specification, &seen), let name = specification["/UF"].text ?? specification["/F"].text else {
                return
            }
            for file in specification["/EF"].keys.map({ specification["/EF"][$0] }) where file.isStream {
                found[name, default: [:]][file.number] = file
            }
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

    /// Whether a part was not read before: a hostile document's references may form cycles.
    private func isNew(_ part: PDFObject, _ seen: inout Set<Int>) -> Bool {
        !part.isIndirect || seen.insert(part.number).inserted
    }

    // MARK: Sums

    /// The different checksums of the files with each name, in the order of the files' numbers.
    /// Each file is read once, however many names and codes refer to it.
    private func sums(of files: [String: [Int: PDFObject]]) throws(SigningFailure) -> [String: [String?]] {
        var known: [Int: String?] = [:], found: [String: [String?]] = [:], left = limit
        for (name, files) in files {
            var different: Set<String?> = []
            for (number, file) in files.sorted(by: { $0.key < $1.key }) {
                let sum: String?
                if let old = known[number] { sum = old } else { sum = Self.sum(of: file, &left) }
                guard left >= 0 else { throw .damaged(path: path, reason: "> \(limit >> 20) MiB /EmbeddedFile") }
                known.updateValue(sum, forKey: number)
                if different.insert(sum).inserted { found[name, default: []].append(sum) }
            }
        }
        return found
    }

    /// The checksum of a file; nil if it is too long, or packed as Fichero never packs a file.
    ///
    /// - Parameter left: bytes that may still be read; negative when they were not enough.
    private static func sum(of stream: PDFObject, _ left: inout Int) -> String? {
        let filter = stream.dictionary["/Filter"], stored = stream.stored
        left -= stored.count
        if filter.isNull { return SHA256.digest(of: stored).hexadecimal }
        guard (filter.name ?? filter.items.first?.name) == "/FlateDecode", filter.items.count < 2 else { return nil }
        guard let rows = try? ZlibStream.decompress(stored[...], most: longest) else {
            // The number of bytes that were unpacked is unknown, so the greatest possible number is
            // subtracted.
            left -= min(longest, stored.count * mostPacked)
            return nil
        }
        left -= rows.count
        return SHA256.digest(of: rows).hexadecimal
    }
}
