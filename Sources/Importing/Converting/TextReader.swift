import Digests
import Model

/// Appends the text of a mapping's value to a buffer. For plain or repeated texts, no `String` is
/// created; all other texts are handled by `MappedValues`.
final class TextReader {
    private enum Source {
        case column([Int], [CellConversion], isPlain: Bool)
        case constant([UInt8])
        case parent(KeyReader)
        case plan(ValuePlan)
    }

    private let source: Source
    private let values: MappedValues
    private let field: String
    private var memo = BytesMemo<[UInt8]?>()

    init(_ plan: ValuePlan, field: String, _ values: MappedValues) {
        (self.values, self.field) = (values, field)
        switch plan {
        case .column(let places, let conversions):
            source = .column(places, conversions, isPlain: PlainConversion.handles(conversions))
        case .constant(let text): source = .constant(Array(text.utf8))
        case .parent(let entity, let by):
            source = .parent(
                KeyReader(
                    entity: entity, parts: by.map { ($0.name, TextReader($0.value, field: field, values)) }, values))
        default: source = .plan(plan)
        }
    }

    /// The readable key from which the id just appended was looked up; valid until the next row.
    /// Nil if the text just appended is not the id of a referenced record.
    var shown: String? {
        switch source {
        case .parent(let key): key.shown
        case .constant(let text): values.names.isEmpty ? nil : values.names[String(decoding: text, as: UTF8.self)]
        case .column, .plan: nil
        }
    }

    /// Appends the text to the buffer; false if the row has no value.
    ///
    /// Throws `MappingFault` if the value does not fit.
    func append(_ batch: borrowing ForeignBatch, _ row: Int, to buffer: inout [UInt8]) throws -> Bool {
        switch source {
        case .constant(let text):
            buffer.append(contentsOf: text)
            return true
        case .parent(let key): return try key.appendID(batch, row, to: &buffer)
        case .plan(let plan): return try general(plan, batch, row, to: &buffer)
        case .column(let places, let conversions, let isPlain):
            var isCertain = true
            guard let place = values.place(places, batch, row, isCertain: &isCertain) else {
                return isCertain ? false : try general(.column(places, conversions), batch, row, to: &buffer)
            }
            let cell = batch.cell(row, place)
            guard cell.kind != .error, cell.mark == .none else {
                return try general(.column([place], conversions), batch, row, to: &buffer)
            }
            let bytes = batch.text.span.extracting(cell.range)
            let start = buffer.count
            if isPlain {
                unsafe bytes.withUnsafeBufferPointer { unsafe buffer.append(contentsOf: $0) }
                if conversions.isEmpty || PlainConversion.apply(conversions, to: &buffer, from: start) { return true }
                buffer.removeLast(buffer.count - start)
                return try general(.column([place], conversions), batch, row, to: &buffer)
            }
            // Numbers, days and booleans are converted in other ways.
            guard cell.kind == .text else { return try general(.column([place], conversions), batch, row, to: &buffer) }
            if let known = memo.value(of: bytes) {
                guard let known else { return false }
                buffer.append(contentsOf: known)
                return true
            }
            let hasText = try general(.column([place], conversions), batch, row, to: &buffer)
            memo.remember(hasText ? Array(buffer[start...]) : nil, of: bytes)
            return hasText
        }
    }

    private func general(_ plan: ValuePlan, _ batch: borrowing ForeignBatch, _ row: Int, to buffer: inout [UInt8])
        throws -> Bool
    {
        guard let text = try values.value(plan, field, values.foreign(batch, row)) else { return false }
        buffer.append(contentsOf: text.utf8)
        return true
    }
}

/// A cache of a pure function's results, with a text's bytes as the key. It is useful because
/// columns of words, days and codes repeat their values. The size is limited: a new text replaces
/// an older one.
struct BytesMemo<Value> {
    private struct Slot {
        var hash: UInt64 = 0
        var start = 0
        var count = -1
        var value = 0
    }

    /// Longer texts rarely occur twice.
    private static var longest: Int { 96 }
    private static var slotCount: Int { 512 }
    private static var poolSize: Int { 1 << 16 }

