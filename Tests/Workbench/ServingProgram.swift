import Foundation
import Synchronization

/// A program that serves others while a test runs: it prints one line when it is ready, and ends
/// when its standard input does, so that none outlives the tests.
package final class ServingProgram: Sendable {
    /// What the program printed when it was ready.
    package let greeting: String
    private let program: StartedProgram
    /// One question is asked at a time.
    private let asking = Mutex(())

    /// Runs Python with these arguments.
    ///
    /// - Parameter errors: a file for what it complains about; nil: nobody reads it.
    package init(python arguments: [String], errors: String? = nil) throws {
        program = try StartedProgram("/usr/bin/python3", ["-B"] + arguments, input: .pipe, errors: errors ?? "/dev/null")
        greeting = try Self.line(of: program)
    }

    /// Writes a line to the program, and returns the line that it answers.
    package func ask(_ question: String) throws -> String {
        try asking.withLock { _ in
            try program.write(question + "\n")
            return try Self.line(of: program)
        }
    }

    private static func line(of program: StartedProgram) throws -> String {
        var line: [UInt8] = []
        while let byte = try program.output.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") { line.append(byte) }
        return String(decoding: line, as: UTF8.self)
    }
}
