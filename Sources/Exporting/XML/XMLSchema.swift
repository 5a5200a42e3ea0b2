package import Model

/// The XSD 1.0 of every XML file that a pack's exports give: one root element `export`, whose
/// `xsi:type` names the export.
///
/// It is strict in names, order, types and closed vocabularies. Nothing is required, because a role
/// may not see every column and a record may be incomplete. Labels and units are its documentation,
/// in one language.
package enum XMLSchema {
    /// Sheets that a run may add after those of the pack, in this order.
    private static let runSheets = ["left_out", "findings"]

    package static func text(for pack: Pack, language: Language) -> String {
        var schema = XMLSchemaText(namespace: XMLName.namespace(pack: pack.name))
        let exports = pack.exports.filter { $0.bundle == nil }
        schema.head(documentation: "\(pack.texts.text("pack.title", in: language)) (\(pack.name) \(pack.version))", language: language)
        let vocabularies = VocabularyNames(pack)
        var used: Set<String> = []
        for export in exports {
            write(export, of: pack, vocabularies, language, &used, &schema)
        }
        for vocabulary in pack.vocabularies where used.contains(vocabularies.name(of: vocabulary.values) ?? "") {
            guard let name = vocabularies.name(of: vocabulary.values), used.remove(name) != nil else { continue }
            schema.vocabulary(name, vocabulary.values.map { ($0, pack.texts.textIfAny(vocabulary.textKey(of: $0), in: language)) })
        }
        return schema.finish()
    }

    private static func write(
        _ export: ExportDefinition, of pack: Pack, _ vocabularies: VocabularyNames, _ language: Language, _ used: inout Set<String>,
        _ schema: inout XMLSchemaText
    ) {
        schema.beginExport(XMLName.exportType(export.name), documentation: pack.texts.text("export." + export.name, in: language))
        for sheet in export.sheets {
            let title = pack.texts.text("sheet.\(export.name).\(sheet.name)", in: language)
            schema.beginSheet(
                XMLName.sheet(sheet.name), row: XMLName.make(pack.rowName(of: sheet)), repeats: sheet.forEach != nil, documentation: title)
            let columns = pack.columns(of: sheet, in: language, isAnonymous: export.isAnonymous)
            for column in columns.compactMap(\.self) {
                let type = XMLType(column)
                var name = type.schemaName
                if case .choice(let values) = type, let vocabulary = vocabularies.name(of: values) {
                    used.insert(vocabulary)
                    name = vocabulary
                }
                schema.column(XMLName.column(column.name), type: name, isNillable: type != .text, label: column.label, unit: column.unit)
            }
            schema.endSheet(hasParameters: columns.contains(nil))
        }
        let own = Set(export.sheets.map { XMLName.sheet($0.name) })
        schema.endExport(runSheets: runSheets.filter { !own.contains($0) })
    }

    /// A sheet's column knows the values of its vocabulary, not its name.
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
    /// The type's name in the schema; `value.text` where a vocabulary's is not known.
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
