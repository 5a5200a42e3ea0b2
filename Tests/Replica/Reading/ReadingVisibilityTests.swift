import Databases
import Foundation
import Model
import Packs
import Testing
import Workbench

@testable import Replica

/// What an actor may see, and what the SQL of a pack may do.
@Suite struct ReadingVisibilityTests {
    @Test func rowsOfOtherProjectsAreHiddenAtEveryDepth() throws {
        let scene = try ReadingScene.pits()
        let session = try scene.session()
        #expect(session.projects.map(\.code) == ["TPA-1"])
        for (entity, count) in [("projects", 1), ("calicatas", 3), ("calicata_cortes", 6), ("calicata_photos", 3), ("project_members", 1), ("profiles", 1)] {
            #expect(try allRows(session.rows(of: entity, paths: [])).count == count, "\(entity)")
        }
        #expect(try allRows(session.rows(of: "calicata_cortes", paths: [FieldPath("calicata_id.project_id.code")])).allSatisfy { $0[1] == "TPA-1" })
    }

    @Test func aMemberOfAllSeesRowsWhoseProjectIsMissingAndANonMemberNothing() throws {
        let scene = try ReadingScene.pits()
        try scene.sql("INSERT INTO calicatas (id, code) VALUES ('lost', 'L-1')")
        #expect(try !allRows(scene.session().rows(of: "calicatas", paths: [])).contains(["lost"]))
        try scene.sql("INSERT INTO project_members (id, project_id, profile_id) VALUES ('m2', 'p2', '\(ReadingScene.actorID)')")
        #expect(try allRows(scene.session().rows(of: "calicatas", paths: [])).contains(["lost"]))
        // If one project of two is asked for, the rows without a project are hidden again.
        #expect(try allRows(scene.session(projects: ["TPA-2"]).rows(of: "calicatas", paths: [])) == [["x1"]])
        try scene.sql("DELETE FROM project_members")
        #expect(try allRows(scene.session().rows(of: "calicatas", paths: [])) == [])
        try scene.sql("DELETE FROM calicata_photos; DELETE FROM calicata_cortes; DELETE FROM calicatas WHERE id <> 'lost'; DELETE FROM projects")
        #expect(try allRows(scene.session().rows(of: "calicatas", paths: [])) == [])
    }

    @Test func anUnknownProjectIsReportedLikeOneOfOthers() throws {
        let scene = try ReadingScene.pits()
        for code in ["TPA-2", "NO-SUCH", "' OR 1 = 1 --"] {
            #expect(throws: SelectionFailure.unknownProject(code, visible: ["TPA-1"])) { try scene.session(projects: [code]) }
        }
    }

    @Test func columnsOfHiddenClassesAreAbsent() throws {
        let scene = try ReadingScene.pits { entities in
            for (name, privacy) in [("title", "personal"), ("depth_m", "secret"), ("status", "internal")] {
                if let field = entities[1].fields.firstIndex(where: { $0.name == name }) { entities[1].fields[field].privacy = privacy }
            }
        }
        let paths = ["title", "depth_m", "status", "code"].map { FieldPath($0) }
        let manager = try scene.session("GERENCIA"), reader = try scene.session("LECTOR")
        #expect(try allRows(manager.rows(of: "calicatas", paths: paths)).first { $0[0] == "c2" } == ["c2", "Dos", "∅", "APROBADO", "C-2"])
        #expect(try allRows(reader.rows(of: "calicatas", paths: paths)).first { $0[0] == "c2" } == ["c2", "∅", "∅", "∅", "C-2"])
        #expect(manager.isHidden("depth_m", of: "calicatas") && !manager.isHidden("title", of: "calicatas"))
        #expect(reader.hiddenFields.map(\.field) == ["title", "depth_m", "status"])
        // The field is also hidden behind references and in filters.
        #expect(try allRows(reader.rows(of: "calicata_cortes", paths: [FieldPath("calicata_id.title")])).allSatisfy { $0[1] == "∅" })
        let summary = try reader.select(scene.record, in: reader.projects[0], SelectionRequest(filter: "title = 'Dos'"), hasRemote: false)
        #expect(summary.selected == 0)
    }

    private static let refused = [
        "SELECT id FROM main.calicatas", "SELECT id FROM \"main\".calicatas", "SELECT id FROM 'main'/**/.calicatas",
        "WITH calicatas AS (SELECT * FROM main.calicatas) SELECT id FROM calicatas",
        "WITH x AS (SELECT id FROM main.calicatas) SELECT id FROM x", "SELECT (SELECT max(id) FROM main.calicatas) AS id",
        "SELECT name AS id FROM sqlite_master", "SELECT name AS id FROM sqlite_temp_master", "SELECT name AS id FROM temp.sqlite_schema",
        "WITH x AS (SELECT name FROM sqlite_temp_schema) SELECT name AS id FROM x", "SELECT count(*) AS id FROM sqlite_schema",
        "SELECT name AS id FROM pragma_database_list", "SELECT count(*) AS id FROM pragma_database_list",
        "SELECT name AS id FROM pragma_table_info('calicatas')", "PRAGMA database_list", "ATTACH ':memory:' AS other",
        "INSERT INTO calicatas (id) VALUES ('q')", "DELETE FROM visible_projects", "CREATE TEMP TABLE t (id)", "DROP VIEW temp.calicatas",
        "SELECT value AS id FROM fichero_replica", "SELECT count(*) AS id FROM pipeline_runs",
        "WITH x AS (SELECT * FROM export_numbers) SELECT row_id AS id FROM x", "SELECT id FROM imports", "SELECT id FROM rejects",
        "SELECT row_id AS id FROM findings", "SELECT load_extension('x') AS id", "SELECT id FROM dbstat",
        "SELECT id FROM calicatas) UNION SELECT id FROM (SELECT id FROM main.calicatas",
        "SELECT id FROM calicatas; DELETE FROM calicatas", "VACUUM", "SELECT id FROM no_such_table",
    ]

