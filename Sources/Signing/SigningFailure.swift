package import Model

/// Reason why a document cannot be signed, or its signatures cannot be read.
package enum SigningFailure: Failure, Equatable {
    /// The file is not a PDF, or its parts cannot be found.
    case damaged(path: String, reason: String)
    case encrypted(path: String)
    case tooLarge(path: String, limit: Int)
    /// A certifying signature in the document allows no further change.
    case locked(path: String)
    /// A signature of the document is not valid for its present content.
    case broken(path: String, signer: String)
    /// The file contains no certificate, or none that can be read.
    case certificateUnreadable(path: String, reason: String)
    case noKey(path: String)
    case passwordMissing(path: String)
    case passwordWrong(path: String)
    /// No certificate belongs to the key.
    case keyMismatch(path: String)
    /// The key is neither an RSA key of at least 2048 bits nor a key on an elliptic curve.
    case keyKind(path: String)
    case expired(path: String, end: String)
    case notYetValid(path: String, begin: String)
    /// The certificate is for other purposes than signatures.
    case notForSigning(path: String)
    /// The server of time stamps cannot be reached, or does not respond in time.
    case timestampUnreachable(address: String, reason: String)
    /// The server's response cannot be read.
    case timestampAnswer(address: String, reason: String)
    /// The server's time stamp does not belong to the signature, or is not valid.
    case timestampWrong(address: String, reason: String)
    /// The document has no such signature line, or the line already has a signature.
    case noLine(path: String, line: Int, count: Int)
    /// Pages are stamped as drafts; `page` is the first of them, counted from 1.
    case draft(path: String, page: Int, count: Int)
    /// The register holds the document as a draft.
    case draftDelivery(path: String)
    case library(reason: String)

    package var code: String {
        switch self {
        case .damaged: "SIGN-DOCUMENT"
        case .encrypted: "SIGN-ENCRYPTED"
        case .tooLarge: "SIGN-TOO-LARGE"
        case .locked: "SIGN-LOCKED"
        case .broken: "SIGN-BROKEN"
        case .certificateUnreadable: "SIGN-CERTIFICATE"
        case .noKey: "SIGN-KEY-MISSING"
        case .passwordMissing: "SIGN-PASSWORD-MISSING"
        case .passwordWrong: "SIGN-PASSWORD"
        case .keyMismatch: "SIGN-KEY-OTHER"
        case .keyKind: "SIGN-KEY-KIND"
        case .expired: "SIGN-EXPIRED"
        case .notYetValid: "SIGN-NOT-YET"
        case .notForSigning: "SIGN-PURPOSE"
        case .timestampUnreachable: "TIMESTAMP-UNREACHABLE"
        case .timestampAnswer: "TIMESTAMP-ANSWER"
        case .timestampWrong: "TIMESTAMP-WRONG"
        case .noLine: "SIGN-NO-LINE"
        case .draft: "SIGN-DRAFT"
        case .draftDelivery: "SIGN-DRAFT-DELIVERY"
        case .library: "SIGN-LIBRARY"
        }
    }

    package var exitCode: ExitCode {
        switch self {
        case .damaged, .encrypted, .tooLarge, .locked, .broken, .certificateUnreadable, .noKey, .keyMismatch, .keyKind,
            .expired, .notYetValid, .notForSigning, .noLine, .draft, .draftDelivery:
            .badInput
        case .passwordMissing, .passwordWrong: .notPermitted
        case .timestampUnreachable, .timestampAnswer, .timestampWrong: .unavailable
        case .library: .internalError
        }
    }

    package var arguments: [String: String] {
        switch self {
        case .damaged(let path, let reason), .certificateUnreadable(let path, let reason):
            ["path": path, "reason": reason]
        case .tooLarge(let path, let limit): ["path": path, "limit": String(limit)]
        case .noLine(let path, let line, let count): ["path": path, "line": String(line), "count": String(count)]
        case .draft(let path, let page, let count): ["path": path, "page": String(page), "count": String(count)]
        case .broken(let path, let signer): ["path": path, "signer": signer]
        case .encrypted(let path), .locked(let path), .noKey(let path), .passwordMissing(let path),
            .passwordWrong(let path), .keyMismatch(let path),
            .keyKind(let path), .notForSigning(let path), .draftDelivery(let path):
            ["path": path]
        case .expired(let path, let end): ["path": path, "end": end]
        case .notYetValid(let path, let begin): ["path": path, "begin": begin]
        case .timestampUnreachable(let address, let reason), .timestampAnswer(let address, let reason),
            .timestampWrong(let address, let reason):
            ["address": address, "reason": reason]
        case .library(let reason): ["reason": reason]
        }
    }
}
