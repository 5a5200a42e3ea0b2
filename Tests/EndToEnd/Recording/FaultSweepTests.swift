import Foundation
import Testing

/// A random sample of the points that `Scripts/fault-sweep` tries, of some of its tasks; `Scripts/campaign` tries all. The
/// message has the seed to repeat it.
@Suite struct FaultSweepTests {
    private static let tasks = ["import", "export", "report", "job", "undo", "package", "archive", "account", "findings", "drawing"]

    @Test func aSampleOfPointsEndsAsAnUndisturbedRunDoes() throws {
        let seed = UInt32.random(in: .min ... .max)
        let options = ["--seed", String(seed), "--points", "6"] + Self.tasks.shuffled().prefix(3).flatMap { ["--task", $0] }
        let run = try ProgramRun.program(
            "/usr/bin/python3", [ProgramRun.root + "/Scripts/fault-sweep", "--program", ProgramRun.fichero] + options,
            environment: ["PYTHONDONTWRITEBYTECODE": "1"])
        #expect(run.status == 0 && run.output.contains("6 points, 0 wrong"), "\(options.joined(separator: " "))\n\(run.output)\(run.error)")
    }
}
