/// Compares a later state of a PDF with an earlier one, object by object.
struct LaterChanges {
    private let before: ParsedDocument
    private let after: ParsedDocument

    init(from before: ParsedDocument, to after: ParsedDocument) { (self.before, self.after) = (before, after) }

    /// The number and generation that identify an object.
    private struct Reference: Hashable {
        var number: Int, generation: Int

        /// The references in an object's text, possibly with some that are only text in a string.
        static func all(in text: [UInt8]) -> [Reference] {
            let words = text.split { " []<>".utf8.contains($0) }
            return words.indices.dropFirst(2).filter { words[$0].elementsEqual("R".utf8) }.compactMap { index in
                guard let number = Int(String(decoding: words[index - 2], as: UTF8.self)),
                    let generation = Int(String(decoding: words[index - 1], as: UTF8.self))
                else { return nil }
                return Reference(number: number, generation: generation)
            }
        }
    }

    /// Whether only signatures were added, and all other objects that the earlier document reached
    /// are unchanged. The document's metadata (dates, programs) may be replaced.
    var isOnlySignatures: Bool {
        guard before.root.written == after.root.written else { return false }
        var open = Reference.all(in: before.trailer.content), seen = Set(open)
        while let next = open.popLast() {
            let old = before.object(next.number, generation: next.generation),
                new = after.object(next.number, generation: next.generation)
            defer { [old, new].forEach { $0.release() } }
            guard isSame(old, new) || isPermitted(old, new) else { return false }
            open += Reference.all(in: old.isStream ? old.dictionary.content : old.content).filter {
                seen.insert($0).inserted
            }
        }
        return true
    }

    private func isSame(_ old: PDFObject, _ new: PDFObject) -> Bool {
        guard old.isStream else { return !new.isStream && old.content == new.content }
        return new.isStream && old.dictionary.content == new.dictionary.content && old.stored == new.stored
    }

    private func isPermitted(_ old: PDFObject, _ new: PDFObject) -> Bool {
        if old.isArray, new.isArray { return hasOnlyNewFields(old, new) }
        if old.isStream, new.isStream { return old.number == before.root["/Metadata"].number }
        guard old.isDictionary, new.isDictionary else { return false }
        switch old.number {
        case before.root.number:
            return isSame(old, new, but: ["/AcroForm", "/DSS", "/Extensions"])
                && isForm(old["/AcroForm"], new["/AcroForm"])
        case before.root["/AcroForm"].number: return isForm(old, new)
        case before.trailer["/Info"].number: return isSame(old, new, but: ["/ModDate", "/Producer"])
        default: break
        }
        if old["/Type"].name == "/Page" {
            return hasOnlyNewFields(old["/Annots"], new["/Annots"]) && isSame(old, new, but: ["/Annots"])
        }
        // A signature field that was empty in the earlier state may have been signed.
        return old["/FT"].name == "/Sig" && old["/V"].isNull && new["/V"].isDictionary
            && isSame(old, new, but: ["/V", "/AP", "/MK", "/F", "/DA"])
    }

    private func isForm(_ old: PDFObject, _ new: PDFObject) -> Bool {
        hasOnlyNewFields(old["/Fields"], new["/Fields"])
            && (old.isNull || isSame(old, new, but: ["/Fields", "/SigFlags", "/DR", "/DA"]))
    }

    /// Whether a list still has all its earlier items, and all additions are signature fields. A
    /// visible field could cover signed content, so it must be signed and in the form, so that its
    /// signature is reported too.
    private func hasOnlyNewFields(_ old: PDFObject, _ new: PDFObject) -> Bool {
        let kept = old.items.map(\.written), items = new.items
        guard items.count >= kept.count, zip(items, kept).allSatisfy({ $0.written == $1 }) else { return false }
        let form = Set(after.root["/AcroForm"]["/Fields"].items.map(\.written))
        return items.dropFirst(kept.count).allSatisfy { field in
            field["/FT"].name == "/Sig"
                && (field["/AP"].isNull || field["/V"].isDictionary && form.contains(field.written))
        }
    }

    private func isSame(_ old: PDFObject, _ new: PDFObject, but keys: [String]) -> Bool {
        let copies = [before.copy(old), after.copy(new)]
        for copy in copies { keys.forEach(copy.remove) }
        return copies[0].content == copies[1].content
    }
}
