import Digests
package import Foundation
package import Model

/// Reads the signatures of a PDF and verifies each.
package struct SignatureReader {
    private let bytes: [UInt8]
    private let path: String
    private let document: ParsedDocument

    package init(_ bytes: [UInt8], path: String) throws(SigningFailure) {
        guard bytes.count <= DocumentSigning.limit else {
            throw .tooLarge(path: path, limit: DocumentSigning.limit >> 20)
        }
        self.init(try ParsedDocument(bytes, path: path), bytes, path: path)
    }

    init(_ document: ParsedDocument, _ bytes: [UInt8], path: String) {
        (self.document, self.bytes, self.path) = (document, bytes, path)
    }

    /// Findings about attached files that differ from the codes on the document's pages.
    package func findings() throws(SigningFailure) -> [Finding] {
        try AttachedData(of: document, path: path).findings()
    }

    private static let deepest = 32
    /// The limit of signatures, because each is checked against all bytes before it.
    private static let most = 200

    /// The document's signatures, in the order in which they were made.
    ///
    /// - Parameter time: the time at which a certificate must be valid, if no time stamp proves
    ///   when it was used.
    package func signatures(trust: TrustStore, at time: Date) throws(SigningFailure) -> [DocumentSignature] {
        var found: [(name: String, value: PDFObject)] = [], seen: Set<Int> = []
        collect(document.root["/AcroForm"]["/Fields"], "", isSignature: false, 0, &found, &seen)
        guard found.count <= Self.most else { throw .damaged(path: path, reason: "> \(Self.most) /Sig") }
        // An encrypted document cannot be signed, so it is not reported as unsigned.
        guard !document.isEncrypted || !found.isEmpty else { throw .encrypted(path: path) }
        return found.map { name, value in (judge(name, value, trust, time), Range(value)?.end ?? 0) }.sorted {
            $0.1 < $1.1
        }.map(\.0)
    }

    /// Collects the signature fields. Fields may have fields below them, which inherit their kind.
    private func collect(
        _ fields: PDFObject, _ parent: String, isSignature: Bool, _ depth: Int,
        _ found: inout [(name: String, value: PDFObject)], _ seen: inout Set<Int>
    ) {
        guard depth < Self.deepest else { return }
        for field in fields.items
        where found.count <= Self.most && (!field.isIndirect || seen.insert(field.number).inserted) {
            let name = [parent, field["/T"].text ?? ""].filter { !$0.isEmpty }.joined(separator: ".")
            let isSignature = field["/FT"].name.map { $0 == "/Sig" } ?? isSignature
            if isSignature, field["/V"].isDictionary { found.append((name, field["/V"])) }
            collect(field["/Kids"], name, isSignature: isSignature, depth + 1, &found, &seen)
        }
    }

    /// The bytes that a signature covers: all bytes from the document's beginning to `end`, without
    /// the gap that contains the signature.
    private struct Range {
        let gap: Int, next: Int, end: Int

        init?(_ value: PDFObject) {
            let numbers = value["/ByteRange"].items.compactMap(\.integer)
            guard numbers.count == 4, numbers[0] == 0, numbers[1] > 0, numbers[2] > numbers[1], numbers[3] >= 0 else {
                return nil
            }
            let (end, overflows) = numbers[2].addingReportingOverflow(numbers[3])
            guard !overflows else { return nil }
            (gap, next, self.end) = (numbers[1], numbers[2], end)
        }

        /// Whether the gap contains exactly the signature that the document refers to.
        func isGap(in bytes: [UInt8], of contents: [UInt8]) -> Bool {
            guard end <= bytes.count, next - gap == 2 * contents.count + 2, bytes[gap] == UInt8(ascii: "<"),
                bytes[next - 1] == UInt8(ascii: ">")
            else { return false }
            let digits = Array(contents.hexadecimal.utf8)
            return bytes[(gap + 1)..<(next - 1)].elementsEqual(digits) { $0 == $1 || $0 | 0x20 == $1 }
        }
    }

    // MARK: Judging

    /// Verifies one signature.
    private func judge(_ name: String, _ value: PDFObject, _ trust: TrustStore, _ time: Date) -> DocumentSignature {
        var judged = DocumentSignature(
            field: name, kind: String(value["/SubFilter"].name?.dropFirst() ?? ""), reason: value["/Reason"].text,
            place: value["/Location"].text,
            claimedTime: value["/M"].text.flatMap(SignatureTime.parse).map(Timestamp.format), isWhole: false,
            later: .nothing, trust: .refused, holds: false)
        guard let contents = value["/Contents"].bytes, let range = Range(value), range.isGap(in: bytes, of: contents)
        else {
            judged.objection = "/ByteRange"
            return judged
        }
        let signed = Array(bytes[..<range.gap]) + bytes[range.next..<range.end]
        switch judged.kind {
        case "ETSI.CAdES.detached", "adbe.pkcs7.detached": judgeMessage(contents, signed, trust, time, &judged)
        case "ETSI.RFC3161": judgeTimestamp(contents, signed, trust, &judged)
        default: (judged.isJudged, judged.objection) = (false, "/SubFilter")
        }
        if judged.isWhole || !judged.isJudged { judged.later = later(than: range.end) }
        let isInTime = judged.timestamp.map { $0.isWhole && $0.trust == .trusted } ?? true
        judged.holds = judged.isWhole && judged.later != .changes && judged.trust == .trusted && isInTime
        return judged
    }

    private func judgeMessage(
        _ contents: [UInt8], _ signed: [UInt8], _ trust: TrustStore, _ time: Date, _ judged: inout DocumentSignature
    ) {
        guard let message = MessageReader(contents) else {
            (judged.isJudged, judged.objection) = (false, "/Contents")
            return
        }
        let (signer, objection) = message.signer(of: signed)
        (judged.isWhole, judged.objection) = (objection == nil, objection)
        // The signature is valid, but with a weak digest it proves nothing.
        if let objection, objection == message.weakDigest { judged.isJudged = false }
        var then = time
        if let bytes = message.timestamp {
            // An unreadable time stamp proves nothing, and anybody could have added it.
            judged.timestamp = DocumentSignature.Timestamp(time: "–", authority: "–", isWhole: false, trust: .refused)
            if let token = TimestampToken(bytes) {
                let isWhole = token.objection(for: message.signature) == nil
                let verdict = trust.judge(token.authority, with: token.certificates, at: token.time, isTimestamp: true)
                judged.timestamp = DocumentSignature.Timestamp(
                    time: Timestamp.format(token.time), authority: token.authority.subject, isWhole: isWhole,
                    trust: verdict)
                // The certificate may have expired since then if a trusted time stamp proves its
                // earlier use.
                if isWhole, verdict == .trusted { then = token.time }
            }
        }
        if judged.kind == "ETSI.CAdES.detached", message.isBaseline {
            judged.level = judged.timestamp.map(\.isWhole) == true ? "B-T" : "B-B"
        }
        describe(signer, &judged)
        if let signer { judged.trust = trust.judge(signer, with: message.certificates, at: then, isTimestamp: false) }
    }

    /// Checks a time stamp of the whole document, which names a server instead of a signer.
    private func judgeTimestamp(
        _ contents: [UInt8], _ signed: [UInt8], _ trust: TrustStore, _ judged: inout DocumentSignature
    ) {
        guard let token = TimestampToken(contents) else {
            (judged.isJudged, judged.objection) = (false, "/Contents")
            return
        }
        judged.objection = token.objection(for: signed)
        judged.isWhole = judged.objection == nil
        judged.claimedTime = Timestamp.format(token.time)
        describe(token.authority, &judged)
        judged.trust = trust.judge(token.authority, with: token.certificates, at: token.time, isTimestamp: true)
    }

    private func describe(_ certificate: Certificate?, _ judged: inout DocumentSignature) {
        judged.signer = certificate?.subject
        judged.issuer = certificate?.issuerName
        judged.certificate = certificate?.digest.hexadecimal
    }

    private func later(than end: Int) -> DocumentSignature.Later {
        guard bytes[end...].contains(where: { $0 > 0x20 }) else { return .nothing }
        // Unless the signed bytes are a complete document, additions cannot be determined.
        guard let before = try? ParsedDocument(bytes[..<end], path: path) else { return .changes }
        return LaterChanges(from: before, to: document).isOnlySignatures ? .signatures : .changes
    }
}

