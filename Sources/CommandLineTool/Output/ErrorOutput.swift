import Foundation
import Model
import Packs

/// Shows a failure on standard error in one layout: place, what rule was broken, how to mend it; for programs as JSON on standard output.
enum ErrorOutput {
    static func show(_ failure: any Failure, arguments: [String]) {
        let language = CommandLanguage.spoken(arguments: arguments)
        let rendered = FailureText(failure, texts: FailureText.texts(arguments: arguments), language: language)
        if arguments.contains("--json") {
            StandardOutput.write(rendered.json + "\n")
        }
        StandardError.write(rendered.text + "\n")
    }

    /// A quiet command says what it ends with where that is not success: whoever runs it by the clock would else never know.
    static func tellQuiet(_ exit: CommandExit, arguments: [String]) {
        guard arguments.contains("--quiet") || arguments.contains("-q"), !arguments.contains("--json") else { return }
        let text = FailureText.texts(arguments: arguments).textIfAny("cli.quiet.exit", in: CommandLanguage.spoken(arguments: arguments)) ?? "fichero {command}: {code}"
        let command = arguments.prefix { !$0.hasPrefix("-") }.first ?? ""
        StandardError.write(Texts.fill(text, with: ["command": command, "code": String(exit.exitCode.rawValue)]) + "\n")
    }
}

/// The language of messages as far as arguments and environment tell: a failure may come before everything else is known.
enum CommandLanguage {
    static func spoken(arguments: [String]) -> Language {
        let environment = ProcessInfo.processInfo.environment
        let stated = value(of: "--lang", in: arguments) ?? environment["FICHERO_LANG"]
        if let stated, let language = Language(rawValue: stated) { return language }
        return fromLocale(environment) ?? .english
    }

    static func fromLocale(_ environment: [String: String]) -> Language? {
        let locale = environment["LC_ALL"] ?? environment["LC_MESSAGES"] ?? environment["LANG"] ?? ""
        return Language(rawValue: String(locale.prefix(2)))
    }

    static func value(of option: String, in arguments: [String]) -> String? {
        for (index, argument) in arguments.enumerated() {
            if argument == option, index + 1 < arguments.count { return arguments[index + 1] }
            if argument.hasPrefix(option + "=") { return String(argument.dropFirst(option.count + 1)) }
        }
        return nil
    }
}
