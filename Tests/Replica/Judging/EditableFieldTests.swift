import Testing
import Workbench

@testable import Model
@testable import Replica

/// A role with some fields of a table changes those of existing rows and no others, by every door.
@Suite struct EditableFieldTests {
    private static func pack() -> Pack {
        PitPack.make { entities in
            for index in entities.indices where entities[index].name == "calicatas" {
                (entities[index].editors, entities[index].openFields) = (["JEFE"], ["CAMPO": ["depth_m", "end_date"]])
            }
        }
    }

    @Test(arguments: [false, true])
    func aRoleChangesItsFieldsAlone(isFile: Bool) throws {
        let scene = try JudgedScene(Self.pack())
        let row = "SELECT depth_m, title FROM calicatas WHERE id = 'cp1'"
        #expect(try scene.change(as: "ana", isFile: isFile, ["depth_m": .integer(2)]).isEmpty)
        let more = ["depth_m": MemoryRows.Value.integer(3), "title": .text("x")]
        #expect(try scene.change(as: "ana", isFile: isFile, more) == ["CHANGE-OTHER-FIELD"])
        // What stands there already is no change.
        let same = ["depth_m": MemoryRows.Value.integer(4), "code": .text("C-1")]
        #expect(try scene.change(as: "ana", isFile: isFile, same).isEmpty)
        #expect(try scene.replica.sql(row) == ["4.0|"])
        #expect(try scene.change(as: "rosa", isFile: isFile, more).isEmpty)
        #expect(try scene.replica.sql(row) == ["3.0|x"])
        // New rows are made by commands of the others, and may come with a file of anyone's.
        let new = ["project_id": MemoryRows.Value.text("p1"), "code": .text("C-2"), "depth_m": .integer(1)]
        #expect(try scene.change(as: "ana", isFile: isFile, id: "c2", new) == [isFile ? "IMPORT-NOT-TO-SEND" : "CHANGE-EDITOR"])
    }

    @Test func undoAsksForTheSameFields() throws {
        let scene = try JudgedScene(Self.pack())
        for (field, value) in [("depth_m", MemoryRows.Value.integer(2)), ("title", .text("x"))] {
            #expect(try scene.change(as: "rosa", isFile: false, [field: value]).isEmpty)
            let id = try scene.lastChange()
            if field == "title" {
                #expect(throws: ActorFailure.self) { try scene.undo(id, as: "ana") }
            } else {
                try scene.undo(id, as: "ana")
            }
        }
        #expect(try scene.replica.sql("SELECT depth_m, title FROM calicatas WHERE id = 'cp1'") == ["|x"])
    }
}
