import Foundation
import Model
import Packs

/// Checks one pack, compiles its queries, and runs its tests.
struct PackRound {
    private let options: CommonOptions
    private let pack: String
    private let onlyTexts: Bool

    /// - Parameter onlyTexts: whether only the texts are looked for that the pack lacks.
    init(_ options: CommonOptions, _ pack: String, onlyTexts: Bool = false) { (self.options, self.pack, self.onlyTexts) = (options, pack, onlyTexts) }

    struct Result: Encodable {
        var pack: String
        var version: String
        /// Mistakes, with file and line.
        var mistakes: [String]
        /// What is no mistake, and may not be meant.
        var advice: [String]
        var tests: [PackTrial.Verdict]
    }

    func run() throws {
        let (name, templates) = try place()
        if onlyTexts { return try showMissingTexts(of: name, templates) }
        let sound = try PackLoader.loadSound(name, from: templates, coreIn: TemplatesLocator.core(of: templates))
        let language = EarlySetting(CommandLine.arguments).language(of: sound.pack)
        // A part that needs a broken one repeats its mistakes.
        var mistakes = sound.broken.flatMap(\.failure.mistakes).reduce(into: [PackMistake]()) { if !$0.contains($1) { $0.append($1) } }
        let verdicts = try PackTrial.perform(sound.pack, options, templates: templates) { trial in
            mistakes += try trial.mistakes(in: PackLoader.queries(of: name, from: templates, coreIn: TemplatesLocator.core(of: templates)))
            return sound.pack.tests.map(trial.verdict(on:))
        }
        let result = Result(
            pack: name, version: sound.pack.version, mistakes: mistakes.map { $0.line(in: language) },
            advice: PackAdvice(pack: sound.pack, language: sound.pack.language(for: language)).lines, tests: verdicts)
        ResultOutput(isJSON: options.json, isQuiet: options.quiet).show(result, text: text(result))
        if !mistakes.isEmpty { throw CommandExit(exitCode: .badConfiguration) }
        if verdicts.contains(where: { !$0.faults.isEmpty }) { throw CommandExit(exitCode: .findings) }
    }

    /// Prints the texts that the pack lacks. Other mistakes come first, because they may hide some.
    private func showMissingTexts(of name: String, _ templates: URL) throws {
        do { _ = try PackLoader.load(name, from: templates, coreIn: TemplatesLocator.core(of: templates)) } catch {
            guard let missing = MissingTexts(error.mistakes) else { throw error }
            StandardOutput.write(missing.yaml)
        }
    }

    /// The pack's name, and the folder that it lies in with the core.
    private func place() throws -> (String, URL) {
        let folder = URL(fileURLWithPath: pack).standardizedFileURL
        if FileManager.default.fileExists(atPath: folder.appendingPathComponent("pack.yaml").path) {
            return (folder.lastPathComponent, folder.deletingLastPathComponent())
        }
        let variables = ProcessInfo.processInfo.environment
        let templates = try TemplatesLocator(option: options.templates, environment: variables, configured: Configuration.load(option: options.config, environment: variables).templates).locate()
        return (pack, templates)
    }

    private func text(_ result: Result) -> String {
        let head = [(result.mistakes.isEmpty ? "✓ " : "✗ ") + result.pack + " " + result.version] + result.mistakes.map { "  " + $0 } + result.advice.map { "  ! " + $0 }
        return (head + result.tests.flatMap { test in [(test.faults.isEmpty ? "✓ " : "✗ ") + test.test] + test.faults.map { "    " + $0 } }).joined(separator: "\n")
    }
}
