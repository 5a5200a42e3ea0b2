import Model

/// The argument parser's messages, which exist in English only, translated into the user's language
/// as far as they are known.
struct UsageText {
    /// The message alone.
    let message: String
    /// The message with the usage of the command.
    let whole: String

    /// The beginnings of the parser's sentences; text in quotation marks is kept.
    private static let known: [(pattern: String, key: String)] = [
        ("Unknown option ", "unknown_option"), ("Missing expected argument ", "missing_argument"), ("Missing value for ", "missing_value"),
        ("Unexpected argument ", "unexpected_argument"), ("Unexpected subcommand ", "unexpected_argument"), ("The value ", "bad_value"),
        ("Missing one of: ", "missing_one"), ("Value to be set with ", "set_twice"),
    ]

    init(_ english: String, texts: Texts, language: Language) {
        let lines = english.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard language != .english, let first = lines.first else {
            (message, whole) = (lines.first ?? "", english)
            return
        }
        let stated = first.hasPrefix("Error: ") ? String(first.dropFirst(7)) : first
        message = Self.translated(stated, texts, language)
        let head = texts.textIfAny("cli.usage.error", in: language) ?? "Error"
        let rest = lines.dropFirst().map { line in
            if line.hasPrefix("Usage: ") { return (texts.textIfAny("cli.usage.usage", in: language) ?? "Usage") + ": " + line.dropFirst(7) }
            if let quoted = Self.quoted(line).first, line.contains(" for more information") {
                return "  " + Texts.fill(texts.textIfAny("cli.usage.more", in: language) ?? line, with: ["command": quoted])
            }
            return line
        }
        whole = ([head + ": " + message] + rest).joined(separator: "\n")
    }

    private static func translated(_ sentence: String, _ texts: Texts, _ language: Language) -> String {
        guard let known = known.first(where: { sentence.hasPrefix($0.pattern) }), let text = texts.textIfAny("cli.usage." + known.key, in: language)
        else { return sentence }
        let values = quoted(sentence)
        return Texts.fill(text, with: ["first": values.first ?? "", "second": values.dropFirst().first ?? ""])
    }

    /// The texts between single quotation marks.
    private static func quoted(_ text: String) -> [String] {
        text.split(separator: "'", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }
}
