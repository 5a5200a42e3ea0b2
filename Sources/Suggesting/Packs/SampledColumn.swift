import Foundation
import Importing
import Model

/// The properties of a column, guessed from its first values: type, conversions, words.
struct SampledColumn {
    var type = FieldType.text
    var conversions: [CellConversion] = []
    var decimals: Int?
    /// The words of a column that has only a few, in the order of their frequency.
    var words: [String] = []
    var isUncertain = false

    /// Limits for a list of words: the number of words, and how often each must occur on average.
    private static let mostWords = 12
    private static let leastRepeats = 3

    init(_ sample: TableSample, column: Int, judge: ContentJudge) {
        let cells = sample.columns[column].filled
        guard !cells.isEmpty else { return }
        func fit(_ type: FieldType) -> ContentFit {
            judge.fit(column, of: "sample \(column)", .plain(type.rawValue, type))
        }
        func isTaken(_ type: FieldType) -> Bool {
            let fit = fit(type)
            guard fit.share > 0.999, !fit.isNothing else { return false }
            (self.type, conversions, isUncertain) = (type, fit.conversions, fit.isUncertain)
            return true
        }
        if isTaken(.date) {
            if cells.contains(where: { $0.kind == .dateTime || $0.text.contains("T") }) { type = .datetime }
        } else if cells.allSatisfy({ $0.kind == .boolean }) || (!Self.areDigits(cells) && isTaken(.boolean)) {
            type = .boolean
        } else if cells.allSatisfy({ $0.kind == .time }) || isTaken(.time) {
            type = .time
        } else if Self.areCodes(cells) {
            conversions = [.trim]
        } else if Self.areSmall(cells), isTaken(.integer) {
        } else if isTaken(.decimal) {
            decimals = Self.decimals(cells)
        } else {
            readWords(cells)
        }
    }

    private static let codes = CachedRegex(/\s*0[0-9]+\s*|\s*\+?[0-9]{9,}\s*/)

    /// Whether the digits of a column form a code and not a number: `0045`, a telephone number.
    private static func areCodes(_ cells: [TableSample.Cell]) -> Bool {
        cells.contains { $0.kind == .text && $0.text.wholeMatch(of: codes.regex) != nil }
    }

    /// Whether every number is small enough to be exact in a double.
    private static func areSmall(_ cells: [TableSample.Cell]) -> Bool {
        cells.allSatisfy { cell in Double(cell.text).map { abs($0) < 9e15 } ?? true }
    }

    private static func areDigits(_ cells: [TableSample.Cell]) -> Bool {
        cells.allSatisfy { $0.text.allSatisfy(\.isNumber) }
    }

    private static func decimals(_ cells: [TableSample.Cell]) -> Int {
        cells.reduce(0) { most, cell in
            let digits =
                cell.text.trimmingSpaces.split(whereSeparator: { $0 == "." || $0 == "," }).dropFirst().last?.count ?? 0
            return min(max(most, digits), 6)
        }
    }

    private mutating func readWords(_ cells: [TableSample.Cell]) {
        conversions = [.trim]
        var counts: [String: Int] = [:]
        for cell in cells { counts[cell.text.trimmingSpaces, default: 0] += 1 }
        guard counts.count > 1, counts.count <= Self.mostWords, cells.count >= counts.count * Self.leastRepeats,
            counts.keys.allSatisfy({ (1...40).contains($0.count) })
        else { return }
        words = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    }

    /// The mapping's value that reads a column, as YAML.
    static func reading(_ heading: String, _ conversions: [CellConversion]) -> String {
        let column = SuggestedYAML.quoted(heading)
        return conversions.isEmpty
            ? column
            : "{column: \(column), convert: [" + conversions.map(SuggestedYAML.conversion).joined(separator: ", ")
                + "]}"
    }
}
