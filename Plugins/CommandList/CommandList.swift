import Foundation
import PackagePlugin

/// Writes the list of the program's commands, which Swift cannot make by itself: a file `NameCommand.swift` holds the command `NameCommand`.
@main struct CommandList: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let sources = target.sourceModule?.sourceFiles(withSuffix: "Command.swift") else { return [] }
        let names = sources.map { $0.url.deletingPathExtension().lastPathComponent }.sorted()
        let folder = context.pluginWorkDirectoryURL.appending(path: "List")
        let list = """
            enum CommandList {
                static let all: [any FicheroCommand.Type] = [
            \(names.map { "        \($0).self," }.joined(separator: "\n"))
                ]
            }

            """
        let file = folder.appending(path: "CommandList.swift")
        // Written anew only when it changes, so that nothing is compiled again.
        if (try? String(contentsOf: file, encoding: .utf8)) != list {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try list.write(to: file, atomically: true, encoding: .utf8)
        }
        return [
            .prebuildCommand(displayName: "Listing the commands", executable: URL(filePath: "/bin/true"), arguments: [], outputFilesDirectory: folder)
        ]
    }
}
