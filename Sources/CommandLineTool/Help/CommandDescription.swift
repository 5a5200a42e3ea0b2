import ArgumentParser
import Foundation
import Model

/// A command with its arguments and subcommands, as the argument parser describes it.
struct CommandDescription: Codable {
    var commandName: String
    var abstract: String?
    var discussion: String?
    var defaultSubcommand: String?
    var subcommands: [CommandDescription]?
    var arguments: [ArgumentDescription]?

    /// The program itself, with all commands.
    static let program: CommandDescription? = {
        struct Document: Decodable { var command: CommandDescription }
        return try? JSONDecoder().decode(Document.self, from: Data(Fichero._dumpHelp().utf8)).command
    }()

    /// The names of the subcommands, without `help`.
    var subcommandNames: [String] { (subcommands ?? []).map(\.commandName).filter { $0 != "help" } }

    /// The long names of the options, without dashes.
    var optionNames: [String] {
        (arguments ?? []).filter { $0.shouldDisplay != false }.flatMap { $0.names ?? [] }
            .filter { $0.kind == "long" }.map(\.name)
    }

    /// The command to which words lead, and the number of words on the way to it.
    func command(at words: some Sequence<String>) -> (command: CommandDescription, depth: Int) {
        var (command, depth) = (self, 0)
        for word in words {
            guard let next = command.subcommands?.first(where: { $0.commandName == word }) else { break }
            (command, depth) = (next, depth + 1)
        }
        return (command, depth)
    }

    /// The same command in another language.
    func translated(_ words: HelpWords) -> CommandDescription {
        var copy = self
        copy.abstract = abstract.map(words.text)
        copy.discussion = discussion.map(words.text)
        copy.arguments = arguments?.map { $0.translated(words) }
        copy.subcommands = subcommands?.map { $0.translated(words) }
        return copy
    }
}

/// An option, a flag or a positional argument of a command.
struct ArgumentDescription: Codable {
    struct Name: Codable {
        /// `long` or `short`.
        var kind: String
        var name: String

        var typed: String { (kind == "short" ? "-" : "--") + name }
    }

    /// `option`, `flag` or `positional`.
    var kind: String
    var names: [Name]?
    var valueName: String?
    var isOptional: Bool?
    var shouldDisplay: Bool?
    var sectionTitle: String?
    var abstract: String?
    var discussion: String?
    var defaultValue: String?
    var allValues: [String]?

    /// The argument as it is typed: `-o, --output-dir <dir>`.
    var typed: String {
        let names = (names ?? []).filter { $0.kind == "short" } + (names ?? []).filter { $0.kind != "short" }
        let value = kind == "flag" ? nil : valueName.map { "<\($0)>" }
        return [names.isEmpty ? nil : names.map(\.typed).joined(separator: ", "), value].compactMap(\.self).joined(
            separator: " ")
    }

    func translated(_ words: HelpWords) -> ArgumentDescription {
        var copy = self
        copy.abstract = abstract.map(words.text)
        copy.discussion = discussion.map(words.text)
        copy.sectionTitle = sectionTitle.map(words.text)
        copy.valueName = valueName.map(words.value)
        return copy
    }
}

/// The words of the help in one language. Beside the commands, the help is written in English. The
/// core has each of its sentences in every language, under keys `help.…`; the English sentence
/// finds the others, so that a sentence used by many commands is translated once.
struct HelpWords {
    let texts: Texts
    let language: Language
    private var sentences: [String: String] = [:]
    private var values: [String: String] = [:]
    /// Sentences that quote a value, divided at `{value}`.
    private var patterns: [(start: String, end: String, translated: String)] = []

    init(_ texts: Texts, _ language: Language) {
        (self.texts, self.language) = (texts, language)
        for key in texts.keys(in: .english) where key.hasPrefix("help.") {
            guard let english = texts.textIfAny(key, in: .english), let own = texts.textIfAny(key, in: language) else {
                continue
            }
            if key.hasPrefix("help.value.") {
                values[english] = own
            } else if let place = english.range(of: "{value}") {
                patterns.append((String(english[..<place.lowerBound]), String(english[place.upperBound...]), own))
            } else {
                sentences[english] = own
            }
        }
    }

    /// Whether every sentence of a text has a translation. Commands in examples need none.
    func knows(_ english: String) -> Bool {
        english.components(separatedBy: "\n").allSatisfy { line in
            line.isEmpty || line.hasPrefix("  fichero ") || line.hasPrefix("Example: ") || sentences[line] != nil
        }
    }

    func knows(value: String) -> Bool { values[value] != nil }

    /// A text of one or more lines; lines without a translation remain English.
    func text(_ english: String) -> String {
        english.components(separatedBy: "\n").map(line).joined(separator: "\n")
    }

    /// The name of an option's value, such as `file`.
    func value(_ english: String) -> String { values[english] ?? english }

    /// A usage line with the names of values translated: `fichero export [<options>] <name>`.
    func usage(_ english: String) -> String {
        english.replacing(/<([^<>]+)>/) { "<\(value(String($0.output.1)))>" }
    }

    private func line(_ english: String) -> String {
        if let own = sentences[english] { return own }
        let indent = english.prefix { $0 == " " }
        if !indent.isEmpty { return indent + line(String(english.dropFirst(indent.count))) }
        if english.hasPrefix("Example: ") { return line("Example:") + " " + line(String(english.dropFirst(9))) }
        for pattern in patterns where english.hasPrefix(pattern.start) && english.hasSuffix(pattern.end) {
            let value = english.dropFirst(pattern.start.count).dropLast(pattern.end.count)
            return Texts.fill(pattern.translated, with: ["value": String(value)])
        }
        return english
    }
}
