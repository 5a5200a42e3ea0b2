import Foundation
import Testing
import Workbench

@testable import Importing
@testable import Model

@Suite struct MergingTests {
    private static let pack: Pack = {
        var pack = EveryFieldPack.pack
        pack.entities = [
            Entity(
                name: "types",
                fields: [
                    Field(name: "id", type: .uuid), Field(name: "family_id", type: .uuid), Field(name: "name", type: .text),
                    Field(name: "parameters", type: .json),
                ], alike: .init(name: "name", parameters: "parameters", within: "family_id", above: 0.8)),
            Entity(name: "instances", fields: [Field(name: "id", type: .uuid), Field(name: "type_id", type: .uuid, references: "types")]),
        ]
        return pack
    }()

    private let folder: Folder
    private let remembering = RememberingTarget(pack: Self.pack)

    init() throws { folder = try Folder() }

    private func target(_ decisions: Decisions = Decisions()) -> MergingTarget {
        MergingTarget(remembering, pack: Self.pack, decisions: decisions) { _ in
            [MergingTarget.Known(id: "old", name: "Philips 30W", parameters: nil, scope: "lights")]
        } likeness: { first, second, _ in
            // For these tests, names are similar if their first seven letters are equal.
            first.name.prefix(7) == second.name.prefix(7) ? 0.9 : 0.1
        }
    }

    private func type(_ id: String, _ name: String, family: String = "lights") -> ImportedRow {
        ImportedRow(
            entity: "types", values: ["id": .text(id), "name": .text(name), "family_id": .text(family)], raw: "{}", place: Place(file: "f.json", line: 3))
    }

    private func instance(_ type: String) -> ImportedRow {
        ImportedRow(entity: "instances", values: ["id": .text("i"), "type_id": .text(type)], raw: "{}", place: Place())
    }

    private func store(_ row: ImportedRow, _ target: MergingTarget) throws -> ImportOutcome {
        let before = remembering.filtered
        try target.store(row, of: #require(Self.pack.entity(row.entity)))
        return remembering.filtered > before ? .filtered : .imported
    }

    private func decisions(_ text: String) throws -> Decisions {
        try Decisions(path: folder.write("d.csv", text), pack: Self.pack)
    }

    @Test func aNewTypeLikeAnotherIsReported() throws {
        let target = target()
        #expect(try store(type("a", "Philips 30 W"), target) == .imported)
        // A type of another family, a type with another name, and the same row again are not
        // reported.
        #expect(try store(type("b", "Philips 30 W", family: "radiators"), target) == .imported)
        #expect(try store(type("c", "Osram 20W"), target) == .imported)
        #expect(try store(type("old", "Philips 30W"), target) == .imported)
        #expect(remembering.notes.map(\.code) == ["IMPORT-ALIKE"])
        let finding = try #require(remembering.notes.first)
        #expect(finding.arguments == ["name": "Philips 30 W", "other": "Philips 30W", "likeness": "90"])
        #expect((finding.place.table, finding.place.id, finding.place.line) == ("types", "a", 3))
        #expect(remembering.stored.count == 4)
    }

    @Test func twoNewTypesOfOneFileAreCompared() throws {
        let target = target()
        for row in [type("a", "Osram 20W"), type("b", "Osram 20 W")] { _ = try store(row, target) }
        #expect(remembering.notes.map { $0.arguments["other"] } == ["Osram 20W"])
    }

    @Test func aDecisionMergesAndWhatRefersFollows() throws {
        let target = try target(decisions("entity;new;existing\ntypes;philips 30 w;Philips 30W\n"))
        #expect(try store(type("a", "Philips 30 W"), target) == .filtered)
        _ = try store(instance("a"), target)
        _ = try store(instance("other"), target)
        #expect(remembering.filtered == 1)
        #expect(remembering.stored.map { $0.values["type_id"] } == [.text("old"), .text("other")])
        #expect(remembering.notes.isEmpty)
    }

    @Test func aDecisionKeepsWhatIsAnotherThing() throws {
        let target = try target(decisions("entity,new,existing\ntypes,a,keep\n"))
        #expect(try store(type("a", "Philips 30 W"), target) == .imported)
        #expect(remembering.notes.isEmpty)
    }

    @Test(arguments: [
        "a;b\n1;2\n", "entity;new;existing\nnothing;a;keep\n", "entity;new;existing\ninstances;a;keep\n", "entity;new;existing\ntypes;a;\n",
        "entity;new;existing\ntypes;a;keep\ntypes;A;b\n",
    ])
    func aFileThatSaysSomethingElseIsRefused(_ text: String) throws {
        #expect { try decisions(text) } throws: { ($0 as? ImportFailure)?.code == "IMPORT-DECISIONS" }
    }

    @Test func aMergeIntoNothingEndsTheImport() throws {
        let target = try target(decisions("entity;new;existing\ntypes;a;Nobody\n"))
        #expect { try store(type("a", "Philips 30 W"), target) } throws: { ($0 as? ImportFailure)?.code == "IMPORT-DECISIONS" }
    }
}