/// The time in a signature's dictionary.
enum SignatureTime {
    /// The instant of `D:20261127093000-05'00'`; nil for other forms, or without a zone.
    static func parse(_ text: String) -> Date? {
        guard text.hasPrefix("D:") else { return nil }
        let parts = text.dropFirst(2), digits = parts.prefix { $0.isASCII && $0.isNumber }
        guard digits.count == 14 else { return nil }
        let day = "\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.dropFirst(6).prefix(2))"
        let hour = "\(digits.dropFirst(8).prefix(2)):\(digits.dropFirst(10).prefix(2)):\(digits.suffix(2))"
        let zone = parts.dropFirst(14).split(separator: "'").joined(separator: ":")
        return Timestamp.parse("\(day)T\(hour)\(zone.hasPrefix("Z") ? "Z" : zone)")
    }
}

/// A signature of a PDF with the results of its verification.
package struct DocumentSignature: Encodable, Sendable, Equatable {
    /// The changes to the document after the signature.
    package enum Later: String, Encodable, Sendable, CaseIterable {
        case nothing
        /// Further signatures, and no other visible change.
        case signatures
        case changes
    }

    /// A time that a server confirms.
    package struct Timestamp: Encodable, Sendable, Equatable {
        package var time: String
        package var authority: String
        /// Whether the time stamp belongs to this signature and is validly signed.
        package var isWhole: Bool
        package var trust: TrustStore.Verdict
    }

    /// The field's name.
    package var field: String
    /// The kind as the document names it: `ETSI.CAdES.detached`.
    package var kind: String
    /// PAdES's level, `B-B` or `B-T`; nil for any other signature.
    package var level: String?
    /// The certificate's holder, issuer and SHA-256; nil if there is no certificate.
    package var signer: String?
    package var issuer: String?
    package var certificate: String?
    package var reason: String?
    package var place: String?
    /// The time that the signer gave.
    package var claimedTime: String?
    package var timestamp: Timestamp?
    /// Whether the signature can be verified: its kind is known, its message readable, its digest
    /// not weak.
    package var isJudged = true
    /// Whether every signed byte is unchanged, and the signature was made with the signer's key.
    package var isWhole: Bool
    /// The reason why `isWhole` is false, in the words of the check or of the library.
    package var objection: String?
    package var later: Later
    package var trust: TrustStore.Verdict
    /// Whether the signature is reliable.
    package var holds: Bool

    /// Whether the document is still the signed one.
    package var isUnchanged: Bool { isWhole && later != .changes }
    /// Whether the document provably differs from the signed one.
    package var isBroken: Bool { later == .changes || isJudged && !isWhole }
}
