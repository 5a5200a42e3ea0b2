import ArgumentParser
import Foundation
import Model
import Packs

/// The argument parser's messages, which exist in English only, in the user's language. They are
/// extended by the name that was probably meant, or by the names from which to choose.
struct UsageText {
    /// The message alone.
    let message: String
    /// The message with the usage of the command.
    let whole: String

    /// - Parameter english: the parser's message with the usage.
    init(_ english: String, arguments: [String], _ early: EarlyWords) {
        let parts = Parts(english)
        let words = HelpWords(early.texts, early.language)
        let sentences = UsageSentences(words: words, arguments: arguments, path: parts.path, early: early)
        message = sentences.translated(parts.sentence)
        func label(_ key: String, _ english: String) -> String {
            early.texts.textIfAny("cli.usage." + key, in: early.language) ?? english
        }
        var lines = [label("error", "Error") + ": " + message]
        if let names = sentences.names(for: parts.sentence) { lines.append("  " + names) }
        if let help = parts.help {
            let pieces = help.components(separatedBy: "  ")
            lines.append(
                label("help", "Help") + ":  " + words.usage(pieces[0]) + "  "
                    + words.text(pieces.dropFirst().joined(separator: "  ")))
        }
        if let usage = parts.usage { lines.append(label("usage", "Usage") + ": " + words.usage(usage)) }
        if let more = parts.more {
            let sentence = label("more", "See '{command}' for more information.")
            lines.append("  " + Texts.fill(sentence, with: ["command": more]))
        }
        whole = lines.joined(separator: "\n")
    }

    /// The parts of the parser's message.
    private struct Parts {
        var sentence = ""
        var help: String?
        var usage: String?
        /// The command that shows the help.
        var more: String?
        /// The names of the command and its subcommands, without the program's.
        var path: [String] {
            (more?.split(separator: " ").map(String.init) ?? []).dropFirst().filter { !$0.hasPrefix("-") }
        }

        init(_ english: String) {
            for line in english.components(separatedBy: "\n") {
                if line.hasPrefix("Help:  "), usage == nil {
                    help = String(line.dropFirst(7))
                } else if line.hasPrefix("Usage: "), usage == nil {
                    usage = String(line.dropFirst(7))
                } else if line.hasPrefix("  See '"), line.hasSuffix("' for more information.") {
                    more = String(line.dropFirst(7).dropLast(23))
                } else if usage != nil {
                    usage? += "\n" + line
                } else {
                    sentence += (sentence.isEmpty ? "" : "\n") + line
                }
            }
            if sentence.hasPrefix("Error: ") { sentence.removeFirst(7) }
        }
    }
}

/// The first sentence of the parser's message, and what is added to it.
private struct UsageSentences {
    let words: HelpWords
    let arguments: [String]
    /// The command that the parser found: `rejects list`.
    let path: [String]
    let early: EarlyWords

    func translated(_ sentence: String) -> String {
        if let command = unknownCommand(sentence) {
            return text("unknown_command", command) + hint(command, among: commands)
        }
        for (start, key) in Self.beginnings where sentence.hasPrefix(start) {
            let values = Self.quoted(sentence)
            let first = values.first ?? ""
            switch key {
            case "unknown_option":
                let known = command?.optionNames ?? []
                let name = String(first.drop { $0 == "-" })
                let nearest = name.count > 1 ? Spelling.nearest(to: name, among: known) : nil
                return text(key, first) + hint(nearest.map { "--" + $0 })
            case "bad_value":
                return badValue(sentence)
            case "set_twice":
                return text(key, values.last ?? "")
            default:
                return text(key, words.usage(first), values.dropFirst().first ?? "")
            }
        }
        if sentence.contains(" unexpected arguments: ") {
            return text("unexpected_arguments", Self.quoted(sentence).joined(separator: ", "))
        }
        return words.text(sentence)
    }

