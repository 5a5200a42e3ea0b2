import ArgumentParser
import Foundation
import Model
import Packs

/// Shows a failure on standard error in one layout: place, message, remedy; with `--json` also as
/// JSON on standard output. A quiet command shows one line whenever it fails, because a scheduled
/// job would otherwise fail unnoticed.
enum ErrorOutput {
    static func show(_ failure: any Failure, arguments: [String]) {
        let setting = EarlySetting(arguments)
        let words = EarlyWords(setting)
        let rendered = FailureText(failure, texts: words.texts, language: words.language)
        if setting.isJSON { StandardOutput.write(rendered.json + "\n") }
        if setting.isQuiet {
            reportInOneLine(rendered.text, setting)
        } else {
            StandardError.write(rendered.text + "\n")
        }
    }

    /// Reports the exit code of a quiet command, which does not show its findings.
    static func reportQuiet(_ exit: CommandExit, arguments: [String]) {
        let setting = EarlySetting(arguments)
        guard setting.isQuiet, !setting.isJSON else { return }
        let words = EarlyWords(setting)
        let text = words.texts.textIfAny("cli.quiet.exit", in: words.language) ?? "fichero {command}: {code}"
        StandardError.write(
            Texts.fill(text, with: ["command": setting.command, "code": String(exit.exitCode.rawValue)]) + "\n")
    }

    /// Reports arguments that no command accepts.
    static func showUsage(_ error: any Error, arguments: [String]) {
        let setting = EarlySetting(arguments)
        let text = UsageText(Fichero.fullMessage(for: error), arguments: arguments, EarlyWords(setting))
        if setting.isQuiet { reportInOneLine(text.message, setting) } else { StandardError.write(text.whole + "\n") }
    }

    private static func reportInOneLine(_ text: String, _ setting: EarlySetting) {
        StandardError.write(
            ["fichero", setting.command].filter { !$0.isEmpty }.joined(separator: " ") + ": " + inOneLine(text) + "\n")
    }

    /// Joins the first lines of a text into one line. A pack's mistakes may take hundreds of lines.
    static func inOneLine(_ text: String) -> String {
        let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        return lines.prefix(6).joined(separator: " ") + (lines.count > 6 ? " …" : "")
    }
}

enum CommandLanguage {
    static func fromLocale(_ environment: [String: String]) -> Language? {
        let locale = environment["LC_ALL"] ?? environment["LC_MESSAGES"] ?? environment["LANG"] ?? ""
        return Language(rawValue: String(locale.prefix(2)))
    }
}

/// A failure as text and as JSON.
struct FailureText {
    let text: String
    let detail: Detail
    let json: String
    let jsonLine: String

    init(_ failure: any Failure, texts: Texts, language: Language) {
        let all: String
        if let pack = failure as? PackFailure {
            text = pack.lines(texts, language).joined(separator: "\n")
            all = pack.mistakes.withMissingTextsTogether.map { $0.line(texts, language) }.joined(separator: "\n")
        } else {
            text = Self.words(failure, texts: texts, language: language)
            all = text
        }
        detail = Detail(
            code: failure.code, exitCode: failure.exitCode.rawValue, message: all, arguments: failure.arguments,
            place: failure.place)
        let document = Document(error: detail)
        (json, jsonLine) = (JSONString.document(document), JSONString.line(document))
    }

    /// The failure as text: place and `error: CODE`, then the message, then the remedy.
    private static func words(_ failure: any Failure, texts: Texts, language: Language) -> String {
        var arguments = failure.arguments
        arguments["hint"] = texts.hint(for: arguments, in: language)
        var head = "error: \(failure.code)"
        if let place = failure.place, let file = place.file {
            let spot = ([file, place.sheet, place.cell] as [String?]).compactMap(\.self).joined(separator: " · ")
            head =
                [spot, place.line.map(String.init), place.column.map(String.init)].compactMap(\.self).joined(
                    separator: ":") + ": " + head
        }
        let key = "error." + failure.code
        guard let message = texts.textIfAny(key + ".message", in: language) else {
            let listed = failure.arguments.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
            return ([head] + listed).joined(separator: "\n  ")
        }
        var lines = [head, Texts.fill(message, with: arguments)]
        if let remedy = texts.textIfAny(key + ".remedy", in: language) {
            lines.append("→ " + Texts.fill(remedy, with: arguments))
        }
        if arguments["imported"] != nil, let before = texts.textIfAny("error.before.imported", in: language) {
            lines.append(Texts.fill(before, with: arguments))
        }
        return lines.joined(separator: "\n  ")
    }

    /// The failure as it appears in JSON.
    struct Detail: Encodable {
        var code: String
        var exitCode: Int32
        var message: String
        var arguments: [String: String]
        var place: Place?
    }

    private struct Document: Encodable { var error: Detail }
}
