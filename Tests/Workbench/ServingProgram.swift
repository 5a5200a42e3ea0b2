import Foundation

/// A program that serves others while a test runs: it prints one line when it is ready, and ends
/// when its standard input does, so that none outlives the tests.
package final class ServingProgram {
    /// What the program printed when it was ready.
    package let greeting: String
    private let process = Process()
    private let input = Pipe()

    /// Runs Python with these arguments.
    ///
    /// - Parameter errors: a file for what it complains about; nil: nobody reads it.
    package init(python arguments: [String], errors: String? = nil) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-B"] + arguments
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        process.standardError = try errors.map { try FileHandle(forWritingTo: URL(fileURLWithPath: $0)) } ?? .nullDevice
        try process.run()
        var line: [UInt8] = []
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") { line.append(byte) }
        greeting = String(decoding: line, as: UTF8.self)
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.terminate()
        process.waitUntilExit()
    }
}
