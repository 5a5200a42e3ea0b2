import ArgumentParser
import Foundation
import Model

/// The help of a command in the layout of the argument parser, which writes it in English only.
struct HelpText {
    let command: CommandDescription
    /// The names of the program, of the command and of those between them.
    let path: [String]
    /// The usage line, such as `fichero export [<options>] <name>`.
    let usage: String
    let words: HelpWords
    /// The width of the screen in columns.
    let columns: Int

    private static let labelColumn = 26

    /// - Parameters:
    ///   - english: the parser's help, which says what command it is about; nil if it is no help.
    ///   - words: the words of the language.
    init?(_ english: String, _ words: HelpWords, columns: Int) {
        guard let program = CommandDescription.program, english.hasPrefix("OVERVIEW: "),
            let start = english.range(of: "\nUSAGE: ")?.upperBound,
            let end = english[start...].range(of: "\n\n")?.lowerBound
        else { return nil }
        let usage = String(english[start..<end])
        let names = usage.split(separator: " ").dropFirst().map(String.init)
        let (command, depth) = program.command(at: names)
        self.command = command.translated(words)
        path = [program.commandName] + names.prefix(depth)
        self.usage = words.usage(usage)
        (self.words, self.columns) = (words, columns)
    }

    var text: String {
        let overview = [command.abstract, command.discussion].compactMap(\.self).filter { !$0.isEmpty }.joined(
            separator: "\n\n")
        var text = Self.wrapped(heading("Overview") + ": " + overview, to: columns) + "\n\n"
        text += heading("Usage") + ": " + usage + "\n\n"
        let sections = argumentSections + commandSections
        text += sections.filter { !$0.lines.isEmpty }.map { section in
            section.title.uppercased() + ":\n" + section.lines.joined()
        }.joined(separator: "\n")
        if command.subcommands != nil {
            let words = [path[0], "help"] + path.dropFirst() + [self.words.usage("<subcommand>")]
            text += "\n  " + heading("See '{value}' for detailed help.", words.joined(separator: " "))
        }
        return text
    }

    private struct Section {
        var title: String
        var lines: [String]
    }

    private var argumentSections: [Section] {
        let shown = (command.arguments ?? []).filter { $0.shouldDisplay != false }
        var titles: [String] = []
        for title in shown.compactMap(\.sectionTitle) where !titles.contains(title) { titles.append(title) }
        let untitled = shown.filter { $0.sectionTitle == nil }
        var sections = [
            Section(title: heading("Arguments"), lines: untitled.filter { $0.kind == "positional" }.map(line))
        ]
        sections += titles.map { title in
            Section(title: title, lines: shown.filter { $0.sectionTitle == title }.map(line))
        }
        return sections + [
            Section(title: heading("Options"), lines: untitled.filter { $0.kind != "positional" }.map(line))
        ]
    }

    /// The program's commands stand below the tasks of a person's work.
    private var commandSections: [Section] {
        let shown = (command.subcommands ?? []).filter { $0.commandName != "help" }
        guard path.count == 1 else { return [Section(title: heading("Subcommands"), lines: shown.map(line))] }
        return CommandTask.allCases.map { task in
            let names = task.group.subcommands.map { $0._commandName }
            return Section(
                title: heading(task.rawValue + " Subcommands"),
                lines: shown.filter { names.contains($0.commandName) }.map(line))
        }
    }

    private func line(_ subcommand: CommandDescription) -> String {
        let isDefault = subcommand.commandName == command.defaultSubcommand
        return line(
            subcommand.commandName + (isDefault ? " (\(heading("default")))" : ""), subcommand.abstract, nil)
    }