    @Test func sqlOfAPackIsRefused() throws {
        let scene = try ReadingScene.pits()
        let session = try scene.session()
        for sql in Self.refused {
            #expect(throws: QueryRefusal.self, "\(sql)") { _ = try allRows(session.query(sql, columns: ["id"], seconds: 5)) }
            // SQLite compiles only the first of several statements, so the others are not tested in
            // this way.
            if !sql.contains(";") {
                #expect(throws: ReplicaFailure.self, "\(sql)") { _ = try session.connection.prepareGuarded(sql).step() }
            }
        }
        // The session can still be used.
        #expect(try allRows(session.rows(of: "calicatas", paths: [])).count == 3)
    }

    @Test func aQueryThatReadsAHiddenFieldIsNotRun() throws {
        let scene = try ReadingScene.pits { entities in
            if let field = entities[1].fields.firstIndex(where: { $0.name == "title" }) { entities[1].fields[field].privacy = "personal" }
        }
        let manager = try scene.session("GERENCIA"), reader = try scene.session("LECTOR")
        let reading = [
            "SELECT id FROM calicatas WHERE title IS NULL", "SELECT id, max(title) AS t FROM calicatas", "WITH x AS (SELECT * FROM calicatas) SELECT id FROM x WHERE title = 'a'",
            "SELECT s.id FROM calicata_cortes AS s JOIN calicatas AS p ON p.id = s.calicata_id ORDER BY p.title",
        ]
        for sql in reading {
            #expect(throws: QueryRefusal.hiddenField, "\(sql)") { _ = try reader.query(sql, columns: ["id"], seconds: 5) }
            _ = try allRows(manager.query(sql, columns: ["id"], seconds: 5))
        }
        // Only that query is refused.
        #expect(try allRows(reader.query("SELECT id FROM calicatas", columns: ["id"], seconds: 5)).count == 3)
    }

    private static let allowed = [
        ("SELECT id FROM calicatas", 3), ("SELECT id, count(*) AS n FROM calicata_cortes GROUP BY calicata_id", 3),
        ("SELECT count(*) AS id FROM calicatas", 1), ("SELECT 'x' AS id FROM calicatas, projects", 3),
        ("WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < 4) SELECT id FROM n", 4),
        ("WITH deep AS (SELECT * FROM calicatas WHERE depth_m > 1.5) SELECT id FROM deep WHERE EXISTS (SELECT 1 FROM calicata_cortes WHERE calicata_id = deep.id)", 2),
        ("SELECT id FROM (SELECT id, lag(code) OVER (PARTITION BY project_id ORDER BY code) AS other FROM calicatas) WHERE other IS NOT NULL", 2),
        ("SELECT value AS id FROM json_each('[1, 2]')", 2), ("SELECT t.value AS id FROM calicatas, json_tree('{\"a\": 1}') AS t WHERE t.atom IS NOT NULL", 3),
        ("SELECT upper(metres('1+200')) AS id", 1), ("SELECT a.id FROM calicatas a LEFT JOIN calicatas b ON b.id = a.id AND b.code = 'C-1'", 3),
        ("SELECT id FROM calicatas UNION ALL SELECT id FROM exports", 3), ("SELECT id FROM profiles -- a remark", 1),
    ]

    @Test func sqlOfAPackMayReadWhatTheActorSees() throws {
        let scene = try ReadingScene.pits()
        let session = try scene.session()
        for (sql, count) in Self.allowed {
            #expect(try allRows(session.query(sql, columns: ["id"], seconds: 5)).count == count, "\(sql)")
        }
    }

    @Test func columnsComeInTheOrderAskedFor() throws {
        let scene = try ReadingScene.pits()
        let session = try scene.session()
        let source = try session.query("SELECT code, depth_m AS \"the depth\", id FROM calicatas ORDER BY id", columns: ["id", "the depth", "code"], seconds: 5)
        #expect(try allRows(source) == [["c1", "1.5", "C-1"], ["c2", "2.0", "C-2"], ["c3", "3.0", "C-3"]])
    }

    @Test(arguments: ProjectFolder.systems) func everyRuleOfThePacksRunsUnderTheGuard(_ name: String) throws {
        let scene = try ReadingScene(survey: name)
        // The actor is a member of one project only, so the views filter rows.
        try scene.sql("DELETE FROM project_members WHERE profile_id = '\(ReadingScene.actorID)' AND rowid <> (SELECT max(rowid) FROM project_members)")
        let session = try scene.session()
        #expect(session.projects.count == 1)
        var count = 0
        for rule in scene.pack.rules {
            guard case .query(let sql) = rule.check else { continue }
            #expect(throws: Never.self, "\(rule.code)") { try allRows(session.query(sql, columns: ["id"] + rule.arguments, seconds: 30)) }
            count += 1
        }
        #expect(count >= 5)
        for entity in scene.pack.entities {
            _ = try allRows(session.rows(of: entity.name, paths: entity.fields.map { FieldPath($0.name) }))
        }
    }
}
