/// A signature of a PDF, and what holds of it.
package struct DocumentSignature: Encodable, Sendable, Equatable {
    /// What came after the signature.
    package enum Later: String, Encodable, Sendable, CaseIterable {
        case nothing
        /// Further signatures, and nothing that a reader sees.
        case signatures
        case changes
    }

    /// A time that a server vouches for.
    package struct Timestamp: Encodable, Sendable, Equatable {
        package var time: String
        package var authority: String
        /// Whether it belongs to this signature and is rightly signed.
        package var isWhole: Bool
        package var trust: TrustStore.Verdict
    }

    /// The field's name.
    package var field: String
    /// As the document has it: `ETSI.CAdES.detached`.
    package var kind: String
    /// PAdES's level: `B-B`, `B-T`; nil: it is none of these.
    package var level: String?
    /// Of the certificate: whose it is, who gave it, its SHA-256. Nil: it holds none.
    package var signer: String?
    package var issuer: String?
    package var certificate: String?
    package var reason: String?
    package var place: String?
    /// As the signer says it.
    package var claimedTime: String?
    package var timestamp: Timestamp?
    /// Whether it is of a kind that can be judged, and its message can be read.
    package var isJudged = true
    /// Whether every byte that was signed is as it was, and the signature is the signer's.
    package var isWhole: Bool
    /// Why not, in the words of what found it.
    package var objection: String?
    package var later: Later
    package var trust: TrustStore.Verdict
    /// Whether it can be relied on.
    package var holds: Bool

    /// Whether the document still is what was signed.
    package var isUnchanged: Bool { isWhole && later != .changes }
    /// Whether it is proven that the document is not what was signed.
    package var isBroken: Bool { later == .changes || isJudged && !isWhole }
}
