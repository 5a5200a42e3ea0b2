import Foundation
import JSONReading
import Model

// Conversions of what programs keep for themselves: JSON within a cell, seconds since a year.

extension CellConversion {
    private static let noJSON = Misfit(code: "IMPORT-NO-MATCH", arguments: ["pattern": "JSON"])

    static func moment(_ text: String, since year: Int, _ part: InstantPart, in zone: TimeZone) throws(Misfit) -> String {
        guard let seconds = Double(text.trimmingCharacters(in: .whitespaces)), seconds.isFinite else { throw Misfit(code: "IMPORT-NO-NUMBER") }
        let start = TimeInterval(GregorianDay.sinceEpoch(year, 1, 1) * 86_400)
        // The years 1 to 9999; a day less, so that no zone leads out of them.
        let first = TimeInterval(GregorianDay.sinceEpoch(1, 1, 2) * 86_400), end = TimeInterval(GregorianDay.sinceEpoch(9_999, 12, 31) * 86_400)
        guard (first..<end).contains(start + seconds) else { throw Misfit(code: "IMPORT-NO-DATE", arguments: ["forms": "since \(year)"]) }
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

    static func elements(of text: String, _ conversions: [CellConversion], _ words: ConversionWords) throws(Misfit) -> String {
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
