import Foundation
import Testing
import Workbench

/// Years of photos in folders: whose photo each is, its folders and its name say.
@Suite struct PictureFolderTests {
    private let office: Office

    init() throws {
        office = try Office.pits()
        // Another pit with the number of C-12.
        _ = try office.writableSQL(
            """
            UPDATE calicatas SET code = 'P-12' WHERE code = 'C-05'
              AND project_id = (SELECT id FROM projects WHERE code = 'HYO-2025')
            """)
    }

    /// A JPEG of its own: a frame of 2 × 3, and a comment that tells it from others.
    private static func picture(_ comment: String, camera: [UInt8] = []) -> Data {
        let text = Array(comment.utf8)
        let frame: [UInt8] = [0xFF, 0xC0, 0, 11, 8, 0, 3, 0, 2, 1, 1, 0x11, 0]
        let scan: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0x12, 0x34, 0xFF, 0xD9]
        return Data([0xFF, 0xD8] + camera + [0xFF, 0xFE, 0, UInt8(text.count + 2)] + text + frame + scan)
    }

    /// What a camera without a time zone writes: 3 March 2019, 09:17:47.
    private static let camera: [UInt8] = {
        let taken = Array("2019:03:03 09:17:47".utf8) + [0]
        let body = Array("Exif".utf8) + [0, 0] + Array("MM".utf8) + [0, 42, 0, 0, 0, 8]
            + [0, 1, 0x87, 0x69, 0, 4, 0, 0, 0, 1, 0, 0, 0, 26, 0, 0, 0, 0]
            + [0, 1, 0x90, 0x03, 0, 2, 0, 0, 0, 20, 0, 0, 0, 44, 0, 0, 0, 0] + taken
        return [0xFF, 0xE1, 0, UInt8(body.count + 2)] + body
    }()

    private func put(_ data: Data, _ path: String) throws {
        let url = URL(fileURLWithPath: office.path(path))
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: url)
    }

    private func put(_ paths: String...) throws { for path in paths { try put(Self.picture(path), path) } }

    private func bringIn(_ options: String...) throws -> ProgramRun {
        try office.run(["import", "fotos", "--project", "HYO-2025", "--json"] + options)
    }

    /// The new photos: pit, name and kind.
    private func photos() throws -> String {
        try office.sql(
            """
            SELECT group_concat(code || ' ' || filename || ' ' || kind, '; ') FROM (
              SELECT c.code, f.filename, f.kind FROM calicata_photos AS f JOIN calicatas AS c ON c.id = f.calicata_id
              WHERE length(f.filename) < 20 ORDER BY c.code, f.filename, f.sha256)
            """)
    }

    private func codes(_ run: ProgramRun) throws -> [String] {
        try MappedFolder.findings(run).map(\.code).filter { $0.hasPrefix("IMPORT-") }.sorted()
    }

    @Test func foldersAndNamesSayThePit() throws {
        try put(
            "fotos/2019/C-01/IMG_0012.jpg", "fotos/c02_estrato2_1.jpg", "fotos/Calicata 3/foto 3.JPG",
            "fotos/CALICATA N° 4/Material/a.jpeg")
        let trial = try bringIn("--dry-run", "--records")
        #expect(trial.status == 0 && trial.output.contains("C-01 / IMG_0012.jpg"), "\(trial.output)\(trial.error)")
        #expect(try photos() == "" && office.sql("SELECT count(*) FROM imports WHERE source = 'fotos'") == "0")
        let run = try bringIn()
        #expect(run.status == 0, "\(run.output)\(run.error)")
        let all = "C-01 IMG_0012.jpg pit; C-02 c02_estrato2_1.jpg stratum; C-03 foto 3.JPG pit; C-04 a.jpeg spoil"
        #expect(try photos() == all)
        let photo = "FROM calicata_photos WHERE filename = 'a.jpeg'"
        #expect(try office.sql("SELECT width_px || ' ' || height_px || ' ' || mime_type " + photo) == "2 3 image/jpeg")
        let path = try office.path(office.sql("SELECT local_path " + photo))
        #expect(FileManager.default.contents(atPath: path) == Self.picture("fotos/CALICATA N° 4/Material/a.jpeg"))
        // The same folder again changes nothing; undo takes rows and files away.
        let files = try office.files("fichero.db.files").count
        let again = try bringIn()
        #expect(again.status == 0)
        #expect(try office.files("fichero.db.files").count == files)
        #expect(again.output.contains("\"unchanged\" : 4"), "\(again.output)")
        #expect(try office.run("undo", "last").status == 0)
        #expect(try photos() == "" && office.files("fichero.db.files").count == files - 4)
    }

    @Test func whatNamesNoneOrTwoIsRejected() throws {
        try put("fotos/varios/IMG_1.jpg", "fotos/C-01/junto a C-02.jpg", "fotos/Calicata 12/x.jpg")
        try put("fotos/C-01/sola.jpg")
        let run = try bringIn()
        #expect(run.status == 1, "\(run.output)")
        #expect(try codes(run) == ["IMPORT-NAMES-NONE", "IMPORT-NAMES-SEVERAL", "IMPORT-NAMES-SEVERAL"])
        #expect(run.output.contains("C-12, P-12") && run.output.contains("C-01/junto a C-02.jpg"), "\(run.output)")
        #expect(try photos() == "C-01 sola.jpg pit")
        // A person says which pit it is.
        let id = try office.sql("SELECT id FROM rejects WHERE raw LIKE '%IMG_1.jpg%'")
        #expect(try office.run("rejects", "edit", id, "--set", "folder=C-03").status == 0)
        _ = try office.run("rejects", "retry", id)
        #expect(try photos() == "C-01 sola.jpg pit; C-03 IMG_1.jpg pit")
    }

    @Test func copiesAndNamesThatRepeatAreTold() throws {
        try put(Self.picture("one"), "fotos/2019/C-01/a.jpg")
        try put(Self.picture("one"), "fotos/copia/C-01/a (1).jpg")
        try put(Self.picture("two"), "fotos/2020/C-01/a.jpg")
        let run = try bringIn()
        #expect(run.status == 0, "\(run.output)\(run.error)")
        #expect(try codes(run) == ["IMPORT-SAME-NAME", "IMPORT-SAME-PICTURE"])
        #expect(try photos() == "C-01 a.jpg pit; C-01 a.jpg pit")
        let stored = try office.sql(
            "SELECT group_concat(local_path, '|') FROM calicata_photos WHERE filename = 'a.jpg'")
        let contents = try stored.split(separator: "|").map {
            try Data(contentsOf: URL(fileURLWithPath: office.path(String($0))))
        }
        #expect(Set(contents) == [Self.picture("one"), Self.picture("two")])
    }

    /// The same bytes under two pits are a photo of each; what else differs between copies is told too.
    @Test func copiesOfTwoPitsAndOfTwoKindsAreTold() throws {
        for path in ["fotos/C-01/a.jpg", "fotos/C-02/a.jpg", "fotos/C-02/Estratos/b.jpg"] {
            try put(Self.picture("one"), path)
        }
        let run = try bringIn()
        #expect(
            try codes(run) == ["IMPORT-DIFFERENT-REPEAT", "IMPORT-SAME-PICTURE", "IMPORT-SAME-PICTURE"], "\(run.output)"
        )
        #expect(try photos().hasPrefix("C-01 a.jpg pit; C-02 "))
    }

    /// A word within another says nothing, and a picture needs no usual ending.
    @Test func whatAPhotoShowsIsAWordOfItsPath() throws {
        try put(
            "fotos/C-01/recorte.jpg", "fotos/C-01/Hacienda Cortez/b.jfif", "fotos/C-01/Cortes/c",
            "fotos/C-01/x Panorámica.jpg")
        let run = try bringIn()
        #expect(run.status == 0, "\(run.output)\(run.error)")
        #expect(try photos() == "C-01 b.jfif pit; C-01 c stratum; C-01 recorte.jpg pit; C-01 x Panorámica.jpg panorama")
    }

    /// A folder by a link is that folder: its digest says what was in it.
    @Test func aLinkedFolderIsTheFolder() throws {
        try put("2019/C-01/a.jpg")
        try FileManager.default.createSymbolicLink(atPath: office.path("fotos"), withDestinationPath: "2019")
        _ = try bringIn()
        try put("2019/C-01/b.jpg")
        _ = try bringIn()
        _ = try office.run("import", "2019", "--project", "HYO-2025")
        #expect(try photos() == "C-01 a.jpg pit; C-01 b.jpg pit")
        let digests = try office.sql("SELECT group_concat(sha256, ' ') FROM imports WHERE source IN ('fotos', '2019')")
            .split(separator: " ")
        #expect(digests.count == 3 && digests[0] != digests[1] && digests[1] == digests[2], "\(digests)")
    }

    @Test func brokenFilesAreRejectedAndLinksNotFollowed() throws {
        try put("fotos/C-01/a.jpg")
        try put(Data("<html>404</html>".utf8), "fotos/C-01/b.jpg")
        try put(Data([0xFF, 0xD8, 0xFF, 0xE0, 1, 2]), "fotos/C-01/c.jpg")
        try put(Data(), "fotos/C-01/d.png")
        try put("fuera/C-02/e.jpg")
        let links = [
            ("fotos/C-02", "../fuera/C-02"), ("fotos/C-01/f.jpg", "../../fuera/C-02/e.jpg"), ("fotos/bucle", "."),
        ]
        for (link, to) in links {
            try FileManager.default.createSymbolicLink(atPath: office.path(link), withDestinationPath: to)
        }
        let run = try bringIn()
        #expect(run.status == 1, "\(run.output)\(run.error)")
        #expect(try codes(run) == ["IMPORT-NO-IMAGE", "IMPORT-NO-IMAGE", "IMPORT-NO-IMAGE"])
        #expect(try photos() == "C-01 a.jpg pit")
    }

    @Test func aCameraWithoutAZoneHasThatOfThePack() throws {
        try put(Self.picture("z", camera: Self.camera), "fotos/C-01/z.jpg")
        let run = try bringIn()
        #expect(try codes(run) == ["IMPORT-CAMERA-ZONE"] && run.output.contains("America/Lima"), "\(run.output)")
        let taken = try office.sql("SELECT taken_at FROM calicata_photos WHERE filename = 'z.jpg'")
        #expect(taken == "2019-03-03T14:17:47Z")
    }

    /// Pictures beside other files come in by a mapping that is named.
    @Test func aMixedTreeSaysHowItsPicturesComeIn() throws {
        try put("fotos/C-01/a.jpg")
        try put(Data("solo texto\n".utf8), "fotos/C-01/nota.txt")
        let mixed = try office.run("import", "fotos", "--project", "HYO-2025", "--json")
        #expect(mixed.status == 65 && mixed.output.contains("IMPORT-PICTURES-LEFT"), "\(mixed.output)\(mixed.error)")
        let run = try bringIn("--mapping", "fotos-calicata")
        #expect(run.status == 0, "\(run.output)\(run.error)")
        #expect(try codes(run) == ["IMPORT-OTHER-FILE"] && photos() == "C-01 a.jpg pit")
        let sparing = try bringIn("--mapping", "fotos-calicata", "--exclude", "*.txt")
        #expect(try codes(sparing) == ["IMPORT-FILE-LEFT-OUT"])
    }

    @Test func theProjectMustBeSaid() throws {
        try put("fotos/C-01/a.jpg")
        let run = try office.run("import", "fotos")
        #expect(run.error.contains("IMPORT-PROJECT-NEEDED"), "\(run.output)\(run.error)")
        let seen = try office.run("describe", "fotos")
        #expect(seen.status == 0 && seen.output.contains("pictures"), "\(seen.output)\(seen.error)")
    }
}
