import Foundation
import Testing

@testable import Model
@testable import Pipeline

/// A watch goes on through what passes by itself, and ends with everything else.
@Suite struct SyncWatchTests {
    /// What a watch did until it ended.
    private struct Course {
        var rounds = 0
        var told: [Model.ExitCode] = []
        var rests = 0
        var end: (any Error)?
    }

    /// Runs a watch whose rounds fail in this order (nil: the round is done); a signal comes after
    /// the last one.
    private func course(_ failures: [(any Error)?]) -> Course {
        var course = Course()
        do {
            try SyncWatch {
                defer { course.rounds += 1 }
                if let failure = failures[course.rounds] { throw failure }
            } tell: {
                course.told.append($0.exitCode)
            } rest: {
                course.rests += 1
                if course.rounds == failures.count { throw RunStopped(signal: SIGTERM) }
            }.run()
        } catch { course.end = error }
        return course
    }

    @Test func aServerThatIsAwayAndABusyReplicaAreMetAgain() {
        let course = course([nil, Trouble(exitCode: .unavailable), Trouble(exitCode: .busy), nil])
        #expect(course.rounds == 4 && course.rests == 4)
        #expect(course.told == [.unavailable, .busy])
        #expect(course.end as? RunStopped == RunStopped(signal: SIGTERM))
    }

    @Test(arguments: [Model.ExitCode.notPermitted, .badConfiguration, .usage, .internalError, .inputOutput, .badInput])
    func whatDoesNotPassEndsIt(_ code: Model.ExitCode) {
        let course = course([nil, Trouble(exitCode: code), nil])
        #expect(course.rounds == 2 && course.rests == 1 && course.told.isEmpty)
        #expect(course.end as? Trouble == Trouble(exitCode: code))
    }

    @Test func whatNobodyForesawAndASignalWithinARoundEndIt() {
        for error in [CocoaError(.fileReadUnknown), RunStopped(signal: SIGINT)] as [any Error] {
            let course = course([error, nil])
            #expect(course.rounds == 1 && course.rests == 0 && course.told.isEmpty && course.end != nil)
        }
    }
}
