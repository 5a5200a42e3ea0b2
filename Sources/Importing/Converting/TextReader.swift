import Model

/// Appends a value of a mapping's plan to a buffer as text: without creating a `String` where the
/// text is plain or was read before, otherwise through `MappedValues`, which knows every form.
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
        case .column(let places, let conversions): source = .column(places, conversions, isPlain: PlainConversion.handles(conversions))
        case .constant(let text): source = .constant(Array(text.utf8))
        case .parent(let entity, let by):
            source = .parent(KeyReader(entity: entity, parts: by.map { ($0.name, TextReader($0.value, field: field, values)) }, values))
        default: source = .plan(plan)
        }
    }

    /// The key that gave the text, while the row is being read; nil where there is none.
    var shown: String? {
        switch source {
        case .parent(let key): key.shown
        case .constant(let text): values.names.isEmpty ? nil : values.names[String(decoding: text, as: UTF8.self)]
        case .column, .plan: nil
        }
    }

    /// Appends the text to the buffer; false where the row has no value.
    ///
    /// Throws `MappingFault` where the value does not fit.
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
            guard cell.kind != .error, cell.mark == .none else { return try general(.column([place], conversions), batch, row, to: &buffer) }
            let bytes = batch.text.span.extracting(cell.range)
            let start = buffer.count
            if isPlain {
                unsafe bytes.withUnsafeBufferPointer { unsafe buffer.append(contentsOf: $0) }
                if conversions.isEmpty || PlainConversion.apply(conversions, to: &buffer, from: start) { return true }
                buffer.removeLast(buffer.count - start)
                return try general(.column([place], conversions), batch, row, to: &buffer)
            }
            // Cells of other kinds are converted in other ways.
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

    private func general(_ plan: ValuePlan, _ batch: borrowing ForeignBatch, _ row: Int, to buffer: inout [UInt8]) throws -> Bool {
        guard let text = try values.value(plan, field, values.foreign(batch, row)) else { return false }
        buffer.append(contentsOf: text.utf8)
        return true
    }
}
