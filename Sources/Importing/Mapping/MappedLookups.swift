import Model

/// The lookup tables of a source, each read once for every kind of lookup.
final class MappedLookups {
    private var tables: [(name: String, table: LookupTable)] = []
    /// Used cells of tables that serve only for lookups, by the tables' names.
    private var tableUses: [(name: String, use: ColumnUse)] = []
    private let others: [ImportMapping.Other]
    /// Lookups whose values are personal data, so that findings do not show them.
    private let hidden: Set<String>

    init(_ mapping: ImportMapping, _ pack: Pack) {
        others = mapping.others
        let targets = mapping.tables.flatMap(\.targets) + mapping.forms.flatMap(\.rows).map(\.target)
        hidden = Set(targets.flatMap { target in
            target.fields.filter { !pack.mayQuote(pack.entity(target.entity)?.field($0.name)) }.flatMap(\.others).map { "\($0)" }
        })
    }

    /// Begins the record of used cells for a table that serves only for lookups; false where
    /// nothing is looked up in it.
    func takeUse(of table: ForeignTable, path: String) -> Bool {
        guard others.contains(where: { ColumnName.matches(table.name, $0.table) }) else { return false }
        tableUses.append((table.name, ColumnUse(file: table.file ?? path, table: table.name)))
        return true
    }

    /// The used cells of those tables that were read.
    var uses: [ColumnUse] { tableUses.map(\.use).filter { !$0.columns.isEmpty } }

    /// A table's record of used cells, and every heading of it that any lookup reads.
    func use(of table: ForeignTable) -> (use: ColumnUse, headings: [String])? {
        guard let use = tableUses.first(where: { $0.name == table.name })?.use else { return nil }
        return (use, others.filter { ColumnName.matches(table.name, $0.table) }.flatMap(\.allHeadings))
    }

    func table(of other: ImportMapping.Other, _ conversions: [CellConversion], make: () throws -> LookupTable) throws -> LookupTable {
        let name = "\(other) \(conversions)"
        if let known = tables.first(where: { $0.name == name }) { return known.table }
        let made = try make()
        tables.append((name, made))
        return made
    }

    var findings: [Finding] {
        var noted: [Finding] = []
        // Fields with the same lookup have the same findings, which are reported once.
        for table in tables {
            for finding in table.table.findings(isHidden: hidden.contains("\(table.table.other)")) where !noted.contains(finding) { noted.append(finding) }
        }
        return noted
    }
}
