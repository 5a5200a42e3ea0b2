import Databases
import Model

/// Reads the strata of a finding's record, as defined by the pack's `strip`.
final class StripReader {
    private let session: ReadSession
    /// Cached strip of the last record: findings about one record usually follow each other.
    private var last: (root: String, strip: StrataStrip?)?

    /// Maximum number of layers in a picture of the strata; a small picture cannot show more.
    private static let mostLayers = 60

    init(_ session: ReadSession) {
        self.session = session
    }

    func strip(of finding: Finding) throws -> StrataStrip? {
        guard let table = finding.place.table, let id = finding.place.id else { return nil }
        for kind in session.pack.records {
            guard let strip = kind.strip, table == kind.root || table == strip.entity, isOpen(strip, kind),
                let part = kind.parts.first(where: { $0.entity == strip.entity }),
                let entity = session.pack.entity(strip.entity)
            else { continue }
            let by = ReferenceSQL(part.by, from: entity, in: session.pack)
            guard let root = try table == kind.root ? id : owner(of: id, in: strip.entity, by: by)
            else { continue }
            if last?.root != root { last = (root, try read(strip, kind, by: by, root: root)) }
            guard var picture = last?.strip else { return nil }
            picture.mark = mark(finding, strip, picture)
            // A finding about a field that is not a depth gets no picture.
            if picture.mark == .nothing, finding.place.field != nil { return nil }
            return picture
        }
        return nil
    }

    /// Whether the actor may see, and messages may quote, everything that is drawn.
    private func isOpen(_ strip: RecordKind.Strip, _ kind: RecordKind) -> Bool {
        let shown = [(strip.entity, strip.from), (strip.entity, strip.to), (strip.entity, strip.label)]
            + [strip.total, strip.water].compactMap { $0.map { (kind.root, $0) } }
        return shown.allSatisfy { entity, name in
            guard let field = session.pack.entity(entity)?.field(name) else { return false }
            return session.pack.mayQuote(field) && !session.isHidden(name, of: entity)
        }
    }

    private func owner(of id: String, in entity: String, by: ReferenceSQL) throws -> String? {
        let statement = try session.connection.prepare(
            "SELECT \(by.value("p")) FROM \(SQLText.name(entity)) AS p WHERE id = ?1", [.text(id)])
        return try statement.step() ? statement.text(0) : nil
    }

    private func read(_ strip: RecordKind.Strip, _ kind: RecordKind, by: ReferenceSQL, root: String) throws
        -> StrataStrip?
    {
        guard let entity = session.pack.entity(kind.root), let part = session.pack.entity(strip.entity) else {
            return nil
        }
        var joins = PathJoins(from: entity, pack: session.pack)
        let key = RowNaming.key(of: entity, pack: session.pack, joins: &joins)
        let head = try session.connection.prepare(
            """
            SELECT \(key), \(Self.number("t0", strip.total)), \(Self.number("t0", strip.water))
            FROM \(SQLText.name(entity.name)) AS t0\(joins.sql) WHERE t0.id = ?1
            """, [.text(root)])
        guard try head.step() else { return nil }
        let rows = try session.connection.prepare(
            """
            SELECT id, \(Self.number("p", strip.from)), \(Self.number("p", strip.to)), \
            p.\(SQLText.name(strip.label)) FROM \(SQLText.name(strip.entity)) AS p
            WHERE \(by.condition("p", "= ?1")) ORDER BY 2, 3, id LIMIT \(Self.mostLayers)
            """, [.text(root)])
        var layers: [StrataStrip.Layer] = []
        while try rows.step() {
            layers.append(StrataStrip.Layer(
                id: rows.text(0) ?? "", from: Self.real(rows, 1), to: Self.real(rows, 2), label: rows.text(3) ?? ""))
        }
        let total = Self.real(head, 1)
        guard total != nil || !layers.isEmpty else { return nil }
        return StrataStrip(
            title: head.text(0) ?? root, unit: part.field(strip.from)?.unit ?? "", layers: layers, total: total,
            water: Self.real(head, 2),
            mark: .nothing)
    }

    /// A column if it contains a number; a text instead of a number is not drawn.
    private static func number(_ alias: String, _ column: String?) -> String {
        guard let column else { return "NULL" }
        let name = alias + "." + SQLText.name(column)
        return "CASE WHEN typeof(\(name)) IN ('integer', 'real') THEN \(name) END"
    }

    private static func real(_ statement: PreparedStatement, _ column: Int) -> Double? {
        statement.isNull(column) ? nil : statement.real(column)
    }

    /// The part of the picture that the finding concerns.
    private func mark(_ finding: Finding, _ strip: RecordKind.Strip, _ picture: StrataStrip) -> StrataStrip.Mark {
        guard finding.place.table == strip.entity else {
            let field = finding.place.field
            if let field, field == strip.total { return .total }
            if let field, field == strip.water { return .water }
            // A message about another field may quote a depth.
            return field != nil && strip.water.map { finding.arguments[$0] != nil } == true ? .water : .nothing
        }
        guard let layer = picture.layers.firstIndex(where: { $0.id == finding.place.id }) else { return .nothing }
        switch finding.place.field {
        case strip.from: return .top(layer)
        case strip.to: return .bottom(layer)
        default: return .layer(layer)
        }
    }
}
