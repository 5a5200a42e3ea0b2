import Foundation
import Testing
import Workbench

/// A write that is lost without an error leaves a file with a hole. Where a library wrote the file,
/// or the file is an archive, it is read again before it gets its name. So it gets none.
@Suite struct LostWriteTests {
    @Test(arguments: [
        ["export", "calicatas", "--format", "sqlite", "-o", "out"],
        ["export", "calicatas", "--format", "csv", "--zip", "-o", "out"],
        ["report", "entrega", "-o", "out", "--fail-on", "never"],
        ["report", "ficha-calicata", "--format", "pdf", "-o", "out"],
        ["report", "resumen-proyecto", "--format", "xlsx", "-o", "out"], ["package", "-o", "out/package.zip"],
    ])
    func aFileWithAHoleGetsNoName(_ words: [String]) throws {
        let office = try Office.pits()
        let command = words + ["--project", "CHU-2025", "--as-of", Office.asOf]
        try FileManager.default.createDirectory(atPath: office.path("out"), withIntermediateDirectories: true)
        let whole = try office.copy()
        let count = try Self.writes(whole).count(command, in: whole)
        let sound = try Self.contents(whole)
        for part in Set([1, count / 3, count - 1, count]).sorted() where 1...count ~= part {
            let office = try office.copy()
            let run = try Self.writes(office).run(command, in: office, at: part, .lost)
            // Some bytes are written twice, such as a head whose sizes are known at the end.
            if run.status == 0 {
                #expect(try Self.contents(office) == sound, "write \(part) of \(count)")
            } else {
                #expect(run.status == 74, "write \(part) of \(count): \(run.status) \(run.error)")
                #expect(try Self.contents(office) == [:], "write \(part) of \(count)")
                #expect(try office.sql("SELECT count(*) FROM exports") == "0")
            }
        }
    }

    private static func writes(_ office: Office) -> BrokenCall {
        BrokenCall(paths: office.folder + "/out/*", calls: "write")
    }

    /// What the office has in its folder `out`, by name.
    private static func contents(_ office: Office) throws -> [String: Data] {
        let files = try office.files("out").map {
            ($0, try Data(contentsOf: URL(fileURLWithPath: office.path("out/" + $0))))
        }
        return Dictionary(uniqueKeysWithValues: files)
    }
}
