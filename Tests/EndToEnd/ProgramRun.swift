import Foundation
import Workbench

/// Runs the built program, or another one, as a person or cron would: as a process with arguments,
/// an environment and a working directory.
struct ProgramRun {
    var status: Int32
    var output: String
    var error: String

    /// The program `fichero` under test. `FICHERO_PROGRAM` may name it, for example a release
    /// build. Otherwise it is the one beside the test program.
    static let fichero = ProcessInfo.processInfo.environment["FICHERO_PROGRAM"] ?? built + "/fichero"

    /// The folder that has the test program and everything that was built with it.
    static let built: String = {
        let test = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        var folder = URL(fileURLWithPath: test).deletingLastPathComponent()
        while folder.path != "/", !FileManager.default.isExecutableFile(atPath: folder.appendingPathComponent("fichero").path) {
            folder.deleteLastPathComponent()
        }
        return folder.path
    }()

    /// The top folder of the checkout.
    static let root = ProjectFolder.root.path

    @discardableResult
    static func fichero(_ arguments: [String], in directory: String, environment: [String: String] = [:]) throws -> ProgramRun {
        try program(fichero, arguments, in: directory, environment: environment)
    }

    @discardableResult
    static func program(
        _ path: String, _ arguments: [String], in directory: String? = nil, environment: [String: String] = [:]
    ) throws -> ProgramRun {
        if path == WarmPython.path, arguments.first == "-c" {
            let run = try WarmPython.run(
                arguments[1], Array(arguments[2...]), in: directory, environment: clean(environment), isJoined: false)
            return ProgramRun(
                status: run.status, output: String(decoding: run.output, as: UTF8.self),
                error: String(decoding: run.errors, as: UTF8.self))
        }
        return try start(path, arguments, in: directory, environment: environment).finish()
    }

    /// The environment is clean, so that settings of the machine's user do not change a test.
    private static func clean(_ own: [String: String]) -> [String: String] {
        var clean = [
            "PATH": "/usr/bin:/bin", "HOME": NSTemporaryDirectory(), "LANG": "C.UTF-8",
            "XDG_CACHE_HOME": root + "/.build/test-cache",
        ]
        // `Scripts/test --coverage` counts what the program runs.
        clean["LLVM_PROFILE_FILE"] = ProcessInfo.processInfo.environment["FICHERO_PROFILE"]
        return clean.merging(own) { $1 }
    }

    /// A program that may still be running.
    struct Running {
        let process: StartedProgram
        /// Errors go to a file. So the program never waits for a full pipe while the test reads the
        /// other one.
        fileprivate let errors: TemporaryFolder

        /// The errors that it has printed so far.
        var error: String { (try? errors.text(of: "errors")) ?? "" }

        /// What it printed from now on, and how it ended.
        func finish() -> ProgramRun {
            let (ending, output) = process.finish()
            return ProgramRun(status: ending.status, output: String(decoding: output, as: UTF8.self), error: error)
        }
    }

    static func start(
        _ path: String, _ arguments: [String], in directory: String?, environment: [String: String]
    ) throws -> Running {
        let errors = try TemporaryFolder()
        let process = try StartedProgram(
            path, arguments, in: directory, environment: clean(environment), errors: errors.file("errors"))
        return Running(process: process, errors: errors)
    }
}
