import Foundation
import Model
import Patterns

/// The words and patterns of a mapping's conversions, prepared once.
final class ConversionWords {
    /// Texts, in lower case, that mean an empty value in every cell.
    let blanks: Set<String>
    /// The time zone of the office's clocks.
    let zone: TimeZone
    private let lookups: [String: [String: String]]
    private var patterns: [String: Pattern] = [:]

    /// - Parameter lookups: words of the file and their meanings, by the lookup's name.
    init(lookups: [String: [String: String]], blanks: [String] = [], zone: TimeZone = .gmt) {
        self.zone = zone
        self.blanks = Set(blanks.map { $0.lowercased() })
        self.lookups = lookups.mapValues { words in
            Dictionary(words.map { (ColumnName.normal($0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
        }
    }

    /// Converts a text that does not come from a single cell; nil where nothing remains of it.
    func converted(_ text: String, _ conversions: [CellConversion], _ field: String?) throws(MappingFault) -> String? {
        var text = text
        for conversion in conversions {
            do {
                guard let next = try conversion.apply(text, words: self) else { return nil }
                text = next
            } catch {
                throw MappingFault(
                    code: error.code, field: field, arguments: error.arguments.merging(["value": String(text.prefix(80))]) { first, _ in first })
            }
        }
        return text
    }

    func meaning(of word: String, in lookup: String) -> String? {
        lookups[lookup]?[ColumnName.normal(word)]
    }

    /// A pattern that may match anywhere in a text; nil for an invalid one, which the loader
    /// rejects.
    func pattern(_ source: String) -> Pattern? {
        if let pattern = patterns[source] { return pattern }
        let pattern = try? Pattern(source, reach: .anywhere)
        patterns[source] = pattern
        return pattern
    }
}
