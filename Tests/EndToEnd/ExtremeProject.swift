import Foundation
import Testing

/// A project as nobody has it, beside the samples of its system: nothing and forty of a thing, names
/// of 200 letters, twelve photos, and a record of which nothing is known.
enum ExtremeProject {
    static let systems = ["ingeplus", "anagrafica"]

    /// Writes the project into an office's replica; returns what `--project` names it.
    @discardableResult
    static func add(to office: Office) throws -> String {
        let script = ProgramRun.root + "/Tests/EndToEnd/Extremes/\(office.system).sql"
        let run = try ProgramRun.program("/usr/bin/sqlite3", ["-bail", office.replica, ".read '\(script)'"])
        try #require(run.status == 0, "\(run.error)")
        return try office.sql(
            office.system == "ingeplus" ? "SELECT code FROM projects WHERE id LIKE 'e0000000-%'" : "SELECT name FROM projects WHERE id LIKE 'f0000000-%'")
    }
}
