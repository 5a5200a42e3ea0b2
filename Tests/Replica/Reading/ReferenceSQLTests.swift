import Foundation
import Model
import Testing

@testable import Replica

/// The ways from a row to the record that it is part of: row by row, and from the record down.
@Suite struct ReferenceSQLTests {
    private static let paths = [
        ("calicatas", "project_id"), ("calicata_cortes", "calicata_id"), ("calicata_cortes", "calicata_id.project_id"),
        ("calicata_photos", "corte_id.calicata_id"), ("calicata_photos", "corte_id.calicata_id.project_id"),
    ]

    /// A photo refers to a stratum here.
    private func scene() throws -> ReadingScene {
        let scene = try ReadingScene.pits { entities in
            let photos = entities.firstIndex { $0.name == "calicata_photos" } ?? 0
            entities[photos].fields.append(PitPack.reference("corte_id", "calicata_cortes"))
        }
        try scene.sql("UPDATE calicata_photos SET corte_id = calicata_id || '-1' WHERE calicata_id <> 'c3'; INSERT INTO calicatas (id, code) VALUES ('lost', 'L')")
        return scene
    }

    @Test func aPathOfOneStepIsTheFieldItself() throws {
        let scene = try scene()
        let strata = try #require(scene.pack.entity("calicata_cortes"))
        let sql = ReferenceSQL(FieldPath("calicata_id"), from: strata, in: scene.pack)
        #expect(sql.value("p") == #"p."calicata_id""# && sql.condition("k", "= t0.id") == #"k."calicata_id" = t0.id"#)
    }

    @Test func bothWaysFindWhatJoinsFind() throws {
        let scene = try scene()
        var found = 0
        for (name, path) in Self.paths {
            let entity = try #require(scene.pack.entity(name)), sql = ReferenceSQL(FieldPath(path), from: entity, in: scene.pack, schema: "main")
            var joins = PathJoins(from: entity, pack: scene.pack)
            let joined = joins.column(FieldPath(path))
            let expected = try scene.sql("SELECT t0.id, \(joined) FROM \(name) AS t0\(joins.sql) ORDER BY t0.id")
            #expect(try scene.sql("SELECT p.id, \(sql.value("p")) FROM \(name) AS p ORDER BY p.id") == expected)
            for end in try scene.sql("SELECT id FROM \(path.hasSuffix("project_id") ? "projects" : "calicatas")") {
                let down = try scene.sql("SELECT p.id FROM \(name) AS p WHERE \(sql.condition("p", "= '\(end)'")) ORDER BY p.id")
                #expect(down == expected.filter { $0.hasSuffix("|" + end) }.map { $0.split(separator: "|").first.map(String.init) ?? "" }, "\(name) \(path) \(end)")
                found += down.count
            }
        }
        #expect(found > 20)
    }

    /// Rows are counted by references that lead to a row, or by its list of their ids.
    @Test func bothKindsOfPartsAreCounted() throws {
        let scene = try scene()
        try scene.sql("UPDATE calicata_cortes SET samples = '[\"c1-f\", \"c2-f\", \"gone\"]' WHERE id = 'c1-1'")
        for (name, path, expected) in [
            ("calicatas", "corte_id.calicata_id", ["c1|1", "c2|1", "c3|0", "lost|0", "x1|1"]), ("calicata_cortes", "corte_id", ["c1-1|1", "c1-2|0", "c2-1|1"]),
            ("calicata_cortes", "samples", ["c1-1|2", "c1-2|0", "c2-1|0"]),
        ] {
            let joins = PathJoins(from: try #require(scene.pack.entity(name)), pack: scene.pack)
            let found = try scene.sql("SELECT t0.id, (SELECT count(*) FROM \(joins.counted("calicata_photos", by: FieldPath(path)))) FROM \(name) AS t0 ORDER BY t0.id")
            #expect(Array(found.prefix(expected.count)) == expected, "\(name) \(path)")
        }
    }

    /// From a record down, every step is a look into an index.
    @Test func rowsAreFoundByTheIndexesOfReferences() throws {
        let scene = try scene()
        let photos = try #require(scene.pack.entity("calicata_photos"))
        let condition = ReferenceSQL(FieldPath("corte_id.calicata_id"), from: photos, in: scene.pack, schema: "main").condition("k", "= 'c1'")
        let plan = try scene.sql("EXPLAIN QUERY PLAN SELECT count(*) FROM calicata_photos AS k WHERE \(condition)").joined(separator: "\n")
        #expect(!plan.contains("SCAN") && plan.components(separatedBy: "SEARCH").count == 3, "\(plan)")
    }
}
