import Foundation
import Importing
import Model
import Patterns

/// The result of comparing a column's values with a field, and the conversions that they need.
struct ContentFit {
    /// The share of values that fit; 0 for an empty column.
    var share: Double
    var conversions: [CellConversion] = []
    /// If `conversions` needs a lookup: words of the file, with the field's values for them.
    var words: [String: String] = [:]
    /// Whether values are evidence for a field of this kind: a free-text field accepts anything.
    var isTelling: Bool
    /// Whether day and month could be exchanged, or a point could be a thousands separator.
    var isUncertain = false
    /// Whether all values are words that mean "nothing"; the possible real values are then unknown.
    var isNothing = false
    /// Some of the values that do not fit, whatever the conversion.
    var misfits: [String] = []
}

/// Compares the values of one table's columns with fields of the pack.
final class ContentJudge {
    private let pack: Pack?
    private let table: TableSample
    private let isCommaTable: Bool
    private let noWords = ConversionWords(lookups: [:])
    private let known: JudgedContents
    /// By column, its distinct values with their frequencies, and the content's number.
    private var counted: [Int: (cells: [Counted], content: Int)] = [:]

    /// Common ways of writing "nothing".
    private static let blanks: Set<String> = [
        "-", "--", "---", "np", "n.p.", "n/p", "s/d", "sd", "n/a", "na", "n.d.", "nd", "no", "n.e.", "ne", "?", "s/i",
        "nil", "no presenta", "no se presenta", "no se encontró", "no medido", "seco", "seca",
    ]
    private static let dateForms = [
        "dd/MM/yyyy", "MM/dd/yyyy", "dd-MM-yyyy", "dd.MM.yyyy", "yyyy/MM/dd", "dd/MM/yy", "dd-MM-yy",
        "dd.MM.yy", "MM/dd/yy", "MM-dd-yyyy", "dd MMMM yyyy", "dd MMMM yy", "MMMM dd yyyy",
    ]

    private static let decimalComma = CachedRegex(/^-?[0-9.]*[0-9],[0-9]+$/)

    /// - Parameter pack: supplies the values of vocabularies; nil if there is no pack yet.
    init(_ table: TableSample, pack: Pack?, known: JudgedContents) {
        (self.table, self.pack, self.known) = (table, pack, known)
        // A person who writes a decimal comma once uses it everywhere.
        isCommaTable = table.columns.contains { column in
            column.filled.contains { $0.kind == .text && $0.text.firstMatch(of: Self.decimalComma.regex) != nil }
        }
    }

    func fit(_ column: Int, of entity: String, _ field: Field) -> ContentFit {
        known.fit(distinct(column).content, entity, field) { judged(column, field) }
    }

    private static let time = CachedRegex(/[0-2][0-9]:[0-5][0-9](:[0-5][0-9])?/)

    private func judged(_ column: Int, _ field: Field) -> ContentFit {
        let cells = distinct(column).cells
        switch field.type {
        case .decimal, .integer: return number(cells, field, heading: table.columns[column].heading)
        case .date, .datetime: return date(cells)
        case .boolean:
            return best(cells, [[], [.yesNo]], isTelling: true) { ["true", "false", "0", "1"].contains($0) }
        case .text where field.vocabulary != nil: return vocabulary(cells, field)
        case .text where field.pattern != nil: return pattern(cells, field)
        case .text:
            return best(cells, [[.trim]], isTelling: false) { text in
                text.unicodeScalars.count <= field.maximumLength ?? .max
                    && text.unicodeScalars.count >= field.minimumLength ?? 0
            }
        case .uuid: return best(cells, [[]], isTelling: true) { UUID(uuidString: $0) != nil }
        case .time: return best(cells, [[]], isTelling: true) { $0.wholeMatch(of: Self.time.regex) != nil }
        case .json, .point, .polygon, .list:
            return best(cells, [[]], isTelling: true) { $0.hasPrefix("[") || $0.hasPrefix("{") }
        }
    }

    private typealias Counted = (cell: TableSample.Cell, count: Int)

