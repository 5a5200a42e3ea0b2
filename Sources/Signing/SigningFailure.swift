package import Model

/// Reason why a document cannot be signed, or its signatures cannot be read.
package typealias SigningFailure = DeclaredFailure<DocumentSigning>

extension SigningFailure {
    /// The file is not a PDF, or its parts cannot be found.
    package static func damaged(path: String, reason: String) -> Self {
        Self("SIGN-DOCUMENT", .badInput, ["path": path, "reason": reason])
    }
    package static func encrypted(path: String) -> Self { Self("SIGN-ENCRYPTED", .badInput, ["path": path]) }
    package static func tooLarge(path: String, limit: Int) -> Self {
        Self("SIGN-TOO-LARGE", .badInput, ["path": path, "limit": limit])
    }
    /// A certifying signature in the document allows no further change.
    package static func locked(path: String) -> Self { Self("SIGN-LOCKED", .badInput, ["path": path]) }
    /// A signature of the document is not valid for its present content.
    package static func broken(path: String, signer: String) -> Self {
        Self("SIGN-BROKEN", .badInput, ["path": path, "signer": signer])
    }
    /// The file contains no certificate, or none that can be read.
    package static func certificateUnreadable(path: String, reason: String) -> Self {
        Self("SIGN-CERTIFICATE", .badInput, ["path": path, "reason": reason])
    }
    package static func noKey(path: String) -> Self { Self("SIGN-KEY-MISSING", .badInput, ["path": path]) }
    package static func passwordMissing(path: String) -> Self {
        Self("SIGN-PASSWORD-MISSING", .notPermitted, ["path": path])
    }
    package static func passwordWrong(path: String) -> Self { Self("SIGN-PASSWORD", .notPermitted, ["path": path]) }
    /// No certificate belongs to the key.
    package static func keyMismatch(path: String) -> Self { Self("SIGN-KEY-OTHER", .badInput, ["path": path]) }
    /// The key is neither an RSA key of at least 2048 bits nor a key on an elliptic curve.
    package static func keyKind(path: String) -> Self { Self("SIGN-KEY-KIND", .badInput, ["path": path]) }
    package static func expired(path: String, end: String) -> Self {
        Self("SIGN-EXPIRED", .badInput, ["path": path, "end": end])
    }
    package static func notYetValid(path: String, begin: String) -> Self {
        Self("SIGN-NOT-YET", .badInput, ["path": path, "begin": begin])
    }
    /// The certificate is for other purposes than signatures.
    package static func notForSigning(path: String) -> Self { Self("SIGN-PURPOSE", .badInput, ["path": path]) }
    /// The server of time stamps cannot be reached, or does not respond in time.
    package static func timestampUnreachable(address: String, reason: String) -> Self {
        Self("TIMESTAMP-UNREACHABLE", .unavailable, ["address": address, "reason": reason])
    }
    /// The server's response cannot be read.
    package static func timestampAnswer(address: String, reason: String) -> Self {
        Self("TIMESTAMP-ANSWER", .unavailable, ["address": address, "reason": reason])
    }
    /// The server's time stamp does not belong to the signature, or is not valid.
    package static func timestampWrong(address: String, reason: String) -> Self {
        Self("TIMESTAMP-WRONG", .unavailable, ["address": address, "reason": reason])
    }
    /// The document has no such signature line, or the line already has a signature.
    package static func noLine(path: String, line: Int, count: Int) -> Self {
        Self("SIGN-NO-LINE", .badInput, ["path": path, "line": line, "count": count])
    }
    /// Pages are stamped as drafts; `page` is the first of them, counted from 1.
    package static func draft(path: String, page: Int, count: Int) -> Self {
        Self("SIGN-DRAFT", .badInput, ["path": path, "page": page, "count": count])
    }
    /// The register holds the document as a draft.
    package static func draftDelivery(path: String) -> Self { Self("SIGN-DRAFT-DELIVERY", .badInput, ["path": path]) }
    package static func library(reason: String) -> Self { Self("SIGN-LIBRARY", .internalError, ["reason": reason]) }
}
