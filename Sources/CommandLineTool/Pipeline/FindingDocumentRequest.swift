import FindingDocuments
import Foundation
import Model

/// A document of findings as a file; the ending determines its kind.
struct FindingDocumentRequest: Hashable {
    var path: String
    var kind: FindingDocument.Kind

    /// The documents that options name; each is a file of its own.
    static func parse(_ paths: [String]) throws(SettingFailure) -> [FindingDocumentRequest] {
        var requests: [FindingDocumentRequest] = []
        for stated in paths {
            let url = URL(fileURLWithPath: stated).standardizedFileURL
            guard let kind = FindingDocument.Kind(rawValue: url.pathExtension.lowercased()) else {
                throw .unknownReport(stated, known: FindingDocument.Kind.allCases.map { "." + $0.rawValue })
            }
            guard !requests.contains(where: { $0.path == url.path }) else { throw .reportTwice(stated) }
            requests.append(FindingDocumentRequest(path: url.path, kind: kind))
        }
        return requests
    }
}

/// A document that was written.
struct FindingDocumentFile: Encodable {
    var path: String
    var bytes: Int64
    var sha256: String
}
