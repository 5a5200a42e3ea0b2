import Model
import Testing
import Workbench

@testable import Replica

/// The two ways to ask for the rows of projects agree: row by row, and over the whole table.
@Suite struct RowProjectTests {
    @Test(arguments: [nil] + ProjectFolder.systems.map(Optional.some)) func aWalkOverATableFindsTheRowsThatAreFoundOneByOne(_ survey: String?) throws {
        let scene = try survey.map { try ReadingScene(survey: $0) } ?? ReadingScene.pits()
        if survey == nil {
            try scene.sql("INSERT INTO calicatas (id, code) VALUES ('lost', 'L-1'); INSERT INTO calicata_cortes (id, calicata_id) VALUES ('astray', 'lost'), ('alone', NULL)")
        }
        let all = try scene.sql("SELECT id FROM \(SQLText.name(scene.pack.project.entity))").map { SQLText.literal($0) }
        var found = 0
        for entity in scene.pack.entities where entity.projectPath != nil {
            let project = RowProject(of: entity, in: scene.pack)
            for wanted in all + [all.joined(separator: ", "), "'nowhere'"] {
                let conditions = [project.expression("t") + " IN (\(wanted))", project.isAmong("SELECT value FROM json_each(json_array(\(wanted)))", "t")]
                let ids = try conditions.map { try scene.sql("SELECT t.id FROM main.\(SQLText.name(entity.name)) AS t WHERE \($0) ORDER BY 1") }
                #expect(ids[0] == ids[1], "\(entity.name) \(wanted)")
                found += ids[1].count
            }
        }
        #expect(found > 20)
    }
}
