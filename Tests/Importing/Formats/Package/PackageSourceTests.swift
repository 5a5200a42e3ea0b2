import Foundation
import Model
import Testing
import Workbench

@testable import Importing

@Suite struct PackageSourceTests {
    private func manifest(_ entities: String, photos: String = "[]", pack: String = "pits", version: Int = 1) -> String {
        "{\"format\": \"fichero-package\", \"formatVersion\": \(version), \"pack\": \"\(pack)\", \"entities\": \(entities), \"photos\": \(photos)}"
    }

    private let row = "[{\"id\": \"\(EveryFieldPack.id)\", \"code\": \"C-1\"}]"

    @Test func tablesAreReadInTheManifestsOrder() throws {
        let folder = try Folder()
        try folder.write("data/projects.json", row)
        try folder.write("data/calicatas.json", row)
        try folder.write("manifest.json", manifest("""
            [{"entity": "projects", "file": "data/projects.json", "rows": 1}, {"entity": "calicatas", "file": "data/calicatas.json"}]
            """))
        let run = try ImportRun(folder.path)
        #expect(run.counts.map(\.entity) == ["projects", "calicatas"])
        #expect(run.codes.isEmpty)
    }

    @Test func countsAndChecksumsAreCompared() throws {
        let folder = try Folder()
        try folder.write("data/projects.json", row)
        try folder.write("data/more.json", row)
        try folder.write("manifest.json", manifest("""
            [{"entity": "projects", "file": "data/projects.json", "rows": 2, "sha256": "00"}, {"entity": "calicatas", "file": "data/gone.json"}]
            """))
        let run = try ImportRun(folder.path)
        #expect(Set(run.codes) == ["IMPORT-CHECKSUM", "IMPORT-COUNT", "IMPORT-MISSING-FILE", "IMPORT-EXTRA-FILE"])
        #expect(run.target.stored.count == 1, "what is there is read all the same")
    }

    @Test func rowsOfATableThatThePackDoesNotKnowAreKept() throws {
        let folder = try Folder()
        try folder.write("data/x.json", "[{\"a\": 1}, {\"a\": 2}]")
        try folder.write("manifest.json", manifest("[{\"entity\": \"boreholes\", \"file\": \"data/x.json\"}]"))
        let run = try ImportRun(folder.path)
        #expect(run.codes == ["IMPORT-UNKNOWN-ENTITY", "IMPORT-UNKNOWN-ENTITY"], "each row is kept with the reason")
        #expect(run.target.rejected.map(\.raw) == ["{\"a\":1}", "{\"a\":2}"])
        #expect(run.counts.first?.outcomes == [.rejected: 2])
    }

    @Test(arguments: ["../outside.json", "/etc/passwd", "data/../../x.json", "a//b.json", "data\\\\x.json", ""])
    func namesThatLeaveTheFolderAreRefused(name: String) throws {
        let folder = try Folder()
        try folder.write("manifest.json", manifest("[{\"entity\": \"projects\", \"file\": \"\(name)\"}]"))
        let failure = #expect(throws: ImportFailure.self) { try ImportRun(folder.path) }
        #expect(failure?.code == "IMPORT-PATH")
    }

    /// The bounds of archives hold for folders too, and before any file is read.
    @Test(arguments: [("packageEntryBytes", "big.bin"), ("packageBytes", "big.bin"), ("packageEntries", "")])
    func theFilesOfAFolderAreHeldAgainstTheBounds(bound: String, name: String) throws {
        let folder = try Folder()
        try folder.write("data/projects.json", row)
        try folder.write("big.bin", String(repeating: "x", count: 4000))
        try folder.write("manifest.json", manifest("[{\"entity\": \"projects\", \"file\": \"data/projects.json\"}]"))
        var limits = TableLimits()
        try limits.set(bound, to: bound == "packageEntries" ? "2" : "3000")
        let location = try SourceLocation(path: folder.path, options: SourceOptions(limits: limits.packages))
        let failure = #expect(throws: PackageFailure.self) { try SourceFormats.open(location, pack: EveryFieldPack.pack) }
        #expect(failure?.arguments["limit"] == bound)
        #expect(failure?.arguments["value"] == (bound == "packageEntries" ? "2" : "3000"))
        #expect(failure?.place?.file?.hasSuffix(name) == true)
        #expect(Int(failure?.arguments["found"] ?? "").map { $0 > 3000 } ?? (bound == "packageEntries"))
    }

