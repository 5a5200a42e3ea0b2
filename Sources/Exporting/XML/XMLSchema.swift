package import Model

/// The XSD 1.0 of every XML file that a pack's exports write: one root element `export`, whose
/// `xsi:type` names the export.
///
/// The schema is strict in names, order, types and closed vocabularies. No column is required,
/// because a role may not see every column and a record may be incomplete. Labels and units are in
/// the schema's documentation, in one language.
package enum XMLSchema {
    /// Sheets that a run may add after those of the pack, in this order: left-out records and
    /// findings.
    private static let runSheets = ["left_out", "findings"]

    package static func text(for pack: Pack, language: Language) -> String {
        var schema = XMLSchemaText(namespace: XMLName.namespace(pack: pack.name))
        let exports = pack.exports.filter { $0.bundle == nil }
        schema.head(
            documentation: "\(pack.texts.text("pack.title", in: language)) (\(pack.name) \(pack.version))",
            language: language)
        let vocabularies = VocabularyNames(pack)
        var used: Set<String> = []
        for export in exports {
            write(export, of: pack, vocabularies, language, &used, &schema)
        }
        for vocabulary in pack.vocabularies where used.contains(vocabularies.name(of: vocabulary.values) ?? "") {
            guard let name = vocabularies.name(of: vocabulary.values), used.remove(name) != nil else { continue }
            schema.vocabulary(
                name, vocabulary.values.map { ($0, pack.texts.textIfAny(vocabulary.textKey(of: $0), in: language)) })
        }
        return schema.finish()
    }

    private static func write(
        _ export: ExportDefinition, of pack: Pack, _ vocabularies: VocabularyNames, _ language: Language,
        _ used: inout Set<String>,
        _ schema: inout XMLSchemaText
    ) {
        schema.beginExport(
            XMLName.exportType(export.name), documentation: pack.texts.text("export." + export.name, in: language))
        for sheet in export.sheets {
            let title = pack.texts.text("sheet.\(export.name).\(sheet.name)", in: language)
            schema.beginSheet(
                XMLName.sheet(sheet.name), row: XMLName.make(pack.rowName(of: sheet)), repeats: sheet.forEach != nil,
                documentation: title)
            let columns = pack.columns(of: sheet, in: language, isAnonymous: export.isAnonymous)
            for column in columns.compactMap(\.self) {
                let type = XMLType(column)
                var name = type.schemaName
                if case .choice(let values) = type, let vocabulary = vocabularies.name(of: values) {
                    used.insert(vocabulary)
                    name = vocabulary
                }
                schema.column(
                    XMLName.column(column.name), type: name, isNillable: type != .text, label: column.label,
                    unit: column.unit)
            }
            schema.endSheet(hasParameters: columns.contains(nil))
        }
        let own = Set(export.sheets.map { XMLName.sheet($0.name) })
        schema.endExport(runSheets: runSheets.filter { !own.contains($0) })
    }

    /// Finds a vocabulary's name by its values, because a sheet's column contains only the values.
    private struct VocabularyNames {
        private var names: [[String]: String] = [:]

        init(_ pack: Pack) {
            for vocabulary in pack.vocabularies where names[vocabulary.values] == nil {
                names[vocabulary.values] = "vocabulary." + XMLName.make(vocabulary.name)
            }
        }

        func name(of values: [String]) -> String? { names[values] }
    }
}

extension XMLType {
    /// The type's name in the schema; `value.text` for a vocabulary whose name is not known.
    var schemaName: String {
        switch self {
        case .text, .choice: "value.text"
        case .integer: "value.integer"
        case .number: "value.number"
        case .boolean: "value.boolean"
        case .date: "value.date"
        case .time: "value.time"
        case .instant: "value.instant"
        }
    }
}

/// The permitted content of a column's element, which the schema declares and the writer checks.
enum XMLType: Hashable, Sendable {
    case text
    /// xs:integer
    case integer
    /// xs:double
    case number
    /// xs:boolean
    case boolean
    /// xs:date, `yyyy-MM-dd` without a zone
    case date
    /// xs:time, `HH:mm:ss` without a zone
    case time
    /// xs:dateTime in UTC, `yyyy-MM-ddTHH:mm:ss[.f…]Z`
    case instant
    /// One of the values of a closed vocabulary.
    case choice([String])

    init(_ column: SheetColumn) {
        switch column.kind {
        case .text, .link: self = column.isClosed && !column.options.isEmpty ? .choice(column.options) : .text
        case .integer: self = .integer
        case .decimal: self = .number
        case .boolean: self = .boolean
        case .date: self = .date
        case .time: self = .time
        case .dateTime: self = .instant
        }
    }
}

/// Makes names of elements and types: valid ASCII NCNames (XML Namespaces 1.0, section 3). Schema
/// and writer both use them.
enum XMLName {
    static let namespacePrefix = "urn:fichero:"
    /// The version of the layout, which is increased by changes that older readers would not
    /// understand.
    static let layoutVersion = 1

    static func namespace(pack: String) -> String { namespacePrefix + make(pack) + ":\(layoutVersion)" }

    /// The element of a sheet; `about` is reserved for the head.
    static func sheet(_ name: String) -> String {
        let made = make(name)
        return made == "about" ? "about_" : made
    }

    /// The element of a column; `parameter` is reserved for the columns of a family's parameters.
    static func column(_ name: String) -> String {
        let made = make(name)
        return made == "parameter" ? "parameter_" : made
    }

    static func exportType(_ name: String) -> String { "export." + make(name) }

    /// Replaces every character except ASCII letters, digits, `_` and `.` by `_`. The result never
    /// begins with a digit or `.`.
    static func make(_ name: String) -> String {
        var made = ""
        for scalar in name.unicodeScalars {
            let isKept =
                scalar.isASCII
                && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "." || scalar == "_")
            made.append(isKept ? Character(scalar) : "_")
        }
        guard let first = made.first, first.isLetter || first == "_" else { return "_" + made }
        return made
    }
}
