import Foundation
import Testing

/// A photo whose row was corrected in the quarantine comes in with its file, its checksum and its
/// EXIF data.
@Suite struct RejectPhotoTests {
    private let office: Office
    /// The photo whose row has a fault.
    private let photo: (id: String, file: String, sha256: String, width: String)

    /// A copy of the sample survey. The size of one photo is not a number, and the copy says
    /// nothing else about its file.
    init() throws {
        office = try Office(system: "ingeplus", set: nil)
        try FileManager.default.copyItem(atPath: ProgramRun.root + "/Samples/ingeplus/survey", toPath: office.path("survey"))
        let script = """
            import hashlib, json, sys
            folder = sys.argv[1] + "/"
            rows = json.load(open(folder + "data/calicata_photos.json"))
            manifest = json.load(open(folder + "manifest.json"))
            pits = json.load(open(folder + next(t["file"] for t in manifest["entities"] if t["entity"] == "calicatas")))
            closed = {pit["id"] for pit in pits if pit["status"] == "ARCHIVADO"}
            # A photo of an archived pit would need a reason as well.
            row = [row for row in rows if row["calicata_id"] not in closed][3]
            own = next(p for p in manifest["photos"] if p["id"] == row["id"])
            print(row["id"], own["file"], hashlib.sha256(open(folder + own["file"], "rb").read()).hexdigest(), row["width_px"])
            row["bytes"] = "heavy"
            for name in ("sha256", "local_path", "width_px", "height_px", "latitude", "longitude"):
                row[name] = None
            json.dump(rows, open(folder + "data/calicata_photos.json", "w"))
            for table in manifest["entities"]:
                for name in ("sha256", "bytes"):
                    table.pop(name, None)
            json.dump(manifest, open(folder + "manifest.json", "w"))
            """
        let made = try Reading.python(script, office.path("survey"))
        let words = made.output.split { $0 == " " || $0 == "\n" }.map(String.init)
        try #require(words.count == 4, "\(made.error)")
        photo = (words[0], words[1], words[2], words[3])
    }

    private func bringIn(_ path: String) throws {
        let run = try office.run("import", path, "--actor", Office.administrator)
        #expect(run.status == 1 && run.output.contains("FIELD-TYPE"), "\(run.output) \(run.error)")
        // That the row was refused is told once, by the file's name, and its picture is not told as one too many.
        #expect(!run.output.contains("IMPORT-EXTRA-FILE") && !run.output.contains(photo.id), "\(run.output)")
        #expect(try office.sql("SELECT count(*) FROM calicata_photos WHERE id = '\(photo.id)'") == "0")
    }

    /// Removes the wrong size and tries the row again.
    private func retry(_ options: String..., also: [String] = []) throws -> ProgramRun {
        let id = try office.sql("SELECT id FROM rejects WHERE state = 'open'")
        for change in ["bytes="] + also {
            let edited = try office.run("rejects", "edit", id, "--set", change, "--actor", Office.administrator)
            #expect(edited.status == 0, "\(edited.error)")
        }
        return try office.run(["rejects", "retry", "--actor", Office.administrator] + options)
    }

    private func expectAttached() throws {
        let row = try office.sql(
            "SELECT sha256 || ' ' || bytes || ' ' || width_px || ' ' || (latitude IS NOT NULL) || ' ' || local_path FROM calicata_photos WHERE id = '\(photo.id)'")
        let size = try FileManager.default.attributesOfItem(atPath: ProgramRun.root + "/Samples/ingeplus/survey/" + photo.file)[.size] as? Int ?? 0
        let words = row.split(separator: " ").map(String.init)
        try #require(words.count == 5, "\(row)")
        #expect(Array(words[..<4]) == [photo.sha256, String(size), photo.width, "1"])
        #expect(try ProgramRun.program("/usr/bin/sha256sum", [office.path(words[4])]).output.hasPrefix(photo.sha256))
    }

    @Test func theFileIsTakenFromTheFolderThatTheRowCameFrom() throws {
        try bringIn("survey")
        let run = try retry()
        #expect(run.status == 0, "\(run.output) \(run.error)")
        try expectAttached()
        let checked = try office.run("validate", "--json", "--fail-on", "never", "--actor", Office.administrator)
        #expect(!checked.output.contains("PHOTO-FILE-MISSING"))
    }

    @Test func andFromTheArchive() throws {
        _ = try Reading.python("import shutil, sys; shutil.make_archive(sys.argv[1], 'zip', sys.argv[1])", office.path("survey"))
        try FileManager.default.removeItem(atPath: office.path("survey"))
        try bringIn("survey.zip")
        #expect(try retry().status == 0)
        try expectAttached()
    }

    @Test func whatTheFirstImportKeptIsFoundByItsChecksum() throws {
        try bringIn("survey")
        try FileManager.default.removeItem(atPath: office.path("survey"))
        let run = try retry(also: ["sha256=" + photo.sha256])
        #expect(run.status == 0 && !run.output.contains("IMPORT-NO-PHOTO-FILE"), "\(run.output)")
        try expectAttached()
    }

    @Test func aFileThatIsMissingIsReportedAndFoundInANamedFolder() throws {
        try bringIn("survey")
        try FileManager.default.moveItem(atPath: office.path("survey/photos"), toPath: office.path("kept"))
        try FileManager.default.removeItem(atPath: office.path("survey"))
        let first = try retry()
        #expect(first.status == 0 && first.output.contains("IMPORT-NO-PHOTO-FILE"), "\(first.output)")
        #expect(first.output.contains("fichero undo last"), "what to do is said")
        #expect(try office.sql("SELECT local_path IS NULL FROM calicata_photos WHERE id = '\(photo.id)'") == "1", "the row is in")
        // This is the remedy that the finding names.
        #expect(try office.run("undo", "last", "--actor", Office.administrator).status == 0)
        #expect(try office.run("rejects", "retry", "--photos", "nowhere", "--actor", Office.administrator).status == 66)
        let second = try office.run("rejects", "retry", "--photos", "kept", "--actor", Office.administrator)
        #expect(second.status == 0 && !second.output.contains("IMPORT-NO-PHOTO-FILE"), "\(second.output) \(second.error)")
        try expectAttached()
    }

    @Test func anotherContentThanStatedIsNotTaken() throws {
        try bringIn("survey")
        try Data("no photo".utf8).write(to: URL(fileURLWithPath: office.path("survey/" + photo.file)))
        let run = try retry()
        #expect(run.output.contains("IMPORT-NO-PHOTO-FILE"), "the manifest states another content: \(run.output)")
        #expect(try office.sql("SELECT local_path IS NULL FROM calicata_photos WHERE id = '\(photo.id)'") == "1")
    }
}
