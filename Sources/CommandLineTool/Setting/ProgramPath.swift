import Foundation

/// The path of the program, so that files installed beside it can be found.
enum ProgramPath {
    static var current: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments.first ?? "fichero"
    }
}
