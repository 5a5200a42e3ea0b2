import Foundation

/// Another program, run until it ends: tests let independent programs read what ours write.
package struct OtherProgram {
    package var status: Int32
    /// What it printed, its errors too.
    package var text: String

    package static func run(_ program: String, _ arguments: [String]) throws -> OtherProgram {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return OtherProgram(status: process.terminationStatus, text: String(decoding: output, as: UTF8.self))
    }

    /// The SHA-256 of a file, by coreutils, in hexadecimal digits.
    package static func sha256(_ path: String) throws -> String {
        String(try run("/usr/bin/sha256sum", ["--", path]).text.prefix { $0 != " " })
    }

    /// What `xmllint` complains about in any part of an office document; empty when all are well-formed.
    package static func malformedParts(of path: String) throws -> String {
        try python(
            """
            import sys, zipfile, subprocess
            z = zipfile.ZipFile(sys.argv[1])
            assert z.testzip() is None
            for n in z.namelist():
                if n.startswith('xl/media/'): continue
                r = subprocess.run(['xmllint', '--noout', '-'], input=z.read(n), capture_output=True)
                if r.returncode: print(n, r.stderr.decode()[:300])
            """, path)
    }

    /// What a script of Python prints, without the last line break.
    package static func python(_ script: String, _ arguments: String...) throws -> String {
        try run("/usr/bin/python3", ["-c", script] + arguments).text.trimmingCharacters(in: .newlines)
    }
}
