import Foundation
import Testing
import Workbench

/// What a newcomer reads in the README and in the documents can be run, and prints what is written there.
@Suite struct ReadmeTests {
    private static func text(_ name: String) throws -> String {
        try String(contentsOfFile: ProgramRun.root + "/" + name, encoding: .utf8)
    }

    /// A command of the transcript with the output that follows it.
    private struct Step {
        var command: String
        var output: String
    }

    private static func transcript() throws -> [Step] {
        let readme = try text("README.md")
        let block = try #require(readme.components(separatedBy: "```console\n").dropFirst().first?.components(separatedBy: "```").first)
        return block.components(separatedBy: "$ ").dropFirst().map { part in
            let lines = part.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            return Step(command: String(lines[0]), output: lines.count > 1 ? String(lines[1]).trimmingCharacters(in: .newlines) : "")
        }
    }

    @Test func theTranscriptIsTrue() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(atPath: folder.file("Samples"), withDestinationPath: ProgramRun.root + "/Samples")
        let variables = ["FICHERO_LANG": "en", "FICHERO_TEMPLATES": ProgramRun.root + "/Templates"]
        let steps = try Self.transcript()
        #expect(steps.count >= 5)
        for step in steps {
            let words = Self.words(step.command)
            #expect(words.first == "fichero")
            let result = try ProgramRun.fichero(Array(words.dropFirst()), in: folder.path, environment: variables)
            #expect(result.status == 0, "\(step.command): \(result.error)")
            #expect(Self.masked(result.output.trimmingCharacters(in: .newlines)) == Self.masked(step.output), "\(step.command)")
        }
    }

    /// The words of a command, those in quotes together.
    private static func words(_ command: String) -> [String] {
        command.components(separatedBy: "\"").enumerated().flatMap { index, part in
            index % 2 == 1 ? [part] : part.split(separator: " ").map(String.init)
        }
    }

    /// A text without the ids that are new each time.
    private static func masked(_ text: String) -> String {
        text.replacing(/(fichero undo |Taken back: edit \()[0-9a-f-]{8,36}/) { String($0.output.1) + "…" }
    }

    @Test func everyLinkLeadsToAFile() throws {
        for name in ["README.md", "Docs/README.md", "Docs/decisions/README.md"] {
            let folder = URL(fileURLWithPath: ProgramRun.root + "/" + name).deletingLastPathComponent().path
            for part in try Self.text(name).components(separatedBy: "](").dropFirst() {
                let target = String(part.prefix { $0 != ")" })
                guard !target.hasPrefix("http") else { continue }
                #expect(FileManager.default.fileExists(atPath: folder + "/" + target), "\(name): \(target)")
            }
        }
    }

    /// The commands by their names, as the program describes itself, with what their help says.
    private static func commands() throws -> [String: String] {
        let described = try ProgramRun.fichero(["--experimental-dump-help"], in: "/tmp")
        let root = try #require(try JSONSerialization.jsonObject(with: Data(described.output.utf8)) as? [String: Any])
        let commands = (root["command"] as? [String: Any])?["subcommands"] as? [[String: Any]] ?? []
        return Dictionary(uniqueKeysWithValues: commands.map { ($0["commandName"] as? String ?? "", $0["discussion"] as? String ?? "") })
            .filter { $0.key != "help" }
    }

    @Test func everyCommandIsAFileHasAnExampleAndAManPage() throws {
        let commands = try Self.commands()
        let files = try FileManager.default.contentsOfDirectory(atPath: ProgramRun.root + "/Sources/CommandLineTool/Commands").filter { $0.hasSuffix("Command.swift") }
        #expect(Set(files.map { $0.dropLast("Command.swift".count).lowercased() }) == Set(commands.keys))
        for (command, help) in commands {
            #expect(help.contains("Example"), "\(command)")
            #expect(FileManager.default.fileExists(atPath: ProgramRun.root + "/Docs/man/fichero-\(command).1"), "\(command): run Scripts/make-man")
        }
        let help = try ProgramRun.fichero(["--help"], in: "/tmp").output
        for command in commands.keys { #expect(help.contains("\n  \(command) "), "\(command)") }
    }

    @Test func everyCommandThatTheReadmeNamesIsThere() throws {
        let commands = try Self.commands()
        let lines = try Self.text("README.md").components(separatedBy: "| task | command |").last?.components(separatedBy: "\n\n").first?.split(separator: "\n") ?? []
        let named = lines.compactMap { line in line.split(separator: "|").dropFirst().first }.flatMap { $0.matches(of: /`(?:fichero )?([a-z]+)`/).map { String($0.output.1) } }
        #expect(named.count > 15)
        for command in named { #expect(commands[command] != nil, "\(command)") }
    }

    /// The README's lines for an installation, into another folder than the machine's own and with the program that is built already.
    @Test func theInstalledProgramFindsWhatItNeeds() throws {
        let place = try TemporaryFolder()
        let folder = place.path
        let lines = try #require(Self.text("README.md").components(separatedBy: "## Install").last?.components(separatedBy: "```sh\n").dropFirst().first?
            .components(separatedBy: "```").first).split(separator: "\n").map(String.init)
        #expect(lines.first == "swift build -c release --product fichero")
        let script = lines.dropFirst().joined(separator: "\n").replacing(".build/release/fichero", with: ProgramRun.fichero)
            .replacing("/usr/local", with: folder).replacing("/etc/bash_completion.d", with: folder)
            .replacing("\nfichero ", with: "\n\(folder)/bin/fichero ")
        #expect(!script.contains("/usr/") && !script.contains("/etc/"))
        let installed = try ProgramRun.program("/bin/sh", ["-euc", script], in: ProgramRun.root)
        #expect(installed.status == 0, "\(installed.error)")
        for name in ["fichero", "share/man/man1/fichero.1", "share/fichero/Templates/ingeplus/pack.yaml"] {
            #expect(FileManager.default.fileExists(atPath: folder + "/" + name), "\(name)")
        }
        // Away from the checkout and without a setting, it finds its templates beside itself.
        let run = try ProgramRun.program(folder + "/bin/fichero", ["describe", "ingeplus", "--lang", "en"], in: "/")
        #expect(run.status == 0 && run.output.contains("ingeplus"), "\(run.error)")
    }

    @Test(arguments: ["bash", "zsh", "fish"]) func completionIsMade(shell: String) throws {
        let script = try ProgramRun.fichero(["--generate-completion-script", shell], in: "/tmp")
        #expect(script.status == 0)
        #expect(script.output.contains("export"))
    }

    @Test func manPagesAreThoseOfThisProgram() throws {
        let place = try TemporaryFolder()
        let folder = place.file("man")
        let made = try ProgramRun.program("/usr/bin/python3", [ProgramRun.root + "/Scripts/make-man", ProgramRun.fichero, folder])
        #expect(made.status == 0, "\(made.error)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(names.count >= 11)
        #expect(try FileManager.default.contentsOfDirectory(atPath: ProgramRun.root + "/Docs/man").sorted() == names)
        for name in names {
            #expect(
                FileManager.default.contentsEqual(atPath: folder + "/" + name, andPath: ProgramRun.root + "/Docs/man/" + name),
                "\(name): run Scripts/make-man")
        }
    }
}
