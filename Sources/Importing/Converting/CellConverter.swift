import Foundation
import JSONReading
import Model

/// Converts one field's value, from a cell or from a text made of several cells, to its stored
/// form. Throws the reason if the value does not fit the field. Plain values are recognised from
/// their bytes; the results of other values are cached.
final class CellConverter {
    private enum Form {
        /// Any text of a field without a vocabulary.
        case text
        case decimal, integer, boolean, day, instant, uuid
        case other
    }

    let field: Field
    private let form: Form
    private let values: ValueConversion
    private let officeZone: TimeZone?
    /// Collects values that lost digits; nil if rounding does not matter.
    private let roundings: RoundedValues?
    private var memo = BytesMemo<MemoryRows.Value>()

    /// - Parameter officeZone: the time zone of external files' days and times that name none; nil:
    ///   such times do not fit.
    init(_ field: Field, values: ValueConversion, officeZone: TimeZone? = nil, roundings: RoundedValues? = nil) {
        (self.field, self.values, self.officeZone, self.roundings) = (field, values, officeZone, roundings)
        form =
            switch field.type {
            case .text where field.vocabulary == nil, .time where field.vocabulary == nil: .text
            case .decimal: .decimal
            case .integer: .integer
            case .boolean: .boolean
            case .date: .day
            case .datetime: .instant
            case .uuid: .uuid
            default: .other
            }
    }

    /// Appends the value of a cell's bytes.
    ///
    /// - Parameter kind: the type that the source declares for the bytes.
    func append(_ kind: ForeignBatch.Kind, _ bytes: Span<UInt8>, to rows: inout RowBatch) throws(ValueConversion.Misfit)
    {
        switch (form, kind) {
        case (_, .empty), (_, .null): return rows.appendNull()
        case (.text, .text), (.text, .number): return rows.append(bytes)
        case (.decimal, .number), (.decimal, .text):
            if let real = PlainForm.decimal(bytes, point: UInt8(ascii: ".")) { return rows.append(real) }
        case (.integer, .number), (.integer, .text):
            if let integer = PlainForm.integer(bytes) { return rows.append(integer) }
        case (.boolean, .boolean): return rows.append(Int64(bytes.count == 4 ? 1 : 0))
        case (.day, .text) where StoredTime.isDate(bytes), (.instant, .text) where PlainForm.isInstant(bytes),
            (.uuid, .text) where UUIDText.isCanonical(bytes):
            return rows.append(bytes)
        default: break
        }
        if kind == .text, let known = memo.value(of: bytes) { return rows.append(known) }
        let text = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
        let value = try values.convert(Self.json(kind, fitted(text)), for: field)
        if let roundings, RoundedValues.isRounded(text, value, field.type) {
            // Not cached, because each occurrence is counted.
            roundings.note(field.name, text, value)
        } else if kind == .text {
            memo.remember(value, of: bytes)
        }
        rows.append(value)
    }

    private static func json(_ kind: ForeignBatch.Kind, _ text: String) -> JSONValue {
        switch kind {
        case .empty, .null: .null
        case .number: .number(text)
        case .boolean: .bool(text == "true")
        case .json: (try? JSONValue.parse(text)) ?? .string(text)
        default: .string(text)
        }
    }

    /// Brings days and times to the form in which the field stores them: times in an external file
    /// are in the office's time zone.
    private func fitted(_ text: String) -> String {
        guard let officeZone else { return text }
        switch field.type {
        case .date where text.utf8.count > 10: return Timestamp.day(of: text) ?? text
        case .datetime where Timestamp.normalized(text) == nil:
            return Timestamp.instant(local: text, in: officeZone) ?? text
        default: return text
        }
    }

    /// The text of a key in the form in which keys are compared: a day without the time that a cell
    /// shows beside it.
    func keyText(_ text: String) -> String { fitted(text) }
}

extension RowBatch {
    @inline(__always) mutating func append(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe append(utf8: $0) }
    }
}

extension ValueConversion.Misfit {
    /// The finding for a value that does not fit a field; personal data is not shown.
    func finding(_ field: Field, of pack: Pack, at place: Place) -> Finding {
        var place = place
        place.field = field.name
        return Finding("FIELD-TYPE", place: place, arguments: ["value": pack.quoted(value, of: field), "type": type])
    }
}
