import Databases
import Model

/// The rows of one sheet in SQL, as far as the sheet has more than rows of an entity: those of a
/// pack's query, those of an anonymous export, and those that are left after small groups went.
struct SheetSQL {
    /// Common table expressions before the rows.
    var tables: [String] = []
    /// SELECT of the sheet's columns, in order.
    var rows: String
    var names: [String]
    var suppression: Suppression?

    private static let all = SQLText.name("sheet rows")
    private static let groups = SQLText.name("sheet groups")
    private static let people = SQLText.name("sheet people")

    /// The rows that the sheet shows.
    var sql: String {
        guard suppression != nil else { return with(tables) + rows }
        return with(grouped) + "SELECT \(list("r")) FROM \(joined) WHERE g.\(Self.people) >= :below ORDER BY r.\"sheet place\""
    }

    /// How many rows the sheet shows; and how many rows and groups it leaves out.
    var count: String {
        guard suppression != nil else { return with(tables) + "SELECT count(*), 0, 0 FROM (\(rows)\n)" }
        return with(grouped)
            + "SELECT coalesce(sum(\"sheet size\") FILTER (WHERE \(Self.people) >= :below), 0), coalesce(sum(\"sheet size\") FILTER (WHERE \(Self.people) < :below), 0), count(*) FILTER (WHERE \(Self.people) < :below) FROM \(Self.groups)"
    }

    private func with(_ tables: [String]) -> String { tables.isEmpty ? "" : "WITH " + tables.joined(separator: ", ") + " " }

    private func list(_ alias: String) -> String { names.map { alias + "." + SQLText.name($0) }.joined(separator: ", ") }

    /// The rows with their place in the order, and the groups with the number of their people. The
    /// columns are named here, since those of a pack's entity have no names of their own.
    private var grouped: [String] {
        guard let suppression else { return tables }
        let by = suppression.by.map(SQLText.name).joined(separator: ", ")
        let columns = (names.map(SQLText.name) + ["\"sheet place\""]).joined(separator: ", ")
        return tables + [
            "\(Self.all) (\(columns)) AS MATERIALIZED (SELECT *, row_number() OVER () FROM (\(rows)\n))",
            "\(Self.groups) AS MATERIALIZED (SELECT \(by), count(DISTINCT \(SQLText.name(suppression.of))) AS \(Self.people), count(*) AS \"sheet size\" FROM \(Self.all) GROUP BY \(by))",
        ]
    }

    private var joined: String {
        let conditions = (suppression?.by ?? []).map(SQLText.name).map { "r.\($0) IS g.\($0)" }
        return "\(Self.all) AS r JOIN \(Self.groups) AS g ON \(conditions.joined(separator: " AND "))"
    }
}
