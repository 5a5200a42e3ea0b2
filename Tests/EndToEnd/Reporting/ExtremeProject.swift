import Foundation
import Testing

/// A project as nobody has it, beside the samples of its system: nothing and forty of a thing, names
/// of 200 letters, twelve photos, and a record of which nothing is known.
enum ExtremeProject {
    static let systems = ["ingeplus", "anagrafica"]

    /// An office with the samples and the project, and what `--project` names it.
    static func office(_ system: String) throws -> (office: Office, project: String) {
        let office = try Office(as: system + " with extremes", system: system) { office in
            try office.fill(from: Office(system: system))
            let script = ProgramRun.root + "/Tests/EndToEnd/Reporting/Extremes/\(system).sql"
            let run = try ProgramRun.program("/usr/bin/sqlite3", ["-bail", office.replica, ".read '\(script)'"])
            try #require(run.status == 0, "\(run.error)")
        }
        let name = system == "ingeplus" ? "SELECT code FROM projects WHERE id LIKE 'e0000000-%'" : "SELECT name FROM projects WHERE id LIKE 'f0000000-%'"
        return (office, try office.sql(name))
    }
}
