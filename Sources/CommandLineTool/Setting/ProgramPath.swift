import Foundation

/// Where the program itself lies, so that what stands beside it can be found.
enum ProgramPath {
    static var current: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments.first ?? "fichero"
    }
}
