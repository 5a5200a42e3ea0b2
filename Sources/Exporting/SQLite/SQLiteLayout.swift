import Databases
import Model

/// The tables, keys and views for the sheets of an export.
struct SQLiteLayout {
    private(set) var tables: [DatabaseTable] = []
    private(set) var views: [DatabaseView] = []

    /// Names of the tables that describe the export, besides those of the sheets.
    static let about = "about", tableNames = "tables", fieldNames = "fields"

    /// A table with the column that other tables refer to.
    private struct Target {
        var table: Int
        var column: Int
    }

    init(_ sheets: [Sheet]) {
        var taken: Set<String> = [Self.about, Self.tableNames, Self.fieldNames]
        let names = CSVNames.make(for: sheets).map { Self.unique($0.hasPrefix("sqlite_") ? "_" + $0 : $0, &taken) }
        let targets = Self.targets(sheets)
        for (sheet, name) in zip(sheets, names) {
            let own = Self.names(of: sheet)
            var columns: [DatabaseTable.Column] = []
            for (index, column) in sheet.columns.enumerated() {
                var made = Self.column(column, named: own[index])
                // A table can have only one key, even if a pack's sheet shows the id twice.
                if columns.contains(where: \.isKey) { made.isKey = false }
                columns.append(made)
            }
            tables.append(DatabaseTable(name, columns))
        }
        for (index, sheet) in sheets.enumerated() {
            for (position, target) in Self.references(sheet, targets) {
                tables[index].columns[position].isIndexed = true
                let other = tables[target.table], column = other.columns[target.column]
                if column.isKey {
                    tables[index].columns[position].reference = (other.name, column.name)
                } else {
                    tables[target.table].columns[target.column].isIndexed = true
                }
                guard target.table != index,
                    let view = view(tables[index], other, by: (position, target.column), &taken)
                else { continue }
                views.append(view)
            }
        }
    }

    /// Names of a sheet's columns. The pack's columns are named first, so that a parameter cannot
    /// take the name of one of them. NUL characters are replaced, because they would end a
    /// statement.
    private static func names(of sheet: Sheet) -> [String] {
        var taken: Set<String> = []
        var names = sheet.columns.map { $0.name.replacing("\0", with: "\u{FFFD}") }
        for isParameter in [false, true] {
            for (index, column) in sheet.columns.enumerated() where column.isParameter == isParameter {
                names[index] = unique(names[index], &taken)
            }
        }
        return names
    }

    private static func column(_ column: SheetColumn, named name: String) -> DatabaseTable.Column {
        let kind: DatabaseTable.Kind =
            switch column.kind {
            case .integer, .boolean: .integer
            case .decimal: .real
            case .text, .date, .time, .dateTime, .link: .text
            }
        var made = DatabaseTable.Column(name, kind)
        made.isKey = column.joint == .key(field: "id")
        made.comment = column.header.replacing("\0", with: "\u{FFFD}")
        return made
    }

    /// Columns that other tables refer to, by entity and field; only of entities whose rows are all
    /// in one table.
    private static func targets(_ sheets: [Sheet]) -> [SheetColumn.Joint: Target] {
        var found: [SheetColumn.Joint: Target] = [:]
        let once = Dictionary(grouping: sheets.compactMap(\.entity), by: \.self).filter { $0.value.count == 1 }
        for (index, sheet) in sheets.enumerated() {
            guard let entity = sheet.entity, once[entity] != nil else { continue }
            for (position, column) in sheet.columns.enumerated() {
                guard case .key(let field)? = column.joint else { continue }
                found[.reference(entity: entity, field: field)] = Target(table: index, column: position)
            }
        }
        return found
    }

    /// The columns of a sheet that refer to other tables: at most one for each target table,
    /// preferably the one that refers to its id.
    private static func references(_ sheet: Sheet, _ targets: [SheetColumn.Joint: Target]) -> [(
        position: Int, target: Target
    )] {
        let all = sheet.columns.enumerated().compactMap { position, column in
            column.joint.flatMap { targets[$0] }.map { (position: position, target: $0, isByID: Self.isByID(column)) }
        }
        return all.filter { one in
            all.first {
                $0.target.table == one.target.table
                    && ($0.isByID || !all.contains { $0.target.table == one.target.table && $0.isByID })
            }?.position
                == one.position
        }.map { ($0.position, $0.target) }
    }

    private static func isByID(_ column: SheetColumn) -> Bool {
        if case .reference(_, "id")? = column.joint { true } else { false }
    }

    /// Makes the view of a table and a table that it refers to (`cortes_calicatas`). The columns of
    /// the referred table have its name as prefix.
    private func view(
        _ own: DatabaseTable, _ other: DatabaseTable, by: (own: Int, other: Int), _ taken: inout Set<String>
    ) -> DatabaseView? {
        guard own.columns.count + other.columns.count <= DatabaseFile.mostColumns else { return nil }
        var shown: Set<String> = []
        let first = own.columns.map { ($0.name, Self.unique($0.name, &shown)) }
        let second = other.columns.map { ($0.name, Self.unique(other.name + "_" + $0.name, &shown)) }
        return DatabaseView(
            Self.unique(own.name + "_" + other.name, &taken), .init(own.name, first), with: .init(other.name, second),
            by: (own.columns[by.own].name, other.columns[by.other].name))
    }

    /// The name, or the name with the suffix `_2`, `_3` …, since SQLite treats `Nome` and `nome` as
    /// equal.
    private static func unique(_ name: String, _ taken: inout Set<String>) -> String {
        var candidate = name
        var number = 2
        while !taken.insert(candidate.lowercased()).inserted {
            candidate = "\(name)_\(number)"
            number += 1
        }
        return candidate
    }
}
