import Foundation

/// Runs the built program, or another one, as a person or cron would: a process with arguments, environment and a working directory.
struct ProgramRun {
    var status: Int32
    var output: String
    var error: String

    /// The built `fichero`, beside the test program.
    static var fichero: String {
        let test = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        var folder = URL(fileURLWithPath: test).deletingLastPathComponent()
        while folder.path != "/", !FileManager.default.isExecutableFile(atPath: folder.appendingPathComponent("fichero").path) {
            folder.deleteLastPathComponent()
        }
        return folder.appendingPathComponent("fichero").path
    }

    /// The top of the checkout.
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    @discardableResult
    static func fichero(_ arguments: [String], in directory: String, environment: [String: String] = [:]) throws -> ProgramRun {
        try program(fichero, arguments, in: directory, environment: environment)
    }

    @discardableResult
    static func program(
        _ path: String, _ arguments: [String], in directory: String? = nil, environment: [String: String] = [:]
    ) throws -> ProgramRun {
        let process = try start(path, arguments, in: directory, environment: environment)
        // Errors go to a file, so that no full pipe ever blocks the program while the other one is read.
        let output = process.output.fileHandleForReading.readDataToEndOfFile()
        process.process.waitUntilExit()
        return ProgramRun(
            status: process.process.terminationReason == .exit ? process.process.terminationStatus : 128 + process.process.terminationStatus,
            output: String(decoding: output, as: UTF8.self), error: (try? String(contentsOfFile: process.errorPath, encoding: .utf8)) ?? "")
    }

    static func start(
        _ path: String, _ arguments: [String], in directory: String?, environment: [String: String]
    ) throws -> (process: Process, output: Pipe, errorPath: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        if let directory { process.currentDirectoryURL = URL(fileURLWithPath: directory) }
        // A clean environment: what the machine's user has set must not change a test.
        var clean = ["PATH": "/usr/bin:/bin", "HOME": NSTemporaryDirectory(), "LANG": "C.UTF-8"]
        for (name, value) in environment { clean[name] = value }
        process.environment = clean
        let output = Pipe()
        process.standardOutput = output
        let errorPath = NSTemporaryDirectory() + "fichero-error-" + UUID().uuidString
        try Data().write(to: URL(fileURLWithPath: errorPath))
        process.standardError = FileHandle(forWritingAtPath: errorPath)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        return (process, output, errorPath)
    }
}