    private func distinct(_ column: Int) -> (cells: [Counted], content: Int) {
        if let known = counted[column] { return known }
        var counts: [TableSample.Cell: Int] = [:]
        var order: [TableSample.Cell] = []
        for cell in table.columns[column].filled where cell.kind != .error {
            if counts[cell] == nil { order.append(cell) }
            counts[cell, default: 0] += 1
        }
        let own: [Counted] = order.prefix(80).map { ($0, counts[$0] ?? 0) }
        // Only shares matter: if every value occurs twice as often, the column counts as the same.
        let common = own.reduce(0) { Self.commonDivisor($0, $1.count) }
        let content = JudgedContents.Content(
            cells: own.map(\.cell), counts: own.map { $0.count / max(common, 1) }, isCommaTable: isCommaTable,
            scale: Self.scale(table.columns[column].heading))
        let found = (own, known.number(of: content))
        counted[column] = found
        return found
    }

    private static func commonDivisor(_ first: Int, _ second: Int) -> Int {
        second == 0 ? first : commonDivisor(second, first % second)
    }

    /// The first chain of conversions that makes the most values valid.
    private func best(
        _ cells: [Counted], _ chains: [[CellConversion]], isTelling: Bool, _ isGood: (String) -> Bool
    ) -> ContentFit {
        var best = ContentFit(share: 0, conversions: chains.first ?? [], isTelling: isTelling)
        for chain in chains {
            let share = share(cells, chain, isGood)
            if share > best.share + 0.001 { best = ContentFit(share: share, conversions: chain, isTelling: isTelling) }
        }
        best.misfits = misfits(cells, best.conversions, isGood)
        return best
    }

    private func misfits(_ cells: [Counted], _ chain: [CellConversion], _ isGood: (String) -> Bool) -> [String] {
        cells.filter { cell, _ in self.text(cell, chain).map { $0.map { !isGood($0) } ?? false } ?? true }.prefix(20)
            .map(\.cell.text)
    }

    private func share(_ cells: [Counted], _ chain: [CellConversion], _ isGood: (String) -> Bool) -> Double {
        var good = 0, all = 0
        for (cell, count) in cells {
            guard let text = text(cell, chain) else {
                all += count
                continue
            }
            if let text {
                all += count
                if isGood(text) { good += count }
            }
        }
        return all == 0 ? 0 : Double(good) / Double(all)
    }

    /// The text after the conversions. The outer optional is nil if a conversion rejects the text;
    /// the inner one is nil if nothing remains of the text.
    private func text(_ cell: TableSample.Cell, _ chain: [CellConversion]) -> String?? {
        var text = cell.text
        for conversion in chain {
            if cell.kind == .number, conversion == .decimalComma || conversion == .decimalPoint { continue }
            do {
                guard let next = try conversion.apply(text, words: noWords) else { return .some(nil) }
                text = next
            } catch { return nil }
        }
        return text
    }

    // MARK: Kinds of field

    private func number(_ cells: [Counted], _ field: Field, heading: String) -> ContentFit {
        let isText = cells.contains { $0.cell.kind == .text }
        var first: [CellConversion] = isText ? [.trim] : []
        let blanks = found(Self.blanks, in: cells)
        if !blanks.isEmpty { first.append(.blank(blanks)) }
        let filled = cells.filter { !blanks.contains($0.cell.text.trimmingSpaces) }
        let scale = field.unit == "m" ? Self.scale(heading) ?? scale(filled) : nil
        let units = units(cells, of: field, scale)
        if !units.isEmpty { first.append(.unit(units)) }
        var chains: [[CellConversion]] =
            isText
            ? (isCommaTable ? [[.decimalComma], [.decimalPoint]] : [[], [.decimalPoint], [.decimalComma]]) : [[]]
        if field.type == .integer { chains = [[]] }
        // Thousands separators are tried last: a number that could be a fraction counts as a
        // fraction, unless the field does not allow that number.
        if isText {
            chains += [
                [.thousands(".")], [.thousands(",")], [.thousands("."), .decimalComma], [.thousands(" ")],
                [.thousands(" "), .decimalComma],
            ]
        }
        let last = [scale].compactMap(\.self)
        let isGood: (String) -> Bool = { text in
            guard text.utf8.count <= 30, let number = Double(text), number.isFinite,
                field.type == .decimal || number == number.rounded()
            else { return false }
            return number >= field.minimum ?? -.infinity && number <= field.maximum ?? .infinity
        }
        var fit = best(cells, chains.map { first + $0 + last }, isTelling: true, isGood)
        fit.isNothing =
            !cells.isEmpty && cells.allSatisfy { blanks.contains($0.cell.text.trimmingCharacters(in: .whitespaces)) }
        // If every point is followed by three digits, the points may also separate thousands.
        let pointed = cells.filter { $0.cell.kind == .text && $0.cell.text.contains(".") }
        if !pointed.isEmpty, !fit.conversions.contains(.thousands(".")),
            pointed.allSatisfy({ $0.cell.text.wholeMatch(of: Self.pointed.regex) != nil })
        {
            fit.isUncertain = share(pointed, first + [.thousands(".")] + last, isGood) == 1
        }
        return fit
    }

