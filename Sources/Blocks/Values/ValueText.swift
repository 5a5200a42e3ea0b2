import Foundation
import JSONReading
import Model

/// Formats values for readers of the run's language, in the office's time zone.
struct ValueText: Sendable {
    let language: Language
    let timeZone: TimeZone
    let texts: Texts
    /// The report whose texts take precedence over the pack's; nil: none.
    let report: String?
    /// Peru, like English, uses a decimal point; Italy uses a comma.
    let decimalMark: String

    init(language: Language, timeZone: TimeZone, texts: Texts, report: String? = nil) {
        self.language = language
        self.timeZone = timeZone
        self.texts = texts
        self.report = report
        decimalMark = language == .italian ? "," : "."
    }

    func cell(_ value: MemoryRows.Value, _ column: QueryColumn) -> ReportCell {
        switch value {
        case .null: return .empty
        case .integer(let integer):
            if column.type == .boolean { return .text(yesOrNo(integer != 0)) }
            return ReportCell(
                .number(Double(integer), decimals: column.type == .decimal ? column.decimals : 0),
                text: number(Double(integer), column.type == .decimal ? column.decimals : 0))
        case .real(let real):
            if column.type == .boolean { return .text(yesOrNo(real != 0)) }
            return ReportCell(.number(real, decimals: column.decimals), text: number(real, column.decimals))
        case .text(let text): return cell(text, column)
        }
    }

    private func cell(_ text: String, _ column: QueryColumn) -> ReportCell {
        if text.isEmpty { return .empty }
        if column.type == .list, let items = (try? JSONValue.parse(text))?.items {
            // A vocabulary's words contain no comma, so commas separate them; other texts need
            // semicolons.
            let words = items.map { item in
                self.word(item.text ?? item.description, column) ?? item.text ?? item.description
            }
            return .text(words.joined(separator: column.vocabulary == nil ? "; " : ", "))
        }
        if let word = word(text, column) { return .text(word) }
        switch column.type {
        case .date:
            // For an instant, the day in the office's time zone.
            let date =
                text.contains("T") ? Timestamp.parse(text).map { OfficeDay.text(of: $0, in: timeZone) } ?? text : text
            return language.day(date).map { ReportCell(.date(date), text: $0) } ?? .text(text)
        case .datetime: return instant(text).map { ReportCell(.instant(text), text: $0) } ?? .text(text)
        case .integer, .decimal:
            return Double(text).map {
                ReportCell(.number($0, decimals: column.decimals), text: number($0, column.decimals))
            } ?? .text(text)
        default: return .text(text)
        }
    }

    /// The text for a value of a vocabulary, or of a family of texts (keys with a common prefix);
    /// nil: the column has neither. A value without a text is unchanged.
    private func word(_ value: String, _ column: QueryColumn) -> String? {
        if let vocabulary = column.vocabulary {
            let word = texts.textIfAny("vocabulary.\(vocabulary).\(value)", in: language) ?? value
            return column.isWithinSentence ? Self.withinSentence(word) : word
        }
        return column.texts.map { family in
            let own = report.flatMap { texts.textIfAny("report.\($0).\(family).\(value)", in: language) }
            return own ?? texts.textIfAny("\(family).\(value)", in: language) ?? value
        }
    }

    /// `Húmedo` as written within a sentence; a word in capitals, such as a symbol, is unchanged.
    static func withinSentence(_ word: String) -> String {
        guard let first = word.first, first.isUppercase, !(word.dropFirst().first?.isUppercase ?? true) else {
            return word
        }
        return first.lowercased() + word.dropFirst()
    }

    private func yesOrNo(_ value: Bool) -> String { texts.text(value ? "word.yes" : "word.no", in: language) }

    /// A number with a given number of decimals, or with as many as it has.
    func number(_ value: Double, _ decimals: Int?) -> String {
        guard value.isFinite else { return "" }
        var text: String
        if let decimals {
            text = Self.fixed(value, decimals)
        } else if value == value.rounded(), abs(value) < 1e15 {
            text = String(Int64(value))
        } else {
            text = String(value)
        }
        if decimalMark != "." { text = text.replacing(".", with: decimalMark) }
        return text.hasPrefix("-") ? "−" + text.dropFirst() : text
    }

    /// Rounds half away from zero, as people do, starting from the shortest decimal that represents
    /// the binary number: 2.675 becomes 2.68.
    static func fixed(_ value: Double, _ decimals: Int) -> String {
        var decimal = Decimal(string: String(value)) ?? Decimal(value)
        var rounded = Decimal()
        unsafe NSDecimalRound(&rounded, &decimal, decimals, .plain)
        var text = rounded.description
        guard decimals > 0 else { return text }
        let point = text.firstIndex(of: ".")
        let missing = decimals - (point.map { text.distance(from: $0, to: text.endIndex) - 1 } ?? 0)
        if point == nil { text += "." }
        return text + String(repeating: "0", count: max(0, missing))
    }

    /// Day and time of an instant in the office's time zone; nil when the text is not an instant.
    func instant(_ text: String) -> String? {
        guard let date = Timestamp.parse(text) else { return nil }
        return instant(date)
    }

    func instant(_ date: Date) -> String {
        let shown = OfficeDay.time(of: date, in: timeZone)
        return (language.day(shown) ?? String(shown.prefix(10))) + shown.dropFirst(10)
    }
}
