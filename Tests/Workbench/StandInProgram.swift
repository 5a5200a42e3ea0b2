import Foundation

/// A shell script of a test that replaces another program and has its name.
///
/// Linux does not run a file that anybody has open for writing ("Text file busy"). A child process
/// of another test may have it open for a moment. So the program is a file of the repository, which
/// nobody writes, and the test makes a link to it. A text beside the link says what it does.
package enum StandInProgram {
    private static let program = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("stand-in").path

    package static func install(_ name: String, _ script: String, in folder: String) throws {
        let path = folder + "/" + name
        try Data(script.utf8).write(to: URL(fileURLWithPath: path + ".sh"))
        if !FileManager.default.fileExists(atPath: path) {
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: program)
        }
    }
}