    @Test func linksAreRefused() throws {
        let folder = try Folder()
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/data.json", withDestinationPath: "/etc/passwd")
        try folder.write("manifest.json", manifest("[{\"entity\": \"projects\", \"file\": \"data.json\"}]"))
        let failure = #expect(throws: ImportFailure.self) { try ImportRun(folder.path) }
        #expect(failure?.code == "IMPORT-PATH")
    }

    @Test func manifestsOfAnotherPackOrALaterFormatOrNoneAreRefused() throws {
        let folder = try Folder()
        for (text, code) in [
            (manifest("[]", pack: "assets"), "IMPORT-OTHER-PACK"), (manifest("[]", version: 2), "IMPORT-NEWER"), ("{}", "IMPORT-MANIFEST"),
            ("[", "IMPORT-MANIFEST-JSON"), (manifest("{}"), "IMPORT-MANIFEST"), (manifest("[{}]"), "IMPORT-MANIFEST"),
        ] {
            try folder.write("manifest.json", text)
            let failure = #expect(throws: ImportFailure.self) { try ImportRun(folder.path) }
            #expect(failure?.code == code)
        }
    }

    @Test(arguments: ["\"garbage\"", "\"2025-11-02T10:00:00\"", "\"\"", "20251102"]) func aManifestMustSayWhenItWasMadeOrNothing(_ time: String) throws {
        let folder = try Folder()
        func write(_ time: String) throws { try folder.write("manifest.json", manifest("[]").replacing("{\"format\"", with: "{\"createdAt\": \(time), \"format\"")) }
        try write(time)
        #expect(throws: ImportFailure.invalidManifest(path: folder.path + "/manifest.json", reason: "`createdAt` is no time with a zone")) { try ImportRun(folder.path) }
        for good in ["\"2025-11-02T10:00:00Z\"", "\"2025-11-02T10:00:00.5+01:00\"", "null"] {
            try write(good)
            _ = try ImportRun(folder.path)
        }
    }

    @Test func aManifestThatIsNoJSONIsToldWithItsPlace() throws {
        let folder = try Folder()
        try folder.write("manifest.json", "{\n  \"format\": oops}")
        let failure = #expect(throws: ImportFailure.self) { try ImportRun(folder.path) }
        #expect(failure?.code == "IMPORT-MANIFEST-JSON" && failure?.place?.line == 2, "\(String(describing: failure))")
        #expect(failure?.arguments.values.contains { $0.contains("JSONMistake") } == false)
    }

    @Test func photosComeWithTheirRowAndAreCompared() throws {
        let folder = try Folder()
        try folder.write("photos/a.jpg", "abc")
        try folder.write("photos/b.jpg", "abc")
        let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"  // FIPS 180-4, "abc"
        try folder.write("manifest.json", manifest("[]", photos: """
            [{"file": "photos/a.jpg", "entity": "photos", "id": "\(EveryFieldPack.id)", "sha256": "\(digest)", "bytes": 3},
             {"file": "photos/b.jpg", "entity": "photos", "id": "\(EveryFieldPack.id)", "sha256": "ff"},
             {"file": "photos/c.jpg", "entity": "photos", "id": "\(EveryFieldPack.id)"}]
            """))
        let source = try SourceFormats.open(SourceLocation(path: folder.path), pack: EveryFieldPack.pack)
        #expect(source.photos.map(\.name) == ["a.jpg"])
        #expect(source.findings.map(\.code) == ["IMPORT-CHECKSUM", "IMPORT-MISSING-FILE"])
    }
}
