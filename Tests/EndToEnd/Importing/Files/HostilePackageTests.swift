import Foundation
import Testing

/// Hostile archives, and files that are not packages, are refused with a clear error. Nothing
/// changes.
@Suite struct HostilePackageTests {
    /// A script makes the archives. Each of them is refused with a clear error and changes nothing.
    @Test func hostileArchivesAreRefusedAndChangeNothing() throws {
        let office = try Office(system: "anagrafica", set: nil)
        let made = try Reading.python(Self.hostileArchives, office.folder, ProgramRun.root + "/Samples/anagrafica/survey")
        #expect(made.status == 0, "\(made.error)")
        let expected = [
            "escape": "IMPORT-PATH", "absolute": "IMPORT-PATH", "link": "IMPORT-PATH", "twice": "PACKAGE-NAME-TWICE", "case": "PACKAGE-NAME-TWICE",
            "encrypted": "PACKAGE-ENCRYPTED", "cut": "PACKAGE-DAMAGED", "crc": "PACKAGE-DAMAGED", "bomb": "PACKAGE-TOO-LARGE",
            "method": "PACKAGE-DAMAGED", "photo-crc": "PACKAGE-DAMAGED", "manifest": "IMPORT-MANIFEST", "overlap": "PACKAGE-DAMAGED",
        ]
        for (name, code) in expected.sorted(by: { $0.key < $1.key }) {
            let run = try office.run("import", "\(name).zip", "--actor", Office.administrator)
            #expect(run.status == 65, "\(name): \(run.status) \(run.error)")
            #expect(run.error.contains(code), "\(name): \(run.error)")
            #expect(run.error.contains("→"), "\(name) has a remedy")
        }
        #expect(try office.sql("SELECT (SELECT count(*) FROM projects) + (SELECT count(*) FROM imports WHERE format <> 'init') + (SELECT count(*) FROM rejects)") == "0")
        #expect(try office.files("fichero.db.files").isEmpty)
        // Bounds can be set by option. An archive whose files lie in one folder is a package too.
        let bounded = try office.run("import", "good.zip", "--limit", "packageEntries=3", "--actor", Office.administrator)
        #expect(bounded.status == 65 && bounded.error.contains("packageEntries"))
        #expect(try office.run("import", "good.zip", "--limit", "nonsense", "--actor", Office.administrator).status == 64)
        #expect(try office.run("import", "good.zip", "--actor", Office.administrator).status == 0)
        #expect(try office.sql("SELECT count(*) FROM instances") == "412")
    }

    private static let hostileArchives = #"""
        import pathlib, struct, sys, zipfile
        folder, survey = map(pathlib.Path, sys.argv[1:])
        manifest = (survey / "manifest.json").read_bytes()

        def archive(name, entries, method=zipfile.ZIP_DEFLATED):
            path = folder / (name + ".zip")
            with zipfile.ZipFile(path, "w", method) as zip:
                for entry, data in entries:
                    zip.writestr(entry, data)
            return path

        def patch(path, find, at, value, last=True):
            data = bytearray(path.read_bytes())
            offset = data.rfind(find) if last else data.find(find)
            data[offset + at:offset + at + len(value)] = value
            path.write_bytes(data)

        import warnings
        warnings.simplefilter("ignore")
        m = ("manifest.json", manifest)
        archive("escape", [m, ("../outside.json", "[]")])
        archive("absolute", [m, ("/etc/outside.json", "[]")])
        link = zipfile.ZipInfo("data/projects.json")
        link.external_attr = 0o120777 << 16
        archive("link", [m, (link, "/etc/passwd")])
        archive("twice", [m, ("data/a.json", "[]"), ("data/a.json", "[]")])
        archive("case", [m, ("data/a.json", "[]"), ("data/A.json", "[]")])
        patch(archive("encrypted", [m, ("data/a.json", "[]")]), b"PK\x01\x02", 8, b"\x01\x00")
        whole = archive("cut", [m, ("data/a.json", "[]" * 999)])
        whole.write_bytes(whole.read_bytes()[:-40])
        small = b'{"format": "fichero-package", "formatVersion": 1, "pack": "anagrafica", "entities": [{"entity": "projects", "file": "data/p.json"}]}'
        patch(archive("crc", [("manifest.json", small), ("data/p.json", b"[" + b" " * 5000 + b"]")]), b"PK\x01\x02", 16, b"\x00\x00\x00\x00")
        archive("bomb", [m, ("data/zeros.json", b"\x00" * (100 << 20))])
        patch(archive("method", [m, ("data/a.json", "[]")]), b"PK\x01\x02", 10, b"c\x00")
        archive("manifest", [("manifest.json", b"{}")])
        # Sizes that are more than the file.
        big = archive("overlap", [m, ("data/a.json", "[]")], zipfile.ZIP_STORED)
        patch(big, b"PK\x01\x02", 20, struct.pack("<II", 60 << 20, 60 << 20))
        files = sorted(path for path in survey.rglob("*") if path.is_file())
        good = archive("good", [("rilievo/" + str(path.relative_to(survey)), path.read_bytes()) for path in files])
        photo = [path for path in files if path.suffix == ".jpg"][-1]
        data = bytearray(archive("photo-crc", [(str(path.relative_to(survey)), path.read_bytes()) for path in files], zipfile.ZIP_STORED).read_bytes())
        data[data.find(photo.read_bytes()) + 500] ^= 1
        (folder / "photo-crc.zip").write_bytes(data)
        """#

    @Test func aWorkbookIsNoPackage() throws {
        let office = try Office(system: "anagrafica", set: nil)
        let script = """
            import sys, zipfile
            with zipfile.ZipFile(sys.argv[1], "w") as zip:
                for name in ("[Content_Types].xml", "xl/workbook.xml", "manifest.json"):
                    zip.writestr(name, "{}")
            """
        _ = try Reading.python(script, office.path("book.xlsx"))
        let run = try office.run("import", "book.xlsx", "--actor", Office.administrator)
        #expect(run.status == 65 && run.error.contains("TABLE-DAMAGED"), "\(run.error)")
    }
}
