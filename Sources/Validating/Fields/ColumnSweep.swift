import Digests
import Model
import Patterns

/// The first look at all cells of a batch, column by column. It finds the cells that are not
/// certainly correct.
struct ColumnSweep {
    private let batch: RowBatch
    private let plan: EntityPlan
    /// Whether all texts of the batch together are valid UTF-8. Only if they are not, each text is
    /// checked separately.
    private let isClean: Bool

    init(_ batch: RowBatch, _ plan: EntityPlan) {
        self.batch = batch
        self.plan = plan
        isClean = (try? UTF8Span(validating: batch.text.span)) != nil
    }

    /// Adds each cell that needs a second look, with its row in the upper half and the check's
    /// index in the lower half.
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
        // Vocabularies and patterns of numbers are rare, so the second look handles them.
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
    private func findTexts(
        _ check: FieldCheck, _ index: UInt64, _ suspects: inout [UInt64], _ isSound: (Span<UInt8>, Range<Int>) -> Bool
    ) {
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
                // A text that may be blank needs the second look, since a blank text counts as
                // missing in a required field. A text cannot begin inside a character.
                if isClean, !range.isEmpty, text[range.lowerBound] > 0x20, text[range.lowerBound] & 0xC0 != 0x80,
                    isSound(text, range)
                {
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
        // A character has one to four bytes, so most texts need no counting.
        if range.count <= check.maximumLength, range.count >= check.minimumLength &* 4 { return true }
        let length = TextLength.scalars(text, range)
        return length <= check.maximumLength && length >= check.minimumLength
    }

    private static func isSoundList(
        _ text: [UInt8], _ range: Range<Int>, _ check: FieldCheck, _ vocabulary: VocabularySet?
    ) -> Bool {
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

/// Length and blankness of a text in UTF-8 bytes.
enum TextLength {
    /// Unicode scalars, counted without decoding: every byte but a continuation starts one.
    static func scalars(_ text: Span<UInt8>, _ range: Range<Int>) -> Int {
        var count = 0
        var index = range.lowerBound
        while index < range.upperBound {
            count &+= text[index] & 0xC0 == 0x80 ? 0 : 1
            index &+= 1
        }
        return count
    }

    /// Whether a text consists only of ASCII white space, or is empty. In a required field it
    /// counts as missing.
    static func isBlank(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        for index in range where text[index] != 0x20 && !(0x09...0x0D).contains(text[index]) { return false }
        return true
    }
}

/// The first look at a batch: finds the cells, and the rules of its rows, that need a second look.
///
/// It uses only the plan and the batch, so that another thread can run it while the next batch is
/// read.
struct RowSweep {
    private let plan: EntityPlan
    private var machine = ExpressionMachine()

    init(_ plan: EntityPlan) {
        self.plan = plan
    }

    /// Replaces `suspects` by the items that need a second look, in order of rows. The row is in
    /// the upper half, and the index of the check, or of the rule after the checks, in the lower.
    mutating func findSuspects(in batch: RowBatch, into suspects: inout [UInt64]) {
        suspects.removeAll(keepingCapacity: true)
        ColumnSweep(batch, plan).findSuspects(into: &suspects)
        for (index, rule) in plan.rules.enumerated() {
            let mark = UInt64(plan.checks.count + index)
            machine.forEachRow(of: batch, breaking: rule.require, when: rule.when) {
                suspects.append(UInt64($0) << 32 | mark)
            }
        }
        suspects.sort()
    }
}

/// The values of a vocabulary as bytes, in a hash table. A lookup allocates no memory.
///
/// It is a class, so that a pass over a million rows counts one reference instead of several.
final class VocabularySet: Sendable {
    private struct Slot {
        var hash: UInt32
        /// The position of the value's bytes; a negative start means that the slot is free.
        var start: Int32
        var count: Int32
    }

    let vocabulary: Vocabulary
    private let slots: [Slot]
    private let bytes: [UInt8]
    private let mask: Int
    /// The pattern of further values (`Vocabulary.alsoPattern`).
    private let also: Pattern?

    init(_ vocabulary: Vocabulary) throws(PatternError) {
        self.vocabulary = vocabulary
        also = if let source = vocabulary.alsoPattern { try Pattern(source) } else { nil }
        var size = 8
        while size < vocabulary.entries.count * 3 { size *= 2 }
        mask = size - 1
        var slots = Array(repeating: Slot(hash: 0, start: -1, count: 0), count: size)
        var bytes: [UInt8] = []
        for value in vocabulary.values {
            let start = bytes.count
            bytes += Array(value.utf8)
            let range = start..<bytes.count
            let hash = Self.hash(bytes.span, range)
            var slot = Int(hash) & mask
            while slots[slot].start >= 0 { slot = (slot + 1) & mask }
            slots[slot] = Slot(hash: hash, start: Int32(start), count: Int32(range.count))
        }
        self.slots = slots
        self.bytes = bytes
    }

    func contains(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        let hash = Self.hash(text, range)
        var slot = Int(hash) & mask
        while slots[slot].start >= 0 {
            if slots[slot].hash == hash, slots[slot].count == Int32(range.count),
                equals(slots[slot], text, range.lowerBound)
            {
                return true
            }
            slot = (slot &+ 1) & mask
        }
        guard let also else { return false }
        return also.matchesWhole(text.extracting(range)) == .matched
    }

    private func equals(_ slot: Slot, _ text: Span<UInt8>, _ start: Int) -> Bool {
        var index = 0
        while index < Int(slot.count) {
            if bytes[Int(slot.start) &+ index] != text[start &+ index] { return false }
            index &+= 1
        }
        return true
    }

    private static func hash(_ text: Span<UInt8>, _ range: Range<Int>) -> UInt32 {
        let hash = QuickDigest.Short(text.extracting(range)).value
        return hash ^ hash >> 15
    }
}
