import ArgumentParser
import Foundation
import Model
import Packs

/// Shows a failure on standard error in one layout: place, broken rule, remedy; for programs as
/// JSON on standard output. A quiet command shows one line, and always shows one if it does not end
/// with success: a scheduled job would otherwise fail unnoticed.
enum ErrorOutput {
    static func show(_ failure: any Failure, arguments: [String]) {
        let setting = EarlySetting(arguments)
        let words = EarlyWords(setting)
        let rendered = FailureText(failure, texts: words.texts, language: words.language)
        if setting.isJSON { StandardOutput.write(rendered.json + "\n") }
        if setting.isQuiet { tellInOneLine(rendered.text, setting) } else { StandardError.write(rendered.text + "\n") }
    }

    /// Reports the exit code of a quiet command, which does not show its findings.
    static func tellQuiet(_ exit: CommandExit, arguments: [String]) {
        let setting = EarlySetting(arguments)
        guard setting.isQuiet, !setting.isJSON else { return }
        let words = EarlyWords(setting)
        let text = words.texts.textIfAny("cli.quiet.exit", in: words.language) ?? "fichero {command}: {code}"
        StandardError.write(Texts.fill(text, with: ["command": setting.command, "code": String(exit.exitCode.rawValue)]) + "\n")
    }

    /// Reports arguments that no command accepts.
    static func showUsage(_ error: any Error, arguments: [String]) {
        let setting = EarlySetting(arguments)
        let words = EarlyWords(setting)
        let text = UsageText(Fichero.fullMessage(for: error), texts: words.texts, language: words.language)
        if setting.isQuiet { tellInOneLine(text.message, setting) } else { StandardError.write(text.whole + "\n") }
    }

    private static func tellInOneLine(_ text: String, _ setting: EarlySetting) {
        StandardError.write(["fichero", setting.command].filter { !$0.isEmpty }.joined(separator: " ") + ": " + inOneLine(text) + "\n")
    }

    /// The first lines of a text in one. A pack's mistakes may take hundreds of lines.
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