    /// A line with the names from which a missing or unknown one can be chosen; nil if there are
    /// none to list.
    func names(for sentence: String) -> String? {
        if unknownCommand(sentence) != nil || sentence == "Missing required subcommand." {
            return line("cli.usage.commands", commands)
        }
        // A command that has begun to run is named by the arguments only.
        switch path.first ?? arguments.first {
        case "init" where !arguments.contains { $0 == "--pack" || $0.hasPrefix("--pack=") }:
            return line("cli.usage.packs", early.packNames)
        case let command? where sentence.hasPrefix("Missing expected argument '<"):
            guard let pack = early.pack else { return nil }
            switch command {
            case "export": return line("error.EXPORT-UNKNOWN.remedy", pack.exports.map(\.name))
            case "report": return line("error.DOCUMENT-UNKNOWN.remedy", pack.reports.map(\.name))
            case "run": return line("error.JOB-UNKNOWN.remedy", pack.jobs.map(\.name))
            case "add":
                return line("error.CHANGE-TABLE.remedy", pack.entities.filter { $0.writer == .people }.map(\.name))
            default: return nil
            }
        default: return nil
        }
    }

    /// The beginnings of the parser's messages, with the keys of the translations.
    private static let beginnings: [(start: String, key: String)] = [
        ("Unknown option ", "unknown_option"), ("Missing expected argument ", "missing_argument"),
        ("Missing value for ", "missing_value"), ("Unexpected argument ", "unexpected_argument"),
        ("The value '", "bad_value"), ("Missing one of: ", "missing_one"),
        ("Value to be set with ", "set_twice"), ("The option '", "no_value_taken"),
        ("Missing required subcommand.", "missing_command"),
    ]

    private var command: CommandDescription? { CommandDescription.program?.command(at: path).command }

    /// The commands at the place of the unknown one.
    private var commands: [String] {
        guard let command else { return [] }
        if let names = command.subcommands.map({ _ in command.subcommandNames }) { return names }
        return CommandDescription.program?.command(at: path.dropLast()).command.subcommandNames ?? []
    }

    /// A word in the place of a command that is none. Without such a word, the parser may have
    /// chosen a default command, or complain about the options of the unknown one.
    private func unknownCommand(_ sentence: String) -> String? {
        let given = arguments.prefix { !$0.hasPrefix("-") }
        guard let program = CommandDescription.program, let known = Optional(program.command(at: given)),
            known.depth < given.count, known.command.subcommands != nil,
            sentence.contains("nexpected argument") || known.depth == 0
        else { return nil }
        return given[given.startIndex + known.depth]
    }

    /// `The value 'x' is invalid for '--form <form>'`, perhaps with the values that are valid, or
    /// with another reason after a colon.
    private func badValue(_ sentence: String) -> String {
        let lines = sentence.components(separatedBy: "\n")
        let parts = lines[0].dropFirst("The value '".count).components(separatedBy: "' is invalid for '")
        guard parts.count == 2, let end = parts[1].firstIndex(of: "'") else { return sentence }
        let rest = String(parts[1][parts[1].index(after: end)...])
        var known = rest.contains(". Please provide one of ") ? Self.quoted(rest) : []
        known += lines.dropFirst().filter { $0.hasPrefix("  - ") }.map { String($0.dropFirst(4)) }
        var result = text("bad_value", parts[0], words.usage(String(parts[1][..<end])))
        if known.isEmpty {
            if rest.hasPrefix(": ") { result += " " + words.text(String(rest.dropFirst(2))) }
            return result
        }
        result += hint(parts[0], among: known)
        return result + " " + (line("cli.usage.choose", known) ?? "")
    }

    private func text(_ key: String, _ first: String, _ second: String = "") -> String {
        early.texts.text("cli.usage." + key, in: words.language, ["first": first, "second": second])
    }

    private func line(_ key: String, _ names: [String]) -> String? {
        names.isEmpty ? nil : early.texts.text(key, in: words.language, ["known": names.joined(separator: ", ")])
    }

    private func hint(_ name: String, among known: [String]) -> String {
        hint(Spelling.nearest(to: name, among: known))
    }

    private func hint(_ nearest: String?) -> String {
        nearest.map { " " + early.texts.text("mistake.hint", in: words.language, ["nearest": $0]) } ?? ""
    }

    /// The texts between single quotation marks.
    private static func quoted(_ text: String) -> [String] {
        text.split(separator: "'", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }.map {
            String($0.element)
        }
    }
}
