/// Texts that stand in for others that a pack does not write, so that none is written twice.
package enum TextDefaults {
    /// A text by its key, and the key of the text that stands in where there is none.
    package typealias Pair = (key: String, other: String)

    /// Each text that another may stand in for, in the order in which they must be filled: a text
    /// may stand in that was filled before.
    ///
    /// - `entity.TABLE.one`: `entity.TABLE`
    /// - `field.TABLE.FIELD`: `field.FIELD`, for all tables with such a field
    /// - `vocabulary.roles.ROLE`: `role.ROLE`
    /// - `record.NAME`: its root's `entity.TABLE.one`
    /// - `export.NAME`: the record's
    /// - `sheet.EXPORT.SHEET`: the `entity.TABLE` of its rows
    package static func pairs(_ pack: Pack) -> [Pair] {
        var pairs: [Pair] = []
        for entity in pack.entities {
            pairs.append((entity.textKey + ".one", entity.textKey))
            pairs += entity.fields.map { (entity.textKey(of: $0), shared($0)) }
        }
        pairs += pack.roles.map { ("vocabulary.roles." + $0.name, "role." + $0.name) }
        pairs += pack.records.map { ("record." + $0.name, "entity.\($0.root).one") }
        for export in pack.exports {
            pairs.append(("export." + export.name, "record." + export.record))
            pairs += export.sheets.compactMap { sheet in sheet.forEach == nil && sheet.query == nil ? ("sheet.\(export.name).\(sheet.name)", "entity." + sheet.entity) : nil }
        }
        return pairs
    }

    /// The key of a text for all fields with a name, whatever their table.
    static func shared(_ field: Field) -> String { "field." + field.name }

    /// The keys that may stand for fields of several tables.
    package static func shared(_ pack: Pack) -> Set<String> { Set(pack.entities.flatMap { $0.fields.map(shared) }) }
}