    private static let pointed = CachedRegex(/\s*-?[1-9][0-9]{0,2}\.[0-9]{3}\s*/)

    private static let units: [String: Set<String>] = [
        "m": ["m", "mt", "mts", "ml", "metros", "metri", "metres", "msnm", "mslm"], "%": ["%"],
    ]

    private static let withUnit = CachedRegex(/\s*-?[0-9][0-9.,\s]*?\s*([^0-9\s][^0-9]*)/)

    /// The file's spellings of the field's unit after numbers, or of another unit that all numbers
    /// have.
    private func units(_ cells: [Counted], of field: Field, _ scale: CellConversion?) -> [String] {
        guard let known = field.unit.flatMap({ Self.units[$0] }) else { return [] }
        var seen: Set<String> = []
        return cells.compactMap { cell, _ in
            guard let text = Self.unit(cell) else { return nil }
            let plain = text.lowercased().filter { $0 != "." && !$0.isWhitespace }
            let isMeant = scale == nil ? known.contains(plain) : Self.scale(text) == scale
            return isMeant && seen.insert(plain).inserted ? text : nil
        }
    }

    /// The unit: the text that follows a number.
    private static func unit(_ cell: TableSample.Cell) -> String? {
        guard cell.kind == .text else { return nil }
        return cell.text.wholeMatch(of: Self.withUnit.regex).map { String($0.1).trimmingSpaces }
    }

    /// The conversion of the unit, other than metres, that follows every number, as in `40 cm`.
    private func scale(_ cells: [Counted]) -> CellConversion? {
        let found = Set(cells.map { cell, _ in Self.unit(cell).flatMap(Self.scale) })
        return found.count == 1 ? found.first ?? nil : nil
    }

    /// The conversion of the unit, other than metres, that a text contains.
    private static func scale(_ text: String) -> CellConversion? {
        for word in HeadingWords.words(text) {
            switch word {
            case "cm": return .centimetres
            case "mm": return .millimetres
            case "ft", "feet", "pies", "piedi": return .feet
            case "pulg", "inches", "pollici": return .inches
            default: continue
            }
        }
        return nil
    }

    private func found(_ words: Set<String>, in cells: [Counted]) -> [String] {
        var seen: Set<String> = []
        return cells.map { $0.cell.text.trimmingCharacters(in: .whitespaces) }
            .filter { words.contains($0.lowercased()) && seen.insert($0.lowercased()).inserted }
    }

    private func date(_ cells: [Counted]) -> ContentFit {
        guard cells.contains(where: { $0.cell.kind == .text }) else {
            return best(cells, [[]], isTelling: true) { Timestamp.isDate(String($0.prefix(10))) }
        }
        let blanks = found(Self.blanks, in: cells)
        let first: [CellConversion] = blanks.isEmpty ? [] : [.blank(blanks)]
        let isDay: (String) -> Bool = { Timestamp.isDate(String($0.prefix(10))) }
        var forms: [String] = []
        var reached = share(cells, first, isDay)
        var isUncertain = false
        // In each step, adds the date format that accepts most of the remaining values.
        while reached < 1, forms.count < 3 {
            let gains = Self.dateForms.filter { !forms.contains($0) }.map {
                ($0, share(cells, first + [.date(forms + [$0])], isDay))
            }
            guard let most = gains.map(\.1).max(), most > reached + 0.001,
                let next = gains.first(where: { $0.1 == most })
            else { break }
            let (own, other) = next.0.hasPrefix("dd") ? ("dd", "MM") : ("MM", "dd")
            let turned = other + next.0.dropFirst(2).replacing(other, with: own)
            if Self.dateForms.contains(turned), isDoubtful(cells, next.0, turned, first) { isUncertain = true }
            forms.append(next.0)
            reached = next.1
        }
        let conversions = first + (forms.isEmpty ? [] : [.date(forms)])
        return ContentFit(
            share: reached, conversions: conversions, isTelling: true, isUncertain: isUncertain,
            misfits: misfits(cells, conversions, isDay))
    }

