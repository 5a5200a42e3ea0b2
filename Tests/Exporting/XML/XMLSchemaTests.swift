import Foundation
import Model
import Testing
import Workbench

@testable import Exporting

/// Every file that is written for an export of the packs must follow the schema that is made from
/// the pack. `xmllint` checks this.
@Suite struct XMLSchemaTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func schema(_ pack: Pack, _ language: Language = .spanish) throws -> String {
        let path = folder.file(pack.name + ".xsd")
        try Data(XMLSchema.text(for: pack, language: language).utf8).write(to: URL(filePath: path))
        return path
    }

    private func validate(_ path: String, _ schema: String) throws -> OtherProgram {
        try OtherProgram.run("/usr/bin/xmllint", ["--nonet", "--noout", "--schema", schema, path])
    }

    @Test func everyExportOfEveryPackIsValid() throws {
        let packs = try PackExports.packs()
        #expect(packs.count >= 2)
        for pack in packs {
            let schema = try schema(pack)
            for (seed, export) in pack.exports.filter({ $0.bundle == nil }).enumerated() {
                let document = PackExports.document(export, of: pack, seed: UInt64(seed))
                _ = try folder.write(document, with: XMLWriter(), stem: "\(pack.name)-\(export.name)")
                let output = try validate(folder.file("\(pack.name)-\(export.name).xml"), schema)
                #expect(output.status == 0, "\(pack.name) \(export.name): \(output.text.prefix(2000))")
            }
        }
    }

    /// If this fails, run `fichero describe NAME --xsd --lang LANGUAGE >Schemas/NAME.xsd`, in the
    /// pack's first language.
    @Test func theFilesAreWhatTheProgramMakes() throws {
        for pack in try PackExports.packs() {
            let language = try #require(pack.languages.first)
            let file = ProjectFolder.root.appendingPathComponent("Schemas/\(pack.name).xsd")
            #expect(try String(contentsOf: file, encoding: .utf8) == XMLSchema.text(for: pack, language: language), "\(pack.name)")
        }
    }

    @Test func anExportWithoutRowsOrSheetsIsValid() throws {
        for pack in try PackExports.packs() {
            let schema = try schema(pack, .english)
            let export = try #require(pack.exports.first { $0.bundle == nil })
            for isEmpty in [true, false] {
                var document = PackExports.document(export, of: pack, seed: 1, rows: 0)
                if isEmpty { document.sheets = [] }
                document.cover.tables = []
                document.cover.draftBanner = nil
                _ = try folder.write(document, with: XMLWriter(), stem: "\(pack.name)-\(isEmpty)")
                let output = try validate(folder.file("\(pack.name)-\(isEmpty).xml"), schema)
                #expect(output.status == 0, "\(output.text)")
            }
        }
    }

    /// The schema must refuse wrong files. If it accepted everything, the tests above would prove
    /// nothing.
    @Test(arguments: [
        ("<depth_m>1.5</depth_m>", "<depth_m>deep</depth_m>"), ("<depth_m>1.5</depth_m>", "<depth_m>1.5</depth_m><nowhere/>"),
        ("<depth_m>1.5</depth_m>", "<depth_m/>"), ("xsi:type=\"export.calicatas\"", "xsi:type=\"export.cortes\""),
        ("xsi:type=\"export.calicatas\"", ""), ("<status>APROBADO</status>", "<status>aprobado</status>"), ("<about>", "<about><x/>"),
        (" rows=\"1\"", " rows=\"-1\""), ("urn:fichero:ingeplus:1", "urn:fichero:ingeplus:2"),
    ])
    func refusesWhatIsWrong(right: String, wrong: String) throws {
        let pack = try #require(try PackExports.packs().first { $0.name == "ingeplus" })
        let export = try #require(pack.export("calicatas"))
        let sheet = try #require(export.sheets.first { $0.entity == "calicatas" })
        let columns = pack.columns(of: sheet, in: .spanish).compactMap(\.self).filter { ["status", "depth_m"].contains($0.name) }
        let row = columns.map { $0.name == "status" ? MemoryRows.Value.text("APROBADO") : .real(1.5) }
        let document = SampleExport.document([SampleExport.sheet(sheet.name, row: pack.rowName(of: sheet), columns, [row])])
        _ = try folder.write(document, with: XMLWriter())
        let schema = try schema(pack)
        let sound = try validate(folder.file("out.xml"), schema)
        #expect(sound.status == 0, "\(sound.text)")
        let text = String(decoding: try folder.data(of: "out.xml"), as: UTF8.self)
        try #require(text.contains(right))
        try Data(text.replacing(right, with: wrong).utf8).write(to: URL(filePath: folder.file("wrong.xml")))
        #expect(try validate(folder.file("wrong.xml"), schema).status != 0)
    }

    @Test func documentsLabelsAndUnits() throws {
        let pack = try #require(try PackExports.packs().first { $0.name == "ingeplus" })
        let spanish = XMLSchema.text(for: pack, language: .spanish)
        #expect(spanish.contains("targetNamespace=\"urn:fichero:ingeplus:1\""))
        #expect(spanish.contains("<xs:enumeration value=\"APROBADO\">"))
        #expect(spanish.contains("<xs:appinfo>m</xs:appinfo>"))
        #expect(spanish != XMLSchema.text(for: pack, language: .italian))
        #expect(spanish == XMLSchema.text(for: pack, language: .spanish))
    }
}
