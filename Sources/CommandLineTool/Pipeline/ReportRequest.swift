import Foundation
import Model

/// A report of findings as a file; the ending determines its kind.
struct ReportRequest: Hashable {
    enum Kind: String, CaseIterable {
        case text = "txt"
        case json, sarif, xlsx, html
    }

    var path: String
    var kind: Kind

    /// The reports that options name; each is a file of its own.
    static func parse(_ paths: [String]) throws(SettingFailure) -> [ReportRequest] {
        var requests: [ReportRequest] = []
        for stated in paths {
            let url = URL(fileURLWithPath: stated).standardizedFileURL
            guard let kind = Kind(rawValue: url.pathExtension.lowercased()) else {
                throw .unknownReport(stated, known: Kind.allCases.map { "." + $0.rawValue })
            }
            guard !requests.contains(where: { $0.path == url.path }) else { throw .reportTwice(stated) }
            requests.append(ReportRequest(path: url.path, kind: kind))
        }
        return requests
    }
}

/// A report that was written.
struct ReportOutcome: Encodable {
    var path: String
    var bytes: Int64
    var sha256: String
}
