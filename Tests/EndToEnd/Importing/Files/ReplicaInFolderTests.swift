import Foundation
import Testing
import Workbench

/// A folder of tables may hold the replica into which they are imported. The files of the replica
/// are not part of the source.
@Suite struct ReplicaInFolderTests {
    private static let mapping = MappedFolder.pits("depth_m: Prof", "location: {from: Lugares, key: [Id], by: [IdLugar], take: Nombre}")
        .replacing("REPEATS", with: "false").replacing("title: own\n", with: "title: own\naccepts: [csv]\n")

    /// The office's folder has two tables, the configuration and a mapping beside the replica. The
    /// mapping takes tables of one kind.
    private func office(_ pits: [String]) throws -> Office {
        let office = try Office(system: "ingeplus", set: nil)
        try FileManager.default.createDirectory(atPath: office.path("maps"), withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: office.path("salida"), withIntermediateDirectories: true)
        for (name, text) in [
            ("maps/own.yaml", Self.mapping), ("fichero.yaml", "language: en\noutput: salida\n"), ("Lugares.csv", "Id;Nombre\n7;Norte\n"),
            ("Pozos.csv", "Proyecto;Pozo;Prof;IdLugar\n" + pits.map { $0 + "\n" }.joined()),
        ] { try text.write(toFile: office.path(name), atomically: true, encoding: .utf8) }
        return office
    }

    private let bringIn = ["import", ".", "--mapping", "./maps/own.yaml", "--actor", Office.administrator]

    @Test func aFolderOfFoxProTablesComesIn() throws {
        let office = try Office(system: "ingeplus", set: nil)
        let source = ProgramRun.root + "/Samples/ingeplus/legacy/foxpro"
        for name in try FileManager.default.contentsOfDirectory(atPath: source) {
            try FileManager.default.copyItem(atPath: source + "/" + name, toPath: office.path(name))
        }
        let run = try office.run("import", ".", "--mapping", "foxpro", "--fail-on", "never", "--actor", Office.administrator)
        #expect(run.status == 0 && !run.output.contains("fichero.db"), "\(run.output)\(run.error)")
        #expect(try Int(office.sql("SELECT count(*) FROM calicatas")) ?? 0 > 0)
    }

    /// The import, the correction and documents change files of the folder, but the tables stay the
    /// same.
    @Test func rejectedRowsAreLookedUpInIt() throws {
        let office = try office(["P-1;C-1;hondo;7"])
        let run = try office.run(bringIn)
        #expect(run.status == 1, "\(run.output)\(run.error)")
        try "x;y\n1;2\n".write(toFile: office.path("salida/documento.csv"), atomically: true, encoding: .utf8)
        try "language: en\n".write(toFile: office.path("fichero.yaml"), atomically: true, encoding: .utf8)
        let id = try office.sql("SELECT id FROM rejects")
        #expect(try office.run("rejects", "edit", id, "--set", "Prof=1.5", "--actor", Office.administrator).status == 0)
        let retry = try office.run("rejects", "retry", "--actor", Office.administrator)
        #expect(retry.status == 0, "\(retry.output)\(retry.error)")
        #expect(try office.sql("SELECT code, depth_m, location FROM calicatas") == "C-1|1.5|Norte")
    }

    /// A table that changed is still reported.
    @Test func aChangedTableIsStillReported() throws {
        let office = try office(["P-1;C-1;hondo;7"])
        #expect(try office.run(bringIn).status == 1)
        try "Id;Nombre\n7;Sur\n".write(toFile: office.path("Lugares.csv"), atomically: true, encoding: .utf8)
        let retry = try office.run("rejects", "retry", "--actor", Office.administrator)
        #expect(retry.status == 1 && retry.output.contains("IMPORT-SOURCE-CHANGED"), "\(retry.output)\(retry.error)")
    }

    /// The rows that a killed run staged lie in the folder as well.
    @Test func whatAKilledRunStagedIsGoneOnWith() throws {
        let pits = (0..<24_000).map { "P-1;C-\($0);1.5;7" }
        let counted = try office(pits)
        let writes = try BrokenCall(paths: counted.replica + ".import/*", calls: "write").count(bringIn, in: counted)
        let office = try office(pits)
        let killed = try BrokenCall(paths: office.replica + ".import/*", calls: "write").run(bringIn, in: office, at: writes * 9 / 10, .kill)
        #expect(killed.status == 128 + SIGKILL)
        let next = try office.run(bringIn)
        #expect(next.error.contains("goes on with what an interrupted import had staged"), "\(next.error)")
        #expect(try office.sql("SELECT count(*) FROM calicatas") == "24000")
    }
}
