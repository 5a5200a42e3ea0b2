import Model
import Patterns

/// The first look at all cells of a batch, one column after the other. It finds the cells that are
/// not certainly sound.
struct ColumnSweep {
    private let batch: RowBatch
    private let plan: EntityPlan
    /// Whether all texts of the batch together are valid UTF-8. Only where they are not is each
    /// examined by itself.
    private let isClean: Bool

    init(_ batch: RowBatch, _ plan: EntityPlan) {
        self.batch = batch
        self.plan = plan
        isClean = (try? UTF8Span(validating: batch.text.span)) != nil
    }

    /// Adds each cell that needs a second look, as its row in the upper and the check's index in
    /// the lower half.
    func findSuspects(into suspects: inout [UInt64]) {
        for (index, check) in plan.checks.enumerated() { find(check, UInt64(index), &suspects) }
    }

    private func find(_ check: FieldCheck, _ index: UInt64, _ suspects: inout [UInt64]) {
        let bytes = batch.text
        switch check.type {
        case .integer, .decimal, .boolean:
            findNumbers(check, index, &suspects)
        case .text:
            let vocabulary = check.vocabulary >= 0 ? plan.vocabularies[check.vocabulary] : nil
            let pattern = check.pattern >= 0 ? plan.patterns[check.pattern] : nil
            findTexts(check, index, &suspects) { text, range in
                if check.hasLength, !Self.hasLength(text, range, check) { return false }
                if let vocabulary, !vocabulary.contains(text, range) { return false }
                guard let pattern else { return true }
                return pattern.matchesWhole(text.extracting(range)) == .matched
            }
        case .uuid: findTexts(check, index, &suspects) { UUIDText.isCanonical($0.extracting($1)) }
        case .date: findTexts(check, index, &suspects) { StoredTime.isDate($0.extracting($1)) }
        case .time: findTexts(check, index, &suspects) { StoredTime.isTime($0.extracting($1)) }
        case .datetime: findTexts(check, index, &suspects) { StoredTime.isInstant($0.extracting($1)) }
        case .json: findTexts(check, index, &suspects) { _, range in JSONScan.isValue(bytes, range) }
        case .point: findTexts(check, index, &suspects) { _, range in JSONScan.isPoint(bytes, range) }
        case .polygon: findTexts(check, index, &suspects) { _, range in JSONScan.isPolygon(bytes, range) }
        case .list:
            let vocabulary = check.vocabulary >= 0 ? plan.vocabularies[check.vocabulary] : nil
            findTexts(check, index, &suspects) { _, range in Self.isSoundList(bytes, range, check, vocabulary) }
        }
    }

    private func findNumbers(_ check: FieldCheck, _ index: UInt64, _ suspects: inout [UInt64]) {
        let allowsMissing = !check.isRequired && check.requiredWhen < 0
        let columnCount = batch.columnCount
        // Vocabularies and patterns of numbers are rare, and left to the second look.
        let isPlain = check.vocabulary < 0 && check.pattern < 0
        let allowsReals = check.type == .decimal
        let (minimum, maximum) = check.type == .boolean ? (0, 1) : (check.minimum, check.maximum)
        let cells = batch.cells.span
        var position = check.column
        for row in 0..<batch.rowCount {
            let cell = cells[position]
            position &+= columnCount
            let isSound: Bool
            switch cell.kind {
            case .null:
                isSound = allowsMissing
            case .integer:
                let number = Double(cell.integer)
                isSound = isPlain && number >= minimum && number <= maximum
            case .real:
                let number = cell.real
                isSound = isPlain && allowsReals && number >= minimum && number <= maximum && number.isFinite
            case .text:
                isSound = false
            }
            if !isSound { suspects.append(UInt64(row) << 32 | index) }
        }
    }

    @inline(__always)
    private func findTexts(_ check: FieldCheck, _ index: UInt64, _ suspects: inout [UInt64], _ isSound: (Span<UInt8>, Range<Int>) -> Bool) {
        let allowsMissing = !check.isRequired && check.requiredWhen < 0
        let columnCount = batch.columnCount
        let (cells, text) = (batch.cells.span, batch.text.span)
        var position = check.column
        for row in 0..<batch.rowCount {
            let cell = cells[position]
            position &+= columnCount
            switch cell.kind {
            case .null:
                if allowsMissing { continue }
            case .text:
                let range = cell.range
                // A text that may be blank needs the second look, since a blank text is no value of
                // a required field. A text cannot begin inside a character.
                if isClean, !range.isEmpty, text[range.lowerBound] > 0x20, text[range.lowerBound] & 0xC0 != 0x80, isSound(text, range) {
                    continue
                }
            case .integer, .real:
                break
            }
            suspects.append(UInt64(row) << 32 | index)
        }
    }

    @inline(__always)
    private static func hasLength(_ text: Span<UInt8>, _ range: Range<Int>, _ check: FieldCheck) -> Bool {
        // A character takes one to four bytes: most texts need no counting.
        if range.count <= check.maximumLength, range.count >= check.minimumLength &* 4 { return true }
        let length = TextLength.scalars(text, range)
        return length <= check.maximumLength && length >= check.minimumLength
    }

    private static func isSoundList(_ text: [UInt8], _ range: Range<Int>, _ check: FieldCheck, _ vocabulary: VocabularySet?) -> Bool {
        var isSound = true
        let isList = JSONScan.isList(text, range) { item, isEscaped in
            if let vocabulary {
                if isEscaped || !vocabulary.contains(text.span, item) { isSound = false }
            } else if check.holdsIDs, !UUIDText.isCanonical(text.span.extracting(item)) {
                isSound = false
            }
        }
        return isList && isSound && check.pattern < 0
    }
}