    private var slots: [Slot] = []
    private var pool: [UInt8] = []
    private var values: [Value] = []

    @inline(__always) private static func hash(_ bytes: Span<UInt8>) -> UInt64 {
        var digest = QuickDigest()
        digest.add(bytes)
        return digest.value ^ digest.value >> 29
    }

    func value(of bytes: Span<UInt8>) -> Value? {
        guard !slots.isEmpty, bytes.count <= Self.longest else { return nil }
        let hash = Self.hash(bytes)
        let slot = slots[Int(hash & UInt64(Self.slotCount - 1))]
        guard slot.count == bytes.count, slot.hash == hash else { return nil }
        for index in 0..<bytes.count where pool[slot.start + index] != bytes[index] { return nil }
        return values[slot.value]
    }

    mutating func remember(_ value: Value, of bytes: Span<UInt8>) {
        guard bytes.count <= Self.longest else { return }
        if slots.isEmpty || pool.count > Self.poolSize || values.count > 8 * Self.slotCount {
            slots = Array(repeating: Slot(), count: Self.slotCount)
            pool.removeAll(keepingCapacity: true)
            values.removeAll(keepingCapacity: true)
        }
        let hash = Self.hash(bytes)
        slots[Int(hash & UInt64(Self.slotCount - 1))] = Slot(
            hash: hash, start: pool.count, count: bytes.count, value: values.count)
        unsafe bytes.withUnsafeBufferPointer { unsafe pool.append(contentsOf: $0) }
        values.append(value)
    }
}

/// Applies conversions directly to the bytes of the plainest texts: ASCII, or letters of Latin-1.
enum PlainConversion {
    /// Whether all of some conversions can be applied to bytes.
    static func handles(_ conversions: [CellConversion]) -> Bool {
        conversions.allSatisfy { $0 == .trim || $0 == .upper || $0 == .lower }
    }

    /// Converts the end of a buffer, from a position on. If the text is not plain enough, it
    /// returns false and leaves that end in an invalid state.
    static func apply(_ conversions: [CellConversion], to buffer: inout [UInt8], from start: Int) -> Bool {
        for conversion in conversions {
            switch conversion {
            case .trim: guard trim(&buffer, start) else { return false }
            case .upper: guard recase(&buffer, start, upper: true) else { return false }
            case .lower: guard recase(&buffer, start, upper: false) else { return false }
            default: return false
            }
        }
        return true
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// Whether the byte may begin white space beyond ASCII, or is a control character.
    private static func isDoubtful(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x7F || byte == 0xC2 || (0xE1...0xE3).contains(byte)
    }

    private static func trim(_ buffer: inout [UInt8], _ start: Int) -> Bool {
        while let last = buffer.last, buffer.count > start, isSpace(last) { buffer.removeLast() }
        var first = start
        while first < buffer.count, isSpace(buffer[first]) { first += 1 }
        if first > start { buffer.removeSubrange(start..<first) }
        guard buffer.count > start else { return true }
        var lead = buffer.count - 1
        while lead > start, buffer[lead] & 0xC0 == 0x80 { lead -= 1 }
        return !isDoubtful(buffer[start]) && !isDoubtful(buffer[lead])
    }

    private static func recase(_ buffer: inout [UInt8], _ start: Int, upper: Bool) -> Bool {
        let (first, last): (UInt8, UInt8) = upper ? (0x61, 0x7A) : (0x41, 0x5A)
        var index = start
        while index < buffer.count {
            let byte = buffer[index]
            if byte < 0x80 {
                if byte >= first, byte <= last { buffer[index] = byte ^ 0x20 }
                index += 1
                continue
            }
            // À to Þ and à to þ are U+00C0 to U+00FE, except the signs of multiplication and
            // division, ß and ÿ. A combining accent may follow; it does not begin with C3.
            guard byte == 0xC3, index + 1 < buffer.count else { return false }
            let letter = buffer[index + 1]
            guard letter != 0x97, letter != 0xB7, letter != 0x9F, letter != 0xBF else { return false }
            if upper ? letter >= 0xA0 : letter < 0xA0 { buffer[index + 1] = letter ^ 0x20 }
            index += 2
        }
        return true
    }
}
