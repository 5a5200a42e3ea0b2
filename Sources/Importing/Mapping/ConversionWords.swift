package import Foundation
import JSONReading
import Model
import Patterns

/// The words and patterns that a mapping's conversions use, prepared once.
package final class ConversionWords {
    /// Texts, in lower case, that mean an empty value in every cell.
    let blanks: Set<String>
    /// The time zone of the office's clocks.
    let zone: TimeZone
    private let lookups: [String: [String: String]]
    private var patterns: [String: Pattern] = [:]

    /// - Parameter lookups: by the lookup's name, words of the file and their meanings.
    package init(lookups: [String: [String: String]], blanks: [String] = [], zone: TimeZone = .gmt) {
        self.zone = zone
        self.blanks = Set(blanks.map { $0.lowercased() })
        self.lookups = lookups.mapValues { words in
            Dictionary(words.map { (ColumnName.normal($0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
        }
    }

    /// Converts a text that does not come from a single cell; nil if nothing remains of it.
    func converted(_ text: String, _ conversions: [CellConversion], _ field: String?) throws(MappingFault) -> String? {
        var text = text
        for conversion in conversions {
            do {
                guard let next = try conversion.apply(text, words: self) else { return nil }
                text = next
            } catch {
                throw MappingFault(
                    code: error.code, field: field,
                    arguments: error.arguments.merging(["value": String(text.prefix(80))]) { first, _ in first })
            }
        }
        return text
    }

    func meaning(of word: String, in lookup: String) -> String? {
        lookups[lookup]?[ColumnName.normal(word)]
    }

    /// A pattern that may match anywhere in a text. Nil if the pattern is invalid; the loader
    /// rejects a mapping with such a pattern.
    func pattern(_ source: String) -> Pattern? {
        if let pattern = patterns[source] { return pattern }
        let pattern = try? Pattern(source, reach: .anywhere)
        patterns[source] = pattern
        return pattern
    }
}

// Conversions of values in a program's internal form: JSON within a cell, seconds since a year.

extension CellConversion {
    private static let noJSON = Misfit(code: "IMPORT-NO-MATCH", arguments: ["pattern": "JSON"])

    static func moment(_ text: String, since year: Int, _ part: InstantPart, in zone: TimeZone) throws(Misfit) -> String
    {
        guard let seconds = Double(text.trimmingCharacters(in: .whitespaces)), seconds.isFinite else {
            throw Misfit(code: "IMPORT-NO-NUMBER")
        }
        let start = TimeInterval(GregorianDay.sinceEpoch(year, 1, 1) * 86_400)
        // The years 1 to 9999, without a day at each end, so that the day remains valid in every
        // time zone.
        let first = TimeInterval(GregorianDay.sinceEpoch(1, 1, 2) * 86_400),
            end = TimeInterval(GregorianDay.sinceEpoch(9_999, 12, 31) * 86_400)
        guard (first..<end).contains(start + seconds) else {
            throw Misfit(code: "IMPORT-NO-DATE", arguments: ["forms": "since \(year)"])
        }
        // In microseconds, because adding a year to a fraction would change its last digits.
        let instant = Date(timeIntervalSince1970: ((start + seconds) * 1_000_000).rounded() / 1_000_000)
        if part == .instant { return Timestamp.format(instant) }
        let shown = Timestamp.format(OfficeClock.shown(instant, in: zone))
        return String(part == .day ? shown.prefix(10) : shown.dropFirst(11).prefix(8))
    }

    static func member(_ path: String, of text: String) throws(Misfit) -> String? {
        var value = try json(text)
        for step in path.split(separator: "/") {
            guard let next = value[String(step)] ?? Int(step).flatMap({ value[$0] }) else { return nil }
            value = next
        }
        return plain(value)
    }

    static func elements(of text: String, _ conversions: [CellConversion], _ words: ConversionWords) throws(Misfit)
        -> String
    {
        guard let items = try json(text).items else { throw noJSON }
        var converted: [JSONValue] = []
        for item in items {
            var text = plain(item)
            for conversion in conversions {
                guard let own = text else { break }
                text = try conversion.apply(own, words: words)
            }
            converted.append(text.map { .string($0) } ?? .null)
        }
        return "\(JSONValue.array(converted))"
    }

    private static func json(_ text: String) throws(Misfit) -> JSONValue {
        do throws(JSONMistake) { return try JSONValue.parse(text) } catch { throw noJSON }
    }

    /// A text or a number without quotes; a list or an object as JSON.
    private static func plain(_ value: JSONValue) -> String? {
        switch value {
        case .null: nil
        case .bool(let isTrue): isTrue ? "true" : "false"
        case .number(let digits): digits
        case .string(let text): text
        case .array, .object: value.description
        }
    }
}
