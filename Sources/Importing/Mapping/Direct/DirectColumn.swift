import Foundation
import JSONReading
import Model

/// One field of an entity as a foreign table fills it: from the row's cell to the value that the replica stores.
final class DirectColumn {
    private enum Form {
        /// Any text that no vocabulary has a say in.
        case text
        /// A number with this decimal mark, which an otherwise plain cell may be.
        case decimal(point: UInt8, [Int])
        case integer, day, instant, uuid
        case other
    }

    let field: Field
    private let form: Form
    private let text: DirectText
    private let scene: DirectText.Scene
    private let values: ValueConversion
    private var memo = BytesMemo<MemoryRows.Value>()
    /// The text that the value was made of, as long as the row is read.
    private(set) var bytes: [UInt8] = []
    /// The columns that it is, where nothing is done to their text.
    private let plainPlaces: [Int]?

    /// - Parameter isKey: whether the text of the value is asked for.
    init?(_ plan: ValuePlan, of field: Field, isKey: Bool, values: ValueConversion, _ scene: DirectText.Scene) {
        guard let text = DirectText(plan, field: field.name, scene) else { return nil }
        (self.field, self.text, self.scene, self.values) = (field, text, scene, values)
        var places: [Int]?
        var conversions: [CellConversion] = []
        if case .column(let columns, let list) = plan { (places, conversions) = (columns, list) }
        plainPlaces = !isKey && conversions.isEmpty ? places : nil
        form =
            switch field.type {
            case .text where field.vocabulary == nil, .time where field.vocabulary == nil: .text
            case .decimal: Self.decimal(conversions, isKey ? nil : places)
            case .integer: .integer
            case .date: .day
            case .datetime: .instant
            case .uuid: .uuid
            default: .other
            }
    }

    private static func decimal(_ conversions: [CellConversion], _ places: [Int]?) -> Form {
        guard let places else { return .other }
        return switch conversions.drop(while: { $0 == .trim }) {
        case []: .decimal(point: UInt8(ascii: "."), places)
        case [.decimalComma]: .decimal(point: UInt8(ascii: ","), places)
        case [.decimalPoint]: .decimal(point: UInt8(ascii: "."), places)
        default: .other
        }
    }

    /// Appends the value of a row, or null where the row has none; false where the row is one for those who can tell what is wrong with it.
    ///
    /// - Parameter hasText: whether `bytes` has a text afterwards.
    func append(_ batch: borrowing ForeignBatch, _ row: Int, to rows: inout RowBatch, hasText: inout Bool) throws -> Bool {
        hasText = false
        if case .decimal(let point, let places) = form {
            var isCertain = true
            let place = DirectText.place(places, scene.blanks, batch, row, isCertain: &isCertain)
            if isCertain {
                guard let place else {
                    rows.appendNull()
                    return true
                }
                let cell = batch.cell(row, place)
                if cell.kind == .text || cell.kind == .number,
                    let real = PlainForm.decimal(
                        batch.text.span.extracting(cell.range), point: cell.kind == .number ? UInt8(ascii: ".") : point)
                {
                    rows.append(real)
                    return true
                }
            }
        } else if let plainPlaces {
            var isCertain = true
            let place = DirectText.place(plainPlaces, scene.blanks, batch, row, isCertain: &isCertain)
            if isCertain {
                guard let place else {
                    rows.appendNull()
                    return true
                }
                let cell = batch.cell(row, place)
                guard cell.kind != .error else { return false }
                return typed(batch.text.span.extracting(cell.range), to: &rows)
            }
        }
        bytes.removeAll(keepingCapacity: true)
        switch try text.append(batch, row, to: &bytes) {
        case .unfit: return false
        case .nothing:
            rows.appendNull()
            return true
        case .text:
            hasText = true
            let bytes = bytes
            return typed(bytes.span, to: &rows)
        }
    }

    private func typed(_ bytes: Span<UInt8>, to rows: inout RowBatch) -> Bool {
        switch form {
        case .text:
            rows.append(bytes)
            return true
        case .integer:
            guard let integer = PlainForm.integer(bytes) else { break }
            rows.append(integer)
            return true
        case .day where PlainForm.isDay(bytes), .instant where PlainForm.isInstant(bytes), .uuid where PlainForm.isUUID(bytes):
            rows.append(bytes)
            return true
        default: break
        }
        let value: MemoryRows.Value
        if let known = memo.value(of: bytes) {
            value = known
        } else {
            let text = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
            guard let made = try? values.convert(.string(scene.mapping.fitted(text, to: field.type)), for: field) else { return false }
            memo.remember(made, of: bytes)
            value = made
        }
        switch value {
        case .null: rows.appendNull()
        case .integer(let integer): rows.append(integer)
        case .real(let real): rows.append(real)
        case .text(let text): rows.append(text)
        }
        return true
    }
}

extension RowBatch {
    @inline(__always) mutating func append(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe append(utf8: $0) }
    }
}