    private func line(_ argument: ArgumentDescription) -> String {
        var values: [String] = []
        if let all = argument.allValues?.filter({ !$0.isEmpty }), !all.isEmpty {
            values.append(heading("values") + ": " + all.joined(separator: ", "))
        }
        if let value = argument.defaultValue, !value.isEmpty { values.append(heading("default") + ": " + value) }
        let description = [argument.abstract, values.isEmpty ? nil : "(" + values.joined(separator: "; ") + ")"]
        return line(
            argument.typed, description.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " "),
            argument.discussion)
    }

    /// A label with its description in the second column, and a discussion below it.
    private func line(_ label: String, _ description: String?, _ discussion: String?) -> String {
        let label = "  " + label
        var text = label
        if let description, !description.isEmpty {
            let wrapped = Self.wrapped(description, to: columns, indent: Self.labelColumn)
            text += label.count < Self.labelColumn ? String(wrapped.dropFirst(label.count)) : "\n" + wrapped
        }
        text += "\n"
        if let discussion, !discussion.isEmpty { text += Self.wrapped(discussion, to: columns, indent: 8) + "\n" }
        return text
    }

    /// A word of the layout, which stands under `help.heading` or `help.word`.
    private func heading(_ english: String, _ value: String = "") -> String {
        let own = words.text(english)
        let isOverview = ["Overview", "Usage"].contains(english)
        return (isOverview ? own.uppercased() : own).replacing("{value}", with: value)
    }

    /// Breaks lines at blanks as the parser does.
    private static func wrapped(_ text: String, to columns: Int, indent: Int = 0) -> String {
        let width = max(columns - indent, 1)
        var lines: [Substring] = []
        var rest = text[...]
        while true {
            let chunk = rest.prefix(width)
            if let line = chunk.lastIndex(of: "\n") {
                lines += rest[..<line].split(separator: "\n", omittingEmptySubsequences: false)
                rest = rest[text.index(after: line)...]
            } else if chunk.endIndex != text.endIndex,
                let blank = chunk.lastIndex(of: " ") ?? rest.firstIndex(of: " ")
            {
                lines.append(rest[..<blank])
                rest = rest[text.index(after: blank)...]
            } else {
                lines.append(rest)
                break
            }
        }
        return lines.map { $0.isEmpty ? "" : String(repeating: " ", count: indent) + $0 }.joined(separator: "\n")
    }
}

/// A request for help, before the parser sees it. `--lang` may stand anywhere in it, and before any
/// command; the parser knows the option only behind a command.
struct HelpRequest {
    /// The arguments with `--lang` behind the command.
    let arguments: [String]
    /// The arguments that the parser understands.
    let parsed: [String]
    /// `--lang` with its value.
    let language: [String]

    init(_ stated: [String]) {
        var (rest, language) = (stated, [String]())
        if let index = stated.firstIndex(where: { $0 == "--lang" || $0.hasPrefix("--lang=") }) {
            let end = stated[index] == "--lang" ? min(index + 2, stated.count) : index + 1
            language = Array(stated[index..<end])
            rest.removeSubrange(index..<end)
        }
        self.language = language
        let isRequest = rest.isEmpty || rest.first == "help" || Self.requests.contains(rest[0])
        guard !isRequest else {
            (arguments, parsed) = (rest + language, rest)
            return
        }
        if stated[0].hasPrefix("--lang"), let program = CommandDescription.program {
            let depth = program.command(at: rest).depth
            arguments = depth > 0 ? rest[..<depth] + language + rest[depth...] : rest + language
        } else {
            arguments = stated
        }
        parsed = arguments
    }

    private static let requests = ["-h", "--help", "--version", "--experimental-dump-help"]

    /// The first word after `help` that is no command; nil if all are.
    var unknownCommand: [String]? {
        guard parsed.first == "help", let program = CommandDescription.program else { return nil }
        let words = parsed.dropFirst().filter { !$0.hasPrefix("-") }
        return program.command(at: words).depth < words.count ? Array(words) : nil
    }

    /// Writes the parser's answer to a request in the person's language. False if the answer is in
    /// English, or no help.
    func answer(_ english: String) -> Bool {
        guard english.hasPrefix("OVERVIEW: ") || english.hasPrefix("{") else { return false }
        let early = EarlyWords(EarlySetting(arguments))
        guard early.language != .english else { return false }
        let words = HelpWords(early.texts, early.language)
        if let help = HelpText(english, words, columns: Self.columns) {
            StandardOutput.write(help.text + "\n")
            return true
        }
        struct Document: Encodable { var command: CommandDescription }
        guard let program = CommandDescription.program else { return false }
        StandardOutput.write(JSONString.document(Document(command: program.translated(words))) + "\n")
        return true
    }

    /// The width of the terminal; 80 if there is none.
    private static var columns: Int {
        let stated = ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) }
        if let stated, stated > 0 { return stated }
        var size = winsize()
        return unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }
}
