import Foundation
import Testing

/// A shell completes names of the pack and of what the person sees in the replica.
@Suite struct CompletionTests {
    /// The names that are offered for the last of some words; an argument is named as the shell's script does.
    private func names(_ office: Office, _ argument: String, _ line: [String]) throws -> [String] {
        let way = line.dropFirst().prefix { !$0.hasPrefix("-") }.prefix(line[1] == "conflicts" ? 2 : 1)
        let asked = ["---completion"] + way + ["--", argument, String(line.count - 1), String(line[line.count - 1].count)] + line
        let run = try ProgramRun.fichero(asked, in: office.folder, environment: office.variables)
        #expect(run.status == 0 && run.error.isEmpty, "\(run.error)")
        return run.output.split(separator: "\n").map(String.init)
    }

    @Test func namesComeFromThePackAndFromWhatThePersonSees() throws {
        let office = try Office.pits()
        #expect(try names(office, "positional@0", ["fichero", "export", "c"]) == ["calicatas", "cortes"])
        #expect(try names(office, "positional@0", ["fichero", "conflicts", "show", "C-1"]).contains("C-19"))
        let edit = ["fichero", "edit", "C-01", "--project", "HYO-2025", "--set"]
        #expect(try names(office, "--set", edit + ["water_s"]) == ["water_status="])
        let values = ["water_status=dry", "water_status=found", "water_status=not_measured"]
        #expect(try names(office, "--set", edit + ["water_status="]) == values)
        // Assistants see one project; nobody sees any without a profile, and is not told of it.
        let projects = ["fichero", "history", "--project", ""]
        #expect(try names(office, "--project", projects).count >= 3)
        for (actor, seen) in [("asistente@example.pe", ["HYO-2025"]), ("nobody@example.pe", [])] {
            var other = office
            other.environment["FICHERO_ACTOR"] = actor
            #expect(try names(other, "--project", projects) == seen)
        }
    }
}
