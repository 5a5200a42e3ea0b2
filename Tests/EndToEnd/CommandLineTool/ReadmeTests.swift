import Foundation
import Testing
import Workbench

/// A newcomer can run every command of the README and of the documents, and it prints what is
/// written there.
@Suite struct ReadmeTests {
    private static func text(_ name: String) throws -> String {
        try String(contentsOfFile: ProgramRun.root + "/" + name, encoding: .utf8)
    }

    /// A command of the transcript, and the output that follows it.
    struct Step {
        var command: String
        var output: String
    }

    /// The commands of the first transcript of a text.
    static func transcript(of text: String) throws -> [Step] {
        let block = try #require(text.components(separatedBy: "```console\n").dropFirst().first?.components(separatedBy: "```").first)
        return block.components(separatedBy: "$ ").dropFirst().map { part in
            let lines = part.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            return Step(command: String(lines[0]), output: lines.count > 1 ? String(lines[1]).trimmingCharacters(in: .newlines) : "")
        }
    }

    @Test func theTranscriptIsTrue() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(atPath: folder.file("Samples"), withDestinationPath: ProgramRun.root + "/Samples")
        let variables = ["FICHERO_LANG": "en", "FICHERO_TEMPLATES": ProgramRun.root + "/Templates"]
        let readme = try Self.text("README.md")
        let steps = try Self.transcript(of: readme)
        #expect(steps.count >= 5)
        for step in steps {
            let words = Self.words(step.command)
            #expect(words.first == "fichero")
            let result = try ProgramRun.fichero(Array(words.dropFirst()), in: folder.path, environment: variables)
            #expect(result.status == 0, "\(step.command): \(result.error)")
            #expect(Self.masked(result.output.trimmingCharacters(in: .newlines)) == Self.masked(step.output), "\(step.command)")
        }
        // The README names the sheets of the workbook that came out, in their order.
        let listed = try ProgramRun.program("/bin/bash", ["-c", "unzip -p out/HYO-2025/calicatas-*.xlsx xl/workbook.xml"], in: folder.path).output
        let sheets = listed.matches(of: /<sheet name="([^"]+)"/).map { String($0.output.1) }
        #expect(sheets.count > 5)
        let named = "the sheets " + sheets.dropFirst().dropLast().joined(separator: ", ") + " and " + (sheets.last ?? "")
        #expect(readme.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(named), "\(sheets)")
    }

    /// The words of a command. Words in quotes stay together.
    static func words(_ command: String) -> [String] {
        command.components(separatedBy: "\"").enumerated().flatMap { index, part in
            index % 2 == 1 ? [part] : part.split(separator: " ").map(String.init)
        }
    }

    /// A text without the ids that are new each time.
    private static func masked(_ text: String) -> String {
        text.replacing(/(fichero undo |Taken back: edit \()[0-9a-f-]{8,36}/) { String($0.output.1) + "…" }
    }

    /// The commands by their names, as the program describes itself, each with its help.
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

    /// Installs the program as the README says, but the one that is already built, and into a
    /// temporary folder.
    @Test func theInstalledProgramFindsWhatItNeeds() throws {
        let lines = try #require(Self.text("README.md").components(separatedBy: "## Install").last?.components(separatedBy: "```sh\n").dropFirst().first?
            .components(separatedBy: "```").first).split(separator: "\n").map { $0.prefix { $0 != "#" }.trimmingCharacters(in: .whitespaces) }
        #expect(lines == ["Scripts/release", "sudo apt install ./out/release/fichero_*.deb"])
        let place = try TemporaryFolder()
        let made = try ProgramRun.program(ProgramRun.root + "/Scripts/release", [ProgramRun.fichero, place.path], environment: ["PATH": Self.path])
        try #require(made.status == 0, "\(made.error)")
        let package = made.output.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(package.wholeMatch(of: /.*\/fichero_[0-9.]+_[a-z0-9]+\.deb/) != nil && package.hasPrefix(place.path), "\(package)")

        let needed = try ProgramRun.program("/usr/bin/dpkg-deb", ["-f", package, "Depends"]).output
        let names = Set(needed.split(separator: ",").compactMap { $0.split(separator: " ").first?.trimmingCharacters(in: .whitespacesAndNewlines) })
        #expect(names.isSuperset(of: ["libc6", "libsqlite3-0", "libxlsxwriter4", "libxml2"]), "\(needed)")
        // The package depends on the libraries that the program loads and on the fonts with which
        // it draws.
        let installs = try Self.text("Scripts/install-packages")
        let fonts = Set(installs.matches(of: /fonts-[a-z-]+/).map { String($0.output) })
        #expect(fonts.count == 2 && names.isSuperset(of: fonts), "\(needed)")

        #expect(try ProgramRun.program("/usr/bin/dpkg-deb", ["-x", package, place.file("installed")]).status == 0)
        let folder = place.file("installed/usr")
        for name in ["bin/fichero", "share/man/man1/fichero.1.gz", "share/fichero/Templates/ingeplus/pack.yaml", "share/bash-completion/completions/fichero"] {
            #expect(FileManager.default.fileExists(atPath: folder + "/" + name), "\(name)")
        }
        // Outside the checkout and without a setting, the program finds its templates beside
        // itself.
        let run = try ProgramRun.program(folder + "/bin/fichero", ["describe", "ingeplus", "--lang", "en"], in: "/")
        #expect(run.status == 0 && run.output.contains("ingeplus"), "\(run.error)")
        // The package has its packs already parsed, so a user's first command stores none.
        let begun = try ProgramRun.program(
            folder + "/bin/fichero", ["init", "--pack", "ingeplus", "--admin", "admin@example.pe"], in: place.path,
            environment: ["XDG_CACHE_HOME": place.file("cache")])
        #expect(begun.status == 0 && !FileManager.default.fileExists(atPath: place.file("cache")), "\(begun.error)")
    }

    /// Where this process finds programs, including the toolchain.
    private static var path: String { ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin" }

    @Test(arguments: [("bash", "complete -o filenames -F _fichero fichero"), ("zsh", "#compdef fichero"), ("fish", "complete -c 'fichero'")])
    func completionNamesEveryCommand(shell: String, line: String) throws {
        let script = try ProgramRun.fichero(["--generate-completion-script", shell], in: "/tmp")
        #expect(script.status == 0 && script.output.contains(line))
        let words = Set(script.output.split { !$0.isLetter && $0 != "-" && $0 != "_" }.map(String.init))
        for command in try Self.commands().keys { #expect(words.contains(command), "\(command)") }
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