    /// Whether a date format is doubtful, because the same format with day and month exchanged is
    /// nearly as good. This is true if no value requires the first format, or some value requires
    /// the exchanged one. A single value in month-first order is not enough, since that order is
    /// rare in these files.
    private func isDoubtful(_ cells: [Counted], _ form: String, _ turned: String, _ first: [CellConversion]) -> Bool {
        func takes(_ cell: TableSample.Cell, _ form: String) -> Bool {
            guard let text = text(cell, first + [.date([form])]), let text else { return false }
            return Timestamp.isDate(String(text.prefix(10)))
        }
        var (both, own, others) = (0, 0, 0)
        for (cell, _) in cells where cell.kind == .text {
            switch (takes(cell, form), takes(cell, turned)) {
            case (true, true): both += 1
            case (true, false): own += 1
            case (false, true): others += 1
            default: break
            }
        }
        return both > 0 && (own == 0 || others > 0 || (own == 1 && form.hasPrefix("MM")))
    }

    private func pattern(_ cells: [Counted], _ field: Field) -> ContentFit {
        guard let source = field.pattern, let pattern = known.pattern(source) else {
            return ContentFit(share: 0, isTelling: false)
        }
        // The conversion to capitals does not change these values but helps with later ones. It is
        // left out if the pattern also accepts lower-case letters.
        let hasSmall = cells.contains {
            pattern.matchesWhole($0.cell.text.lowercased()) == .matched && $0.cell.text != $0.cell.text.uppercased()
        }
        var chains: [[CellConversion]] = hasSmall ? [[.trim]] : [[.trim, .upper], [.trim]]
        // The conversion of chainages is tried only if the field's pattern accepts them.
        if pattern.matchesWhole("12+300") == .matched { chains = [[.trim, .chainage], [.trim]] }
        return best(cells, chains, isTelling: true) {
            pattern.matchesWhole($0) == .matched && $0.unicodeScalars.count <= field.maximumLength ?? .max
        }
    }

    private func vocabulary(_ cells: [Counted], _ field: Field) -> ContentFit {
        guard let pack, let vocabulary = field.vocabulary.flatMap(pack.vocabulary) else {
            return ContentFit(share: 0, isTelling: false)
        }
        let values = Set(vocabulary.entries.flatMap { [$0.value] + $0.aliases })
        let further = vocabulary.alsoPattern.flatMap(known.pattern)
        let direct = best(cells, [[.trim], [.trim, .upper], [.trim, .lower]], isTelling: true) {
            values.contains($0) || further?.matchesWhole($0) == .matched
        }
        guard direct.share < 1 else { return direct }
        // Words that a person would recognise as these values: labels, other accents, other punctuation.
        // The mapping lists them, so that they are reviewed.
        let meaning = known.meaning(of: vocabulary, pack.texts)
        var words: [String: String] = [:]
        var good = 0, all = 0
        for (cell, count) in cells {
            all += count
            guard let value = meaning[ColumnName.normal(cell.text)] else { continue }
            words[cell.text.trimmingCharacters(in: .whitespaces)] = value
            good += count
        }
        let share = all == 0 ? 0 : Double(good) / Double(all)
        guard share > direct.share + 0.05 else { return direct }
        let misfits = cells.map(\.cell.text).filter { meaning[ColumnName.normal($0)] == nil }.prefix(20)
        return ContentFit(
            share: share, conversions: [.trim, .lookup(field.name)], words: words, isTelling: true,
            misfits: Array(misfits))
    }
}
