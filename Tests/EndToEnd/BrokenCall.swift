import Foundation
import Testing
import Workbench

/// Runs a command in an office and breaks one of its calls that write. It needs no waiting, because
/// the call is chosen by its number.
///
/// `Tests/BreakingCalls` stands between the program and the C library and breaks the call.
struct BrokenCall {
    enum How: String {
        /// The process is killed at this call.
        case kill
        /// Only this call fails.
        case fault
        /// This call says that it wrote, and did not.
        case lost
        /// This call and all later ones find that the disk is full.
        case full
        /// The process gets a signal by which a person or the system ends it. The call itself
        /// works.
        case term, int, hup
    }

    /// A pattern that whole paths must match.
    let paths: String
    /// Some of the words `write sync truncate rename unlink link create`. Without a value, all of
    /// them are meant.
    var calls: String?

    /// Every call that writes in the office's folder.
    static func any(in office: Office) -> BrokenCall { BrokenCall(paths: office.folder + "/*") }

    private static let library = ProgramRun.built + "/libBreakingCalls.so"

    /// Counts such calls in an undisturbed run of the command.
    func count(_ arguments: [String], in office: Office) throws -> Int {
        let run = try run(arguments, in: office, at: 0, nil)
        try #require(run.ended.status == 0, "\(run.ended.error)")
        try #require(run.calls > 0, "nothing was written to \(paths)")
        return run.calls
    }

    /// Runs the command and breaks the call of this number, counted from 1.
    func run(_ arguments: [String], in office: Office, at number: Int, _ how: How) throws -> ProgramRun {
        let run = try run(arguments, in: office, at: number, Optional(how))
        try #require(run.calls >= number, "the run made only \(run.calls) such calls")
        return run.ended
    }

    /// Runs the command, stops it at the first such call, runs the closure, and lets the command
    /// continue.
    func runStopped(_ arguments: [String], in office: Office, _ meanwhile: (_ process: Int32) throws -> Void) throws -> ProgramRun {
        var environment = office.variables
        environment.merge(["LD_PRELOAD": Self.library, "BREAK_PATHS": paths, "BREAK_AT": "1", "BREAK_HOW": "stop"]) { _, new in new }
        environment["BREAK_CALLS"] = calls
        let running = try ProgramRun.start(ProgramRun.fichero, arguments, in: office.folder, environment: environment)
        // `waitid` reports a stopped process as well as an ended one.
        let process = running.process.processIdentifier
        var information = unsafe siginfo_t()
        while unsafe waitid(P_PID, id_t(process), &information, WSTOPPED | WEXITED | WNOWAIT) != 0, errno == EINTR {}
        try meanwhile(process)
        kill(process, SIGCONT)
        return running.finish()
    }

    /// The environment of a run whose call of this number is broken.
    func variables(at number: Int, _ how: How?) -> [String: String] {
        var variables = ["LD_PRELOAD": Self.library, "BREAK_PATHS": paths, "BREAK_AT": String(number)]
        variables["BREAK_CALLS"] = calls
        variables["BREAK_HOW"] = how?.rawValue
        return variables
    }

    private func run(_ arguments: [String], in office: Office, at number: Int, _ how: How?) throws -> (ended: ProgramRun, calls: Int) {
        try #require(FileManager.default.fileExists(atPath: Self.library))
        let folder = try TemporaryFolder()
        let counter = try folder.write("", to: "counter")
        try Data(count: 8).write(to: URL(fileURLWithPath: counter))
        var office = office
        office.environment.merge(variables(at: number, how)) { _, new in new }
        office.environment["BREAK_COUNTER"] = counter
        let ended = try office.run(arguments)
        let calls = try Data(contentsOf: URL(fileURLWithPath: counter)).enumerated().reduce(0) { $0 | Int($1.element) << (8 * $1.offset) }
        return (ended, calls)
    }
}
