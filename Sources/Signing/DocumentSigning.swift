import Canvas
import Digests
package import Foundation
import Model
import PDFArchive
import Zipping

/// Makes the incremental update that adds a signature to a PDF (PAdES baseline B-B, or B-T with a
/// time stamp). The signature has a new field, which no page shows unless a stamp is requested.
package struct DocumentSigning {
    /// The signer's statement: time, reason, place and visible stamp.
    package struct Statement {
        package var time: Date
        package var reason: String?
        package var place: String?
        /// The visible form of the signature; nil if no page shows the signature.
        package var stamp: SignatureStamp?
        /// Whether pages that are stamped as drafts are signed.
        package var allowsDrafts: Bool

        package init(
            time: Date, reason: String? = nil, place: String? = nil, stamp: SignatureStamp? = nil,
            allowsDrafts: Bool = false
        ) {
            (self.time, self.reason, self.place, self.stamp) = (time, reason, place, stamp)
            self.allowsDrafts = allowsDrafts
        }
    }

    /// The size of the largest document that is signed or read, in bytes: documents are read into
    /// memory.
    package static let limit = 1 << 29

    private let identity: SigningIdentity
    private let statement: Statement
    private let timestamps: TimestampServer?

    /// - Parameter timestamps: the server that confirms the time; nil to trust the signer.
    package init(_ identity: SigningIdentity, _ statement: Statement, timestamps: TimestampServer? = nil) {
        (self.identity, self.statement, self.timestamps) = (identity, statement, timestamps)
    }

    /// What a signature adds to a document, and what its signer should know.
    package struct Update {
        /// The bytes to be written after those of the document.
        package var bytes: [UInt8]
        /// The earlier signatures whose validity cannot be determined.
        package var unjudged: [DocumentSignature]
        /// The name of the other person who is to sign on the line; nil if there is none.
        package var otherSignatory: String?
    }

    /// - Parameter path: the document's path, for messages.
    package func update(of original: [UInt8], path: String) throws -> Update {
        guard original.count <= Self.limit else { throw SigningFailure.tooLarge(path: path, limit: Self.limit >> 20) }
        let document = try ParsedDocument(original, path: path)
        guard !document.isEncrypted else { throw SigningFailure.encrypted(path: path) }
        // A certifying signature may forbid all further changes (ISO 32000-1, table 254).
        let certified = document.root["/Perms"]["/DocMDP"]["/Reference"].items.first?["/TransformParams"]["/P"].integer
        guard certified != 1 else { throw SigningFailure.locked(path: path) }
        try refuseDrafts(document, path: path)
        // A signer also approves the earlier signatures, and must know of broken ones. This check
        // does not need trust in their certificates.
        let earlier = try SignatureReader(document, original, path: path).signatures(
            trust: TrustStore(taking: []), at: statement.time)
        if let broken = earlier.first(where: \.isBroken) {
            throw SigningFailure.broken(path: path, signer: broken.signer ?? broken.field)
        }
        var update = try DocumentUpdate(of: original, document, path: path)
        let signature = update.number(), field = update.number()
        try addField(field, of: signature, to: document, &update, path)
        let room = self.room
        let (text, range, contents) = dictionary(room)
        let start = update.add(signature, text)
        update.finish(
            seed: SHA256.digest(of: original).bytes + identity.certificate.digest.bytes
                + Array(PDFText.date(Timestamp.format(statement.time)).utf8))
        return Update(
            bytes: try fill(update.bytes, after: original, ranges: start + range, contents: start + contents, room),
            unjudged: earlier.filter { !$0.isJudged },
            otherSignatory: try statement.stamp?.place(in: document, path: path).otherSignatory(than: identity.name))
    }

    /// Refuses pages that say of themselves that they are drafts: who signs them vouches for what
    /// nobody has approved.
    private func refuseDrafts(_ document: ParsedDocument, path: String) throws(SigningFailure) {
        guard !statement.allowsDrafts else { return }
        let drafts = (0..<document.pageCount).filter {
            document.page($0).map { SignatureStamp.notes(of: $0)[PageRecord.draftKey].isTrue } ?? false
        }
        if let first = drafts.first { throw .draft(path: path, page: first + 1, count: drafts.count) }
    }

    /// Registers the signature's field in the form, and on the page that shows it or on the first
    /// page.
    private func addField(
        _ number: Int, of signature: Int, to document: ParsedDocument, _ update: inout DocumentUpdate, _ path: String
    ) throws {
        let place = try statement.stamp?.place(in: document, path: path)
        guard let page = place?.page ?? document.page(0), page.isIndirect else {
            throw SigningFailure.damaged(path: path, reason: "/Pages")
        }
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
            look =
                """
                /Rect [\(place.rectangle)] /AP << /N \(form) 0 R >> /Contents \
                \(PDFText.string(stamp.name + ", " + stamp.note))
                """
        }
        // The field's flags: printed, and locked.
        let owner = String(decoding: page.written, as: UTF8.self)
        update.add(
            number,
            Array(
                """
                << /Type /Annot /Subtype /Widget /FT /Sig /T \(PDFText.string(name)) /V \(signature) 0 R \(look) /F \
                132 /P \(owner) >>
                """
                    .utf8))
    }

    /// - Returns: whether the list is a separate object, so that its owner is unchanged.
    @discardableResult private static func append(
        _ item: PDFObject, to key: String, of owner: PDFObject, _ document: ParsedDocument,
        _ update: inout DocumentUpdate
    ) -> Bool {
        if !owner[key].isArray { owner.set(key, document.parse("[]")) }
        let list = owner[key]
        list.append(item)
        if list.isIndirect { update.add(list) }
        return list.isIndirect
    }

    // MARK: The signature's dictionary

    /// Bytes reserved for the signature's message: its content, and a possible time stamp.
    private var room: Int {
        let certificates = [identity.certificate] + identity.chain
        return certificates.reduce(0) { $0 + $1.encoded.count } + 2 * identity.certificate.issuer.count + 2048
            + (timestamps == nil ? 0 : TimestampServer.longestToken)
    }

    private static let rangeWidth = 48

    /// The dictionary with space for the values that are only known at the end, and their offsets.
    private func dictionary(_ room: Int) -> (text: [UInt8], ranges: Int, contents: Int) {
        var text = Array("<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /ETSI.CAdES.detached /ByteRange ".utf8)
        let ranges = text.count
        text += Array(repeating: UInt8(ascii: " "), count: Self.rangeWidth) + Array(" /Contents ".utf8)
        let contents = text.count
        text += Array("<".utf8) + Array(repeating: UInt8(ascii: "0"), count: 2 * room) + Array(">".utf8)
        text += Array(
            " /M \(PDFText.date(Timestamp.format(statement.time))) /Name \(PDFText.string(identity.name))".utf8)
        for (key, value) in [("/Reason", statement.reason), ("/Location", statement.place)] {
            if let value { text += Array(" \(key) \(PDFText.string(value))".utf8) }
        }
        return (text + Array(" >>".utf8), ranges, contents)
    }

    private func fill(_ update: [UInt8], after original: [UInt8], ranges: Int, contents: Int, _ room: Int) throws
        -> [UInt8]
    {
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

/// The message with a signature (CMS, RFC 5652) in the baseline profile of PAdES (ETSI EN 319
/// 142-1): the signed bytes stay outside, and the time is an entry of the document. OpenSSL's
/// functions for such messages would always add a signing time.
struct SignedMessage {
    private let identity: SigningIdentity
    /// The signed attributes: the kind of content, its digest, and the certificate, so that no
    /// other certificate can replace it.
    private let attributes: [[UInt8]]
    let signature: [UInt8]

    private static let data = DER.identifier("1.2.840.113549.1.7.1")
    private static let sha256 = DER.sequence(DER.identifier("2.16.840.1.101.3.4.2.1"))

    init(_ digest: Digest, by identity: SigningIdentity) throws(SigningFailure) {
        self.identity = identity
        let own = identity.certificate
        let issuer = DER.sequence(DER.sequence(DER.field(4, own.issuer)), own.serialNumber)
        let certificate = DER.sequence(DER.sequence(DER.sequence(DER.octets(own.digest.bytes), issuer)))
        attributes = [
            Self.attribute("1.2.840.113549.1.9.3", Self.data),
            Self.attribute("1.2.840.113549.1.9.4", DER.octets(digest.bytes)),
            Self.attribute("1.2.840.113549.1.9.16.2.47", certificate),
        ]
        signature = try identity.key.signature(of: DER.set(attributes))
    }

    private static func attribute(_ identifier: String, _ value: [UInt8]) -> [UInt8] {
        DER.sequence(DER.identifier(identifier), DER.set([value]))
    }

    /// - Parameter timestamp: a token for the signature.
    func encoded(timestamp: [UInt8]?) -> [UInt8] {
        let own = identity.certificate
        let signer = DER.sequence(
            DER.integer(1), DER.sequence(own.issuer, own.serialNumber), Self.sha256, DER.set(attributes, inField: 0),
            identity.key.algorithm,
            DER.octets(signature),
            timestamp.map { DER.set([Self.attribute("1.2.840.113549.1.9.16.2.14", $0)], inField: 1) } ?? [])
        let message = DER.sequence(
            DER.integer(1), DER.set([Self.sha256]), DER.sequence(Self.data),
            DER.set(([own] + identity.chain).map(\.encoded), inField: 0),
            DER.set([signer]))
        return DER.sequence(DER.identifier("1.2.840.113549.1.7.2"), DER.field(0, message))
    }
}

/// The visible form of a signature, above one of the lines for signatures on a page.
package struct SignatureStamp: Sendable {
    /// The line, counted from 1 on the left, on the last page that has such lines.
    package var line: Int
    /// The signer's name, and the note below it.
    package var name: String
    package var note: String

    package init(line: Int, name: String, note: String) { (self.line, self.name, self.note) = (line, name, note) }

    /// The largest size of a page (ISO 32000-1, annex C).
    private static let farthest = 14_400.0

    /// The position of a stamp.
    struct Place {
        let page: PDFObject
        /// Left, bottom, right and top.
        let corners: [Double]
        /// The name of the person who is to sign there; empty if anybody may.
        let signatory: String

        /// The name of the person who is to sign there, if it shares fewer than two words with the
        /// signer's name.
        func otherSignatory(than signer: String) -> String? {
            func words(_ name: String) -> Set<String> {
                let plain = name.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
                return Set(plain.split { !$0.isLetter }.map(String.init).filter { $0.count > 2 })
            }
            let wanted = words(signatory)
            return wanted.isEmpty || wanted.intersection(words(signer)).count >= min(2, wanted.count) ? nil : signatory
        }

        var size: (width: Double, height: Double) { (corners[2] - corners[0], corners[3] - corners[1]) }
        var rectangle: String { corners.map(PDFText.number).joined(separator: " ") }
    }

    /// - Throws: `.noLine` if the document has no such line, or the line already has a signature.
    func place(in document: ParsedDocument, path: String) throws(SigningFailure) -> Place {
        func lines(of page: PDFObject) -> [[Double]] {
            Self.notes(of: page)[PageRecord.signatureLinesKey].items.map { $0.items.compactMap(\.real) }.filter {
                corners in
                corners.count == 4 && corners[0] < corners[2] && corners[1] < corners[3]
                    && corners.allSatisfy { abs($0) <= Self.farthest }
            }
        }
        let pages = (0..<document.pageCount).reversed().lazy.compactMap { document.page($0) }
        guard let page = pages.first(where: { !lines(of: $0).isEmpty }) else {
            throw .noLine(path: path, line: line, count: 0)
        }
        let found = lines(of: page), taken = page["/Annots"].items.map { $0["/Rect"].items.compactMap(\.real) }
        guard found.indices.contains(line - 1), !taken.contains(found[line - 1]) else {
            throw .noLine(path: path, line: line, count: found.count)
        }
        let names = Self.notes(of: page)[PageRecord.signatoriesKey].items
        return Place(
            page: page, corners: found[line - 1],
            signatory: names.count == found.count ? names[line - 1].text ?? "" : "")
    }

    /// What Fichero noted about a page when it made the document.
    static func notes(of page: PDFObject) -> PDFObject { PageRecord.noteKeys.reduce(page) { $0[$1] } }

    /// The drawing as a form (ISO 32000-1, 8.10). Letters are outlines, so that it needs no font;
    /// the field contains the same text.
    func form(width: Double, height: Double) throws(SigningFailure) -> [UInt8] {
        do {
            var bytes: [UInt8] = []
            let page = try PDFDocument(PDFDocument.Metadata(title: "", created: "1970-01-01T00:00:00Z")) { bytes += $0 }
            try page.page(width: width, height: height) { canvas in
                let layouts = [
                    canvas.layout(name, TextStyle(size: 6.6, weight: .bold), width: width, maximumLines: 2),
                    canvas.layout(note, TextStyle(size: 6.2), width: width, maximumLines: 1),
                ]
                var y = height - layouts.reduce(0) { $0 + $1.height }
                for layout in layouts {
                    canvas.drawOutlines(of: layout, at: Point(x: 0, y: y))
                    y += layout.height
                }
            }
            try page.finish()
            let drawn = try ParsedDocument(bytes, path: "").page(0)
            let content = try ZlibStream.compress(
                ZlibStream.decompress((drawn?["/Contents"].stored ?? [])[...]), level: 9)
            let states = String(decoding: drawn?["/Resources"]["/ExtGState"].content ?? [], as: UTF8.self)
            let head =
                """
                << /Type /XObject /Subtype /Form /BBox [0 0 \(PDFText.number(width)) \(PDFText.number(height))] \
                /Resources << /ExtGState \(states) >> /Filter /FlateDecode /Length \(content.count) >>\nstream\n
                """
            return Array(head.utf8) + content + Array("\nendstream".utf8)
        } catch {
            // A drawing that cannot be read is Fichero's fault, not the document's.
            throw .library(reason: "\(error)")
        }
    }
}
