import Foundation

/// A program of a test that replaces another one: a shell script under the other's name.
///
/// Linux runs no file that anybody has open for writing ("Text file busy"), and a child that another test starts holds, for a moment, all that is open here.
/// So the program that runs is a file of the repository that nobody writes, reached by a link. A text beside the link says what it does.
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
