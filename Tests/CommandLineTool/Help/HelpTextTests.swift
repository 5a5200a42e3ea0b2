import ArgumentParser
import Foundation
import Model
import Testing
import Workbench

@testable import CommandLineTool

/// The help is written in English beside the commands, and translated by the core's texts.
@Suite struct HelpTextTests {
    private static let texts = (try? ShippedPack.named("ingeplus").texts) ?? Texts()

    /// Every command with its way from the program.
    private static let commands: [[any ParsableCommand.Type]] = {
        func all(_ type: any ParsableCommand.Type, _ parents: [any ParsableCommand.Type]) -> [[any ParsableCommand.Type]] {
            let path = parents + [type]
            return [path] + type.configuration.subcommands.flatMap { all($0, path) }
        }
        return all(Fichero.self, [])
    }()

    private static func names(_ path: [any ParsableCommand.Type]) -> [String] { path.dropFirst().map { $0._commandName } }

    @Test func theLayoutIsThatOfTheParser() throws {
        let words = HelpWords(Texts(), .english)
        for path in Self.commands {
            for columns in [60, 80, 132] {
                let english = Fichero.helpMessage(for: path[path.count - 1], columns: columns)
                let help = try #require(HelpText(english, words, columns: columns), "\(Self.names(path))")
                #expect(help.text == english, "\(Self.names(path)) \(columns)")
            }
        }
        #expect(Self.commands.count > 40)
    }

    @Test(arguments: [Language.spanish, .italian])
    func everySentenceOfTheHelpIsTranslated(language: Language) throws {
        let words = HelpWords(Self.texts, language)
        var missing: Set<String> = []
        func check(_ text: String?) { if let text, !words.knows(text) { missing.insert(text) } }
        func check(_ command: CommandDescription) {
            check(command.abstract)
            check(command.discussion)
            for argument in command.arguments ?? [] where argument.shouldDisplay != false {
                check(argument.abstract)
                check(argument.discussion)
                check(argument.sectionTitle)
                if let value = argument.valueName, argument.kind != "flag", !words.knows(value: value) { missing.insert(value) }
            }
            for subcommand in command.subcommands ?? [] { check(subcommand) }
        }
        check(try #require(CommandDescription.program))
        for task in CommandTask.allCases { check(task.rawValue + " Subcommands") }
        #expect(missing.isEmpty, "\(missing.sorted())")
    }

    /// What a command says against its arguments, in the sources.
    @Test(arguments: [Language.spanish, .italian])
    func everyMistakeOfACommandIsTranslated(language: Language) throws {
        let folder = ProjectFolder.root.appendingPathComponent("Sources/CommandLineTool/Commands")
        let words = HelpWords(Self.texts, language)
        var count = 0
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
            let source = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
            for match in source.matches(of: /ValidationError\(\s*"(?:""\n)?([\s\S]*?)"(?:"")?\s*\)/) {
                let sentence = String(match.output.1).replacing(/\s*\\\n\s*/) { _ in " " }.replacing(/\\\([^)]*\)/) { _ in "X" }
                    .trimmingCharacters(in: .whitespacesAndNewlines)
                #expect(words.text(sentence) != sentence, "\(file): \(sentence)")
                count += 1
            }
        }
        #expect(count > 40)
    }

    @Test func helpInSpanish() throws {
        let english = Fichero.helpMessage(for: ExportCommand.self, columns: 80)
        let help = try #require(HelpText(english, HelpWords(Self.texts, .spanish), columns: 80)).text
        #expect(help.hasPrefix("RESUMEN: Escribe archivos de datos: selecciona, valida, escribe, registra.\n"))
        for part in [
            "\nEjemplo: fichero export calicatas", "\nUSO: fichero export [<opciones>] <nombre>\n", "\nARGUMENTOS:\n  <nombre>", "\nSELECCIÓN:\n",
            "\nOPCIONES:\n", "--replica <archivo>", "never; por defecto: auto)\n", "  -h, --help              Muestra la ayuda.\n",
        ] {
            #expect(help.contains(part), "\(part)\n\(help)")
        }
        #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }
}
