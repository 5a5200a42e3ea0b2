package import Foundation
import GRDBSQLite
import JSONReading
package import Model

/// Stored values of fields as people read them: words of vocabularies, yes and no, days as the language writes them,
/// instants by the office's clock. Other values stay as they are stored.
package struct FieldText {
    private let pack: Pack
    private let language: Language
    private let timeZone: TimeZone

    package init(_ pack: Pack, in language: Language, _ timeZone: TimeZone) {
        (self.pack, self.language, self.timeZone) = (pack, language, timeZone)
    }

    package func text(_ stored: String, of field: Field) -> String {
        if let vocabulary = field.vocabulary.flatMap({ pack.vocabulary($0) }) {
            let words = field.type == .list ? (try? JSONValue.parse(stored))?.items?.compactMap(\.text) : nil
            let said = (words ?? [stored]).map { vocabulary.word(for: $0, pack.texts, in: language) }
            return said.joined(separator: ", ")
        }
        switch field.type {
        case .boolean:
            return switch stored {
            case "1", "true": pack.texts.text("word.yes", in: language)
            case "0", "false": pack.texts.text("word.no", in: language)
            default: stored
            }
        case .date: return language.day(stored) ?? stored
        case .datetime: return Timestamp.parse(stored).map { OfficeDay.time(of: $0, in: timeZone) } ?? stored
        case .decimal: return language == .italian ? stored.replacing(".", with: ",") : stored
        default: return stored
        }
    }
}

extension SQLFunctions {
    /// `field_text(table, field, value, language)`: NULL for a value that is missing, and the value of an unknown field
    /// as it is. `field_label(table, field, language)`: the field's label, or its name if it is unknown.
    static func registerFieldText(on handle: OpaquePointer, of pack: Pack, in timeZone: TimeZone) {
        unsafe add("field_text", 4, handle) { arguments in
            guard let value = arguments[2], let language = arguments[3].flatMap(Language.init) else { return .null }
            let field = arguments[0].flatMap { pack.entity($0) }.flatMap { entity in
                arguments[1].flatMap { entity.field($0) }
            }
            return .text(field.map { FieldText(pack, in: language, timeZone).text(value, of: $0) } ?? value)
        }
        unsafe add("field_label", 3, handle) { arguments in
            guard let name = arguments[1], let language = arguments[2].flatMap(Language.init) else { return .null }
            let entity = arguments[0].flatMap { pack.entity($0) }
            let key = entity.flatMap { entity in entity.field(name).map { entity.textKey(of: $0) } }
            return .text(key.flatMap { pack.texts.textIfAny($0, in: language) } ?? name)
        }
    }
}
