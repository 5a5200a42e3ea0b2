import Foundation

/// Runs another program to its end. Tests let independent programs read what ours write.
package struct OtherProgram {
    /// The exit code. If a signal ended the program, it is 128 plus the number of the signal.
    package var status: Int32
    /// What the program printed, including its errors.
    package var text: String

    /// - Parameters:
    ///   - folder: its working directory.
    ///   - input: what it reads from standard input. It comes from a file, so that neither program
    ///     waits for the other.
    package static func run(_ program: String, _ arguments: [String], in folder: String? = nil, input: String? = nil) throws -> OtherProgram {
        if program == WarmPython.path, arguments.first == "-c" {
            let run = try WarmPython.run(arguments[1], Array(arguments[2...]), in: folder, input: input, isJoined: true)
            return OtherProgram(status: run.status, text: String(decoding: run.output, as: UTF8.self))
        }
        let place = try input.map { _ in try TemporaryFolder() }
        let source: StartedProgram.Input = if let input, let place { .file(try place.write(Array(input.utf8), to: "input")) } else { .nothing }
        let (ending, output) = try StartedProgram(program, arguments, in: folder, input: source).finish()
        return OtherProgram(status: ending.status, text: String(decoding: output, as: UTF8.self))
    }

    /// The SHA-256 of a file in hexadecimal digits, by coreutils.
    package static func sha256(_ path: String) throws -> String {
        String(try run("/usr/bin/sha256sum", ["--", path]).text.prefix { $0 != " " })
    }

    /// The complaints of `xmllint` about any part of an office document. The text is empty if all
    /// parts are well-formed.
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

    /// What a Python script prints, without the last line break.
    package static func python(_ script: String, _ arguments: String...) throws -> String {
        try run("/usr/bin/python3", ["-c", script] + arguments).text.trimmingCharacters(in: .newlines)
    }
}
