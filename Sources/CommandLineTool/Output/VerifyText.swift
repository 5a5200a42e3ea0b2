import Foundation
import Model
import Recording

/// A verification for people: the files that are not as registered, then how many are.
struct VerifyText {
    private let session: CommandSession
    private let folder: String?

    /// - Parameter folder: the folder that the user named.
    init(_ session: CommandSession, folder: String?) {
        self.session = session
        self.folder = folder.map { URL(fileURLWithPath: $0).standardizedFileURL.path }
    }

    private func isBelow(_ path: String) -> Bool {
        guard let folder, path.hasPrefix("/") else { return true }
        return path.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
    }

    func text(_ report: Verification) -> String {
        var lines: [String] = []
        for entry in report.entries where ![.ok, .superseded, .draft, .absent].contains(entry.state) {
            lines.append("\(session.text("cli.verify." + entry.state.rawValue)): \(entry.path)")
        }
        let files = report.entries.filter { $0.state == .ok }
        // Files elsewhere are verified too, but do not count for this folder.
        let here = files.filter { isBelow($0.path) }
        lines.append(session.text("cli.verify.summary", ["count": String(here.count)]))
        if files.count > here.count { lines.append(session.text("cli.verify.elsewhere", ["count": String(files.count - here.count)])) }
        let absent = report.count(.absent)
        if absent > 0 { lines.append(session.text("cli.verify.absent", ["count": String(absent)])) }
        return lines.joined(separator: "\n")
    }
}
