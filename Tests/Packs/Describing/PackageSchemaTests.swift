import Foundation
import JSONReading
import Packs
import Schemas
import Testing
import Workbench

/// The files in `Schemas/` are the schemas of survey packages that the program makes. The samples
/// follow them.
@Suite struct PackageSchemaTests {
    private static let root = ProjectFolder.root

    private func schemas(_ pack: String) throws -> [PackageSchema.File] {
        PackageSchema.files(of: try PackLoader.load(pack, from: Self.root.appendingPathComponent("Templates")))
    }

    private func machine(_ text: String) throws -> SchemaMachine {
        let outcome = SchemaProgram.compile(try JSONValue.parse(text), options: .init(assertsFormats: true))
        #expect(outcome.mistakes == [])
        return SchemaMachine(try #require(outcome.program))
    }

    private func faults(_ machine: inout SchemaMachine, _ value: JSONValue) throws -> [SchemaFault] {
        var document = JSONDocument()
        try document.read(Array(value.description.utf8))
        return machine.faults(of: document)
    }

    /// If this fails, run `fichero package --schema --pack NAME -o Schemas/NAME`.
    @Test(arguments: ProjectFolder.systems) func theFilesAreWhatTheProgramMakes(pack: String) throws {
        let folder = Self.root.appendingPathComponent("Schemas/" + pack)
        let schemas = try schemas(pack)
        for schema in schemas {
            #expect(try String(contentsOf: folder.appendingPathComponent(schema.name), encoding: .utf8) == schema.text, "\(schema.name)")
        }
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)) == Set(schemas.map(\.name)))
    }

    @Test(arguments: ProjectFolder.systems) func theSamplesHoldAgainstThem(pack: String) throws {
        let survey = Self.root.appendingPathComponent("Samples/\(pack)/survey")
        let manifest = try JSONValue.parse(Array(try Data(contentsOf: survey.appendingPathComponent("manifest.json"))))
        let texts = Dictionary(uniqueKeysWithValues: try schemas(pack).map { ($0.name, $0.text) })
        var ofManifest = try machine(try #require(texts["manifest.schema.json"]))
        #expect(try faults(&ofManifest, manifest).isEmpty)
        var judged = 0, stated = 0
        for table in manifest["entities"]?.items ?? [] {
            guard let entity = table["entity"]?.text, let file = table["file"]?.text, let text = texts[entity + ".schema.json"] else { continue }
            stated += table["rows"].flatMap { Int($0.description) } ?? 0
            var machine = try machine(text)
            let content = try Data(contentsOf: survey.appendingPathComponent(file))
            let rows = try (try? JSONValue.parse(content))?.items ?? content.split(separator: UInt8(ascii: "\n")).map { try JSONValue.parse($0) }
            for (number, row) in rows.enumerated() {
                let found = try faults(&machine, row)
                #expect(found.isEmpty, "\(entity) row \(number + 1): \(found.prefix(2))")
                judged += 1
            }
        }
        #expect(judged == stated && judged > 0, "every row that the manifest counts is judged")
    }

    @Test func whatIsNoRowDoesNotHold() throws {
        let texts = Dictionary(uniqueKeysWithValues: try schemas("anagrafica").map { ($0.name, $0.text) })
        var rooms = try machine(try #require(texts["rooms.schema.json"]))
        let id = "019c7a10-1400-71c7-9d95-907064f0435b"
        let good = "{\"id\":\"\(id)\",\"levelId\":\"\(id)\",\"name\":\"Aula\",\"number\":\"0001\",\"lifecycleState\":\"Empty\"}"
        #expect(try faults(&rooms, JSONValue.parse(good)).isEmpty)
        for bad in [
            good.replacing("\"levelId\"", with: "\"level\""), good.replacing("\"Empty\"", with: "\"Half\""), good.replacing("\"Aula\"", with: "3"),
            good.replacing(id, with: "7"), "[]", "{}",
        ] {
            #expect(try !faults(&rooms, JSONValue.parse(bad)).isEmpty, "\(bad)")
        }
    }
}
