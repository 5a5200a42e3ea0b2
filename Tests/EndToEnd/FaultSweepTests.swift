import Foundation
import Testing

/// A random sample of the points that `Scripts/fault-sweep` tries. The message has the seed to
/// repeat it.
@Suite struct FaultSweepTests {
    @Test func aSampleOfPointsEndsAsAnUndisturbedRunDoes() throws {
        let seed = UInt32.random(in: .min ... .max)
        let run = try ProgramRun.program(
            "/usr/bin/python3", [ProgramRun.root + "/Scripts/fault-sweep", "--program", ProgramRun.fichero, "--seed", String(seed), "--points", "10"],
            environment: ["PYTHONDONTWRITEBYTECODE": "1"])
        #expect(run.status == 0 && run.output.contains("10 points, 0 wrong"), "--seed \(seed) --points 10\n\(run.output)\(run.error)")
    }
}
