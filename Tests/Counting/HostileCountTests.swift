import Counting
import Foundation
import Importing
import Model
import Testing
import Workbench

/// If a file is damaged, cut off or not of its kind, counting it gives a count or a `CountFault`.
/// It never crashes.
@Suite struct HostileCountTests {
    private static let files = [
        ("ingeplus/legacy/registros/registro-legado.xlsx", "xlsx"), ("ingeplus/legacy/registros/registro-legado.xls", "xls"),
        ("ingeplus/legacy/registros/registro-plano.csv", "csv"), ("ingeplus/legacy/registros/registro-web.xls", "html"),
        ("ingeplus/legacy/registros/registro.xml", "xml"), ("ingeplus/legacy/foxpro/ESTRATO.DBF", "dbf"), ("ingeplus/legacy/device.db", "sqlite"),
        ("mesync/device/Preferences/com.example.mesync.plist", "plist"), ("mesync/device-xml.plist", "plist"),
    ]

    @Test(arguments: files)
    func changedBytes(name: String, kind: String) throws {
        let folder = try TemporaryFolder()
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: Evidence.samples + "/" + name)))
        var random = SeededNumbers(11)
        var faults = 0
        for turn in 0..<150 {
            var changed = bytes
            // Half of the changes hit the end of the file, because lengths and places stand in its
            // directory.
            let range = turn % 2 == 0 ? 0..<bytes.count : max(0, bytes.count - 700)..<bytes.count
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let place = turn % 3 == 0 ? Int.random(in: 0..<min(bytes.count, 600), using: &random) : Int.random(in: range, using: &random)
                changed[place] = [0, 0xFF, 0x7F, 0x80, UInt8.random(in: 0...255, using: &random)].randomElement(using: &random) ?? 0
            }
            if turn % 5 == 0 { changed = Array(changed.prefix(Int.random(in: 0..<bytes.count, using: &random))) }
            let path = try folder.write(changed, to: "a")
            do throws(CountFault) {
                _ = try SourceCounter.count(path: path, kind: kind)
            } catch {
                #expect(!error.reason.isEmpty)
                faults += 1
            }
        }
        if kind != "html", kind != "csv" { #expect(faults > 0) }
    }

    @Test("A file of another kind, an empty file or noise is counted only where the kind allows such bytes")
    func wrongKinds() throws {
        let folder = try TemporaryFolder()
        var random = SeededNumbers(5)
        let noise = try folder.write((0..<5000).map { _ in UInt8.random(in: 0...255, using: &random) }, to: "noise")
        let empty = try folder.write([UInt8](), to: "empty")
        let paths = Self.files.map { Evidence.samples + "/" + $0.0 } + [noise, empty]
        var counted: [String: [String]] = [:]
        for kind in SourceCounter.kinds where kind != "access" {
            for path in paths {
                do throws(CountFault) {
                    _ = try SourceCounter.count(path: path, kind: kind)
                    counted[kind, default: []].append(URL(fileURLWithPath: path).lastPathComponent)
                } catch {
                    #expect(!error.reason.isEmpty, "\(kind) \(path)")
                }
            }
        }
        // Any bytes are a text. An empty file is an empty database and a document without rows.
        for kind in ["csv", "html"] { #expect(counted.removeValue(forKey: kind)?.count == paths.count, "\(kind)") }
        #expect(counted == [
            "xlsx": ["registro-legado.xlsx"], "xls": ["registro-legado.xls"], "xml": ["registro.xml", "device-xml.plist"], "dbf": ["ESTRATO.DBF"], "sqlite": ["device.db", "empty"],
            "json": ["empty"], "submissions": ["empty"], "app-folder": ["empty"], "plist": ["com.example.mesync.plist", "device-xml.plist"],
        ])
        #expect(throws: CountFault.self) { try SourceCounter.count(path: folder.file("none"), kind: "csv") }
        #expect(throws: CountFault.self) { try SourceCounter.count(path: folder.path, kind: "csv") }
        #expect(throws: CountFault.self) { try SourceCounter.count(path: noise, kind: "nothing") }
        for kind in ["xlsx", "ods", "xls", "dbf", "sqlite", "xml", "access"] {
            #expect(throws: CountFault.self, "\(kind)") { try SourceCounter.count(path: noise, kind: kind) }
        }
    }

    @Test("JSON that is nested without end, deep XML, and a document's own entities are refused")
    func bombs() throws {
        let folder = try TemporaryFolder()
        let deep = try folder.write(String(repeating: "[{\"a\":", count: 100_000), to: "deep.json")
        #expect(throws: CountFault.tooLarge("jsonDepth 200")) { try SourceCounter.count(path: deep, kind: "json") }
        let laughs = try folder.write(
            "<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY b \"ha\"><!ENTITY c \"&b;&b;&b;&b;\">]><a><r>&c;</r><r>&c;</r></a>", to: "laughs.xml")
        #expect(throws: CountFault.self) { try SourceCounter.count(path: laughs, kind: "xml") }
        let tags = try folder.write(String(repeating: "<a>", count: 10_000), to: "tags.xml")
        #expect(throws: CountFault.self) { try SourceCounter.count(path: tags, kind: "xml") }
    }

    @Test("An archive that grows beyond the compression ratio is refused")
    func growth() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a.ods")
        let run = try OtherProgram.run(
            "/usr/bin/python3",
            ["-c", "import sys, zipfile\nwith zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED) as z: z.writestr('content.xml', b' ' * (100 << 20))", path])
        try #require(run.status == 0)
        #expect(throws: CountFault.tooLarge("compressionRatio 400")) { try SourceCounter.count(path: path, kind: "ods") }
    }

    @Test("A cancelled count ends with the fault `cancelled`", arguments: files)
    func cancelled(name: String, kind: String) throws {
        var options = SourceCounter.Options()
        options.isCancelled = { true }
        #expect(throws: CountFault.cancelled) { try SourceCounter.count(path: Evidence.samples + "/" + name, kind: kind, options: options) }
    }

    @Test("Counting changes neither a database nor the files beside it, and includes rows that are only in the log")
    func log() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a.db")
        // The script ends without closing the connection, so that the log stays.
        let run = try OtherProgram.run(
            "/usr/bin/python3",
            ["-c", "import os, sqlite3, sys\nc = sqlite3.connect(sys.argv[1]); c.execute('PRAGMA journal_mode = WAL'); c.execute('CREATE TABLE t (a)'); c.commit()\nc.executemany('INSERT INTO t VALUES (?)', [(1,), (2.5,), (None,)]); c.commit(); os._exit(0)", path])
        try #require(run.status == 0)
        let before = try folder.names.map { try OtherProgram.sha256(folder.file($0)) }
        let count = try SourceCounter.count(path: path, kind: "sqlite")
        #expect(count.tables.map(\.rows) == [2])
        #expect(count.tables[0].columns[0].numbers?.sum == 3.5)
        #expect(try folder.names.map { try OtherProgram.sha256(folder.file($0)) } == before)
    }
}
