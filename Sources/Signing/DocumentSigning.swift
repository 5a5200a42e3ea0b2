import Digests
package import Foundation
import Model
import PDFArchive

/// Makes the update of a PDF that holds a signature (PAdES baseline B-B, with a time stamp B-T), in
/// a field of its own, which no page shows unless a stamp is asked for.
package struct DocumentSigning {
    /// What the signer says.
    package struct Statement {
        package var time: Date
        package var reason: String?
        package var place: String?
        /// Nil: no page shows the signature.
        package var stamp: SignatureStamp?

        package init(time: Date, reason: String? = nil, place: String? = nil, stamp: SignatureStamp? = nil) {
            (self.time, self.reason, self.place, self.stamp) = (time, reason, place, stamp)
        }
    }

    /// No longer document is signed or read: it is held in memory.
    package static let limit = 1 << 29

    private let identity: SigningIdentity
    private let statement: Statement
    private let timestamps: TimestampServer?

    /// - Parameter timestamps: who says when it was signed; nil: only the signer does.
    package init(_ identity: SigningIdentity, _ statement: Statement, timestamps: TimestampServer? = nil) {
        (self.identity, self.statement, self.timestamps) = (identity, statement, timestamps)
    }

    /// The bytes to be written after those of the document, and the earlier signatures of which it
    /// cannot be said whether they hold.
    ///
    /// - Parameter path: the document's, for messages.
    package func update(of original: [UInt8], path: String) throws -> (bytes: [UInt8], unjudged: [DocumentSignature]) {
        guard original.count <= Self.limit else { throw SigningFailure.tooLarge(path: path, limit: Self.limit >> 20) }
        let document = try ParsedDocument(original, path: path)
        guard !document.isEncrypted else { throw SigningFailure.encrypted(path: path) }
        // A certifying signature may say that nothing is to follow (ISO 32000-1, table 254).
        let certified = document.root["/Perms"]["/DocMDP"]["/Reference"].items.first?["/TransformParams"]["/P"].integer
        guard certified != 1 else { throw SigningFailure.locked(path: path) }
        // Whoever signs vouches for what was signed before, and must not do so unawares. Whose
        // certificates are trusted does not matter here.
        let earlier = try SignatureReader(document, original, path: path).signatures(trust: TrustStore(taking: []), at: statement.time)
        if let broken = earlier.first(where: \.isBroken) { throw SigningFailure.broken(path: path, signer: broken.signer ?? broken.field) }
        var update = try DocumentUpdate(of: original, document, path: path)
        let signature = update.number(), field = update.number()
        try addField(field, of: signature, to: document, &update, path)
        let room = self.room
        let (text, range, contents) = dictionary(room)
        let start = update.add(signature, text)
        update.finish(seed: SHA256.digest(of: original).bytes + identity.certificate.digest.bytes + Array(PDFText.date(Timestamp.format(statement.time)).utf8))
        return (try fill(update.bytes, after: original, ranges: start + range, contents: start + contents, room), earlier.filter { !$0.isJudged })
    }

    /// Registers the field in the form and on the page that shows it, else on the first.
    private func addField(_ number: Int, of signature: Int, to document: ParsedDocument, _ update: inout DocumentUpdate, _ path: String) throws {
        let place = try statement.stamp?.place(in: document, path: path)
        guard let page = place?.page ?? document.page(0), page.isIndirect else { throw SigningFailure.damaged(path: path, reason: "/Pages") }
        let root = document.root, reference = document.object(number)
        if !root["/AcroForm"].isDictionary { root.set("/AcroForm", document.parse("<< >>")) }
        let form = root["/AcroForm"]
        let names = Set(form["/Fields"].items.compactMap { $0["/T"].text })
        let name = (1...).lazy.map { "Signature\($0)" }.first { !names.contains($0) } ?? ""
        form.set("/SigFlags", document.parse("3"))
        Self.append(reference, to: "/Fields", of: form, document, &update)
        update.add(form.isIndirect ? form : root)
        if !Self.append(reference, to: "/Annots", of: page, document, &update) { update.add(page) }
        var look = "/Rect [0 0 0 0]"
        if let stamp = statement.stamp, let place {
            let form = update.number()
            update.add(form, try stamp.form(width: place.size.width, height: place.size.height))
            look = "/Rect [\(place.rectangle)] /AP << /N \(form) 0 R >> /Contents \(PDFText.string(stamp.name + ", " + stamp.note))"
        }
        // Printed, and locked.
        let owner = String(decoding: page.written, as: UTF8.self)
        update.add(number, Array("<< /Type /Annot /Subtype /Widget /FT /Sig /T \(PDFText.string(name)) /V \(signature) 0 R \(look) /F 132 /P \(owner) >>".utf8))
    }

    /// - Returns: whether the list is an object of its own, and so all that has changed.
    @discardableResult private static func append(
        _ item: PDFObject, to key: String, of owner: PDFObject, _ document: ParsedDocument, _ update: inout DocumentUpdate
    ) -> Bool {
        if !owner[key].isArray { owner.set(key, document.parse("[]")) }
        let list = owner[key]
        list.append(item)
        if list.isIndirect { update.add(list) }
        return list.isIndirect
    }

    // MARK: The signature's dictionary

    /// Bytes for the message: what it holds, and what a time stamp may take.
    private var room: Int {
        let certificates = [identity.certificate] + identity.chain
        return certificates.reduce(0) { $0 + $1.encoded.count } + 2 * identity.certificate.issuer.count + 2048 + (timestamps == nil ? 0 : TimestampServer.longestToken)
    }

    private static let rangeWidth = 48

    /// The dictionary with room for what is only known when everything else is, and where that goes.
    private func dictionary(_ room: Int) -> (text: [UInt8], ranges: Int, contents: Int) {
        var text = Array("<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /ETSI.CAdES.detached /ByteRange ".utf8)
        let ranges = text.count
        text += Array(repeating: UInt8(ascii: " "), count: Self.rangeWidth) + Array(" /Contents ".utf8)
        let contents = text.count
        text += Array("<".utf8) + Array(repeating: UInt8(ascii: "0"), count: 2 * room) + Array(">".utf8)
        text += Array(" /M \(PDFText.date(Timestamp.format(statement.time))) /Name \(PDFText.string(identity.name))".utf8)
        for (key, value) in [("/Reason", statement.reason), ("/Location", statement.place)] {
            if let value { text += Array(" \(key) \(PDFText.string(value))".utf8) }
        }
        return (text + Array(" >>".utf8), ranges, contents)
    }

    private func fill(_ update: [UInt8], after original: [UInt8], ranges: Int, contents: Int, _ room: Int) throws -> [UInt8] {
        var update = update
        let end = contents + 2 * room + 2
        let words = Array("[0 \(original.count + contents) \(original.count + end) \(update.count - end)]".utf8)
        update.replaceSubrange(ranges..<ranges + words.count, with: words)
        var sum = SHA256()
        sum.update(original)
        sum.update(update.span.extracting(..<contents))
        sum.update(update.span.extracting(end...))
        let message = try SignedMessage(sum.digest(), by: identity)
        let encoded = message.encoded(timestamp: try timestamps?.token(for: message.signature))
        guard encoded.count <= room else { throw SigningFailure.library(reason: "\(encoded.count) > \(room)") }
        update.replaceSubrange(contents + 1..<contents + 1 + 2 * encoded.count, with: Array(encoded.hexadecimal.utf8))
        return update
    }
}
