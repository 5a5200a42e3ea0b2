import Model

/// Gives a value of a foreign row as text into a buffer, the same as its plan gives it, but with no `String` where the text is plain or
/// came before.
final class DirectText {
    enum Outcome {
        case text
        case nothing
        /// The row is one for those who can tell what is wrong with it.
        case unfit
    }

    /// What columns share: the row that is read, and how those beyond the plain are read.
    final class Scene {
        let mapping: RowMapping
        let words: ConversionWords
        let blanks: [Bool]
        let table: String

        init(mapping: RowMapping, words: ConversionWords, table: String) {
            (self.mapping, self.words, self.table) = (mapping, words, table)
            blanks = PlainForm.firstBytes(of: words.blanks)
        }
    }

    private enum Source {
        case column([Int], [CellConversion], isPlain: Bool)
        case constant([UInt8])
        case parent(DirectKey)
        case plan(ValuePlan)
    }

    private let source: Source
    private let scene: Scene
    private let field: String
    private var memo = BytesMemo<[UInt8]?>()

    /// Nil for what counts rows: to be asked twice would count twice.
    init?(_ plan: ValuePlan, field: String, _ scene: Scene) {
        self.scene = scene
        self.field = field
        switch plan {
        case .column(let places, let conversions): source = .column(places, conversions, isPlain: PlainConversion.handles(conversions))
        case .constant(let text): source = .constant(Array(text.utf8))
        case .parent(let entity, let by):
            var parts: [(field: String, text: DirectText)] = []
            for part in by {
                guard let text = DirectText(part.value, field: field, scene) else { return nil }
                parts.append((part.field, text))
            }
            source = .parent(DirectKey(entity: entity, parts: parts, scene))
        default:
            guard !plan.counts else { return nil }
            source = .plan(plan)
        }
    }

    /// The column of the first filled cell; nil where none is.
    ///
    /// - Parameter isCertain: false where the cells must be looked at more closely.
    @inline(__always) static func place(
        _ places: [Int], _ blanks: [Bool], _ batch: borrowing ForeignBatch, _ row: Int, isCertain: inout Bool
    ) -> Int? {
        for place in places {
            let cell = batch.cell(row, place)
            if cell.kind == .empty { continue }
            switch PlainForm.presence(batch.text.span.extracting(cell.range), blanks: blanks) {
            case .there: return place
            case .nothing: continue
            case .unsure:
                isCertain = false
                return nil
            }
        }
        return nil
    }

    /// Appends the text to the buffer.
    func append(_ batch: borrowing ForeignBatch, _ row: Int, to buffer: inout [UInt8]) throws -> Outcome {
        switch source {
        case .constant(let text):
            buffer.append(contentsOf: text)
            return .text
        case .parent(let key): return try key.appendID(batch, row, to: &buffer)
        case .plan(let plan): return try general(plan, batch, row, to: &buffer)
        case .column(let places, let conversions, let isPlain):
            var isCertain = true
            guard let place = Self.place(places, scene.blanks, batch, row, isCertain: &isCertain) else {
                return isCertain ? .nothing : try general(.column(places, conversions), batch, row, to: &buffer)
            }
            let cell = batch.cell(row, place)
            guard cell.kind != .error else { return .unfit }
            let bytes = batch.text.span.extracting(cell.range)
            let start = buffer.count
            if isPlain {
                unsafe bytes.withUnsafeBufferPointer { unsafe buffer.append(contentsOf: $0) }
                if conversions.isEmpty || PlainConversion.apply(conversions, to: &buffer, from: start) { return .text }
                buffer.removeLast(buffer.count - start)
                return try general(.column([place], conversions), batch, row, to: &buffer)
            }
            // Cells of other kinds are converted in other ways.
            guard cell.kind == .text else { return try general(.column([place], conversions), batch, row, to: &buffer) }
            if let known = memo.value(of: bytes) {
                guard let known else { return .nothing }
                buffer.append(contentsOf: known)
                return .text
            }
            let outcome = try general(.column([place], conversions), batch, row, to: &buffer)
            switch outcome {
            case .text: memo.remember(Array(buffer[start...]), of: bytes)
            case .nothing: memo.remember(nil, of: bytes)
            case .unfit: break
            }
            return outcome
        }
    }

    private func general(_ plan: ValuePlan, _ batch: borrowing ForeignBatch, _ row: Int, to buffer: inout [UInt8]) throws -> Outcome {
        do {
            let foreign = ForeignRow(batch: copy batch, index: row, blanks: scene.words.blanks)
            guard let text = try scene.mapping.value(plan, field, foreign) else { return .nothing }
            buffer.append(contentsOf: text.utf8)
            return .text
        } catch is MappingFault {
            return .unfit
        }
    }
}

extension ValuePlan {
    /// Whether a value depends on the rows before.
    var counts: Bool {
        switch self {
        case .ordinal, .layer: true
        case .column, .join, .constant, .expression: false
        case .parent(_, let by): by.contains { $0.value.counts }
        case .other(_, let by, _): by.contains { $0.counts }
        case .identifier(let parts), .merge(let parts): parts.contains { $0.counts }
        case .object(let members): members.contains { $0.value.counts }
        }
    }
}
