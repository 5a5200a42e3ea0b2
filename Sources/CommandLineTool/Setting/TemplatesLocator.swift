import Foundation
import Model
import Packs
import Pipeline
import Replica

/// Finds the folder with the packs: named by an option, a variable or the configuration; else
/// beside the program or in the working directory. The packs are not in a resource bundle, which
/// would not be found after the program was moved.
struct TemplatesLocator {
    var option: String?
    var environment: [String: String]
    var configured: String?
    var executable: String
    var workingDirectory: String

    func locate() throws(SettingFailure) -> URL {
        if let stated = option ?? environment["FICHERO_TEMPLATES"] ?? configured {
            guard isTemplates(stated) || !PackLoader.names(in: URL(fileURLWithPath: stated)).isEmpty else {
                throw .templatesNotFound(tried: [stated])
            }
            return URL(fileURLWithPath: stated)
        }
        let candidates = self.candidates
        guard let found = candidates.first(where: isTemplates) else { throw .templatesNotFound(tried: candidates) }
        return URL(fileURLWithPath: found)
    }

    /// The program's folder of packs, if the given folder has no core pack and needs the program's.
    /// Nil if the given folder has a core, or if the program's cannot be found.
    func core(of templates: URL) -> URL? {
        isTemplates(templates.path) ? nil : candidates.first(where: isTemplates).map { URL(fileURLWithPath: $0) }
    }

    /// The source of a folder's packs. A given folder may be the one installed with the program. A
    /// folder found in the working directory counts as the office's.
    func source(of templates: URL) -> PackSource {
        let shipped = candidates.dropLast().first(where: isTemplates)
        if let shipped, FileName.real(shipped) == FileName.real(templates.path) { return .program }
        return isTemplates(templates.path) ? .officeWithCore : .office
    }

    /// The possible folders: beside the program, among an installation's shared files, in the
    /// checkout of the build, and in the working directory. Other parent folders are not searched,
    /// because their packs are not part of the program's release.
    private var candidates: [String] {
        let program = URL(fileURLWithPath: executable).resolvingSymlinksInPath().deletingLastPathComponent()
        var folders = [program.path, program.appendingPathComponent("../share/fichero").standardized.path]
        if let build = program.pathComponents.lastIndex(where: { $0.hasPrefix(".build") }), build > 1 {
            let checkout = "/" + program.pathComponents[1..<build].joined(separator: "/")
            if FileManager.default.fileExists(atPath: checkout + "/Package.swift") { folders.append(checkout) }
        }
        folders.append(workingDirectory)
        return folders.map { $0 == "/" ? "/Templates" : $0 + "/Templates" }
    }

    private func isTemplates(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: path + "/core")
    }
}

extension TemplatesLocator {
    static func core(of templates: URL) -> URL? {
        TemplatesLocator(option: nil, environment: [:], configured: nil).core(of: templates)
    }

    /// Makes a locator for this program in its working directory.
    init(option: String?, environment: [String: String], configured: String?) {
        self.init(
            option: option, environment: environment, configured: configured, executable: ProgramPath.current,
            workingDirectory: FileManager.default.currentDirectoryPath)
    }
}

/// The path of the program, so that files installed beside it can be found.
enum ProgramPath {
    static var current: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments.first
            ?? "fichero"
    }
}
