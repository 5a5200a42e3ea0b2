import Foundation
import Model
import Packs
import Replica

/// Checks packs, configuration and replica, one after the other, and reports the result of each.
struct DoctorRound {
    private let options: CommonOptions

    init(_ options: CommonOptions) {
        self.options = options
    }

    struct Result: Encodable {
        var packs: [String]
        /// Broken parts of packs, each with its first mistake.
        var broken: [String]
        var checks: [DoctorCheck]
    }

    func run() throws {
        let variables = ProcessInfo.processInfo.environment
        let configuration = try Configuration.load(option: options.config, environment: variables)
        let templates = try TemplatesLocator(option: options.templates, environment: variables, configured: configuration.templates).locate()
        let kept = KeptPacks(variables, program: ProgramVersion.build, templates: templates)
        let sound = try PackLoader.names(in: templates).map { name in
            try PackLoader.loadSound(name, from: templates, coreIn: TemplatesLocator.core(of: templates), kept: kept)
        }
        let packs = sound.map(\.pack)
        var broken = sound.flatMap { pack in pack.broken.map { "\(pack.pack.name)/\($0.kind.rawValue)/\($0.name): \($0.failure.mistakes.first?.line(in: language(of: pack.pack)) ?? "")" } }
        for pack in packs {
            let mistakes = try PackTrial.perform(pack, options, templates: templates) { try $0.mistakes(in: PackLoader.queries(of: pack.name, from: templates, coreIn: TemplatesLocator.core(of: templates))) }
            broken += mistakes.map { $0.line(in: language(of: pack)) }
        }
        let path = options.replica ?? configuration.replica ?? "fichero.db"
        guard FileManager.default.fileExists(atPath: path) else {
            let output = ResultOutput(isJSON: options.json, isQuiet: options.quiet)
            output.show(Result(packs: packs.map(\.name), broken: broken, checks: []), text: text(packs, broken).joined(separator: "\n"))
            if !broken.isEmpty { throw CommandExit(exitCode: .badConfiguration) }
            return
        }
        let name = try Replica.packName(at: path)
        guard let pack = packs.first(where: { $0.name == name }) else {
            throw SettingFailure.templatesNotFound(tried: [templates.path + "/" + name])
        }
        let session = try CommandSession.new(options, packName: name)
        let left = Leftovers(replicaPath: FileName.real(path)).found
        let checks = Replica.doctor(at: path, pack: pack, source: session.packSource) + [
            DoctorCheck("REPLICA-LEFTOVERS", left.isEmpty ? .ok : .warning, left.isEmpty ? [:] : ["paths": left.joined(separator: ", ")]),
            KeptReplaced(session).check(),
        ]
        session.output.show(Result(packs: packs.map(\.name), broken: broken, checks: checks), text: text(packs, broken, checks, session))
        let isSick = checks.contains { $0.state == .error }
        if isSick { throw CommandExit(exitCode: .badInput) }
        if !broken.isEmpty { throw CommandExit(exitCode: .badConfiguration) }
    }

    private func language(of pack: Pack) -> Language { EarlySetting(CommandLine.arguments).language(of: pack) }

    private func text(_ packs: [Pack], _ broken: [String]) -> [String] {
        packs.map { "✓ Templates/\($0.name) \($0.version)" } + broken.map { "✗ Templates/" + $0 }
    }

    private func text(_ packs: [Pack], _ broken: [String], _ checks: [DoctorCheck], _ session: CommandSession) -> String {
        var lines = text(packs, broken)
        for check in checks {
            let mark = switch check.state {
            case .ok: "✓"
            case .warning: "!"
            case .error: "✗"
            }
            let words = session.pack.texts.textIfAny("doctor.\(check.code).\(check.state.rawValue)", in: session.language)
                ?? session.pack.texts.textIfAny("error.\(check.code).message", in: session.language)
            let facts = check.arguments.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
            lines.append("\(mark) \(check.code)  " + (words.map { Texts.fill($0, with: check.arguments) } ?? facts))
        }
        if broken.isEmpty, !checks.contains(where: { $0.state != .ok }) { lines.append(session.text("cli.doctor.ok")) }
        return lines.joined(separator: "\n")
    }
}
