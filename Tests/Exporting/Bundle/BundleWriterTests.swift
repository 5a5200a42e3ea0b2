import Digests
import Foundation
import Glibc
import Model
import Testing
import Workbench

@testable import Exporting

/// Python's zipfile and csv read the packages back.
@Suite struct BundleWriterTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.file("store"), withIntermediateDirectories: true)
    }

    private func sum(_ data: Data) -> String {
        SHA256.digest(of: [UInt8](data)).hexadecimal
    }

    private func photo(_ name: String, _ content: String, recorded: String? = nil) throws -> BundlePhoto {
        let path = folder.file("store/\(UUID().uuidString)")
        try Data(content.utf8).write(to: URL(filePath: path))
        return BundlePhoto(name: name, path: path, sha256: recorded ?? sum(Data(content.utf8)))
    }

    private func file(_ name: String, _ content: String) throws -> BundleFile {
        let path = folder.file("store/\(UUID().uuidString)")
        try Data(content.utf8).write(to: URL(filePath: path))
        return BundleFile(name: name, path: path, sha256: sum(Data(content.utf8)), rows: 2)
    }

    private func pack(
        _ files: [BundleFile], _ photos: [BundlePhoto], as name: String = "package.zip", _ findings: FindingList = FindingList()
    ) throws -> WrittenFile {
        var rest = photos[...]
        return try BundleWriter().write(
            files: files, nextPhoto: { rest.popFirst() }, finalPath: folder.file(name), findings: findings, progress: { _ in })
    }

    /// The names and texts of all entries, in order. No archive is in another one.
    private func entries(_ path: String) throws -> [[String]] {
        let script = """
            import json, sys, zipfile
            z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None
            assert all(i.compress_type == 0 for i in z.infolist() if i.filename.startswith("photos/"))
            assert not any(n.endswith(".zip") for n in z.namelist())
            print(json.dumps([[n, z.read(n).decode()] for n in z.namelist()]))
            """
        let output = try OtherProgram.run("/usr/bin/python3", ["-c", script, path])
        try #require(output.status == 0, "\(output.text)")
        return try JSONDecoder().decode([[String]].self, from: Data(output.text.utf8))
    }

    @Test func packsFilesPhotosAndAnIndex() throws {
        let files = [try file("data/assets.csv", "a,b\r\n"), try file("data/assets.xlsx", "workbook")]
        let photos = [try photo("8800DDC1_op_1795222588.879086_1.jpg", "one"), try photo("ñandú 2.jpg", "two")]
        let written = try pack(files, photos)
        let entries = try entries(written.temporaryPath)
        #expect(
            entries.map { $0[0] } == [
                "data/assets.csv", "data/assets.xlsx", "photos/8800DDC1_op_1795222588.879086_1.jpg", "photos/ñandú 2.jpg", "index.csv",
            ])
        #expect(entries.prefix(4).map { $0[1] } == ["a,b\r\n", "workbook", "one", "two"])
        #expect(written.rows == 4)
        let data = try Data(contentsOf: URL(filePath: written.temporaryPath))
        #expect(written.sha256 == sum(data) && written.bytes == Int64(data.count))
        try Data(entries[4][1].utf8).write(to: URL(filePath: folder.file("index.csv")))
        let index = try WrittenText.readCSV(folder.file("index.csv"))
        #expect(index[0] == ["name", "bytes", "sha256", "state"])
        #expect(index[1] == ["data/assets.csv", "5", files[0].sha256, "packed"])
        #expect(index[4] == ["photos/ñandú 2.jpg", "3", photos[1].sha256 ?? "", "packed"])
        #expect(try folder.names.filter { $0.hasSuffix(".partial") }.count == 1)
    }

    @Test func leavesOutWhatIsMissingOrChanged() throws {
        let findings = FindingList()
        #expect(unsafe mkfifo(folder.file("store/pipe"), 0o600) == 0)
        let photos = [
            BundlePhoto(name: "never.jpg", path: nil, sha256: nil), BundlePhoto(name: "gone.jpg", path: folder.file("store/gone"), sha256: "ab"),
            BundlePhoto(name: "pipe.jpg", path: folder.file("store/pipe"), sha256: nil),
            BundlePhoto(name: "folder.jpg", path: folder.file("store"), sha256: nil),
            try photo("changed.jpg", "other", recorded: String(repeating: "0", count: 64)), try photo("kept.jpg", "kept"),
            try photo("UPPER.jpg", "kept", recorded: sum(Data("kept".utf8)).uppercased()),
        ]
        let written = try pack([], photos, findings)
        let entries = try entries(written.temporaryPath)
        #expect(entries.map { $0[0] } == ["photos/kept.jpg", "photos/UPPER.jpg", "index.csv"])
        let told = findings.findings.map { "\($0.code) \($0.severity.rawValue) \($0.arguments["name"] ?? "")" }
        #expect(
            told == [
                "PHOTO-MISSING warning gone.jpg", "PHOTO-MISSING warning pipe.jpg",
                "PHOTO-MISSING warning folder.jpg", "PHOTO-CHANGED error changed.jpg",
            ])
        let states = entries[2][1].split(separator: "\r\n").dropFirst().map { $0.split(separator: ",").last ?? "" }
        #expect(states == ["missing", "missing", "missing", "missing", "changed", "packed", "packed"])
    }

    @Test(arguments: ["../x.jpg", "a/b.jpg", "/x.jpg", "..", "a\\b.jpg", "", "C:x.jpg", "a\u{0}b"])
    func refusesNamesThatEscape(name: String) throws {
        let photo = try photo(name, "x")
        #expect(throws: BundleFailure.nameRefused(name)) { try pack([], [photo]) }
        #expect(try folder.names == ["store"])
    }

    @Test func refusesANameTwice() throws {
        let photos = [try photo("a.jpg", "1"), try photo("a.jpg", "2")]
        #expect(throws: BundleFailure.nameTwice("photos/a.jpg")) { try pack([], photos) }
        let files = [try file("data/a.csv", "1"), try file("data/a.csv", "2")]
        #expect(throws: BundleFailure.nameTwice("data/a.csv")) { try pack(files, []) }
        #expect(throws: BundleFailure.nameTwice("index.csv")) { try pack([try file("index.csv", "1")], []) }
        #expect(try folder.names == ["store"])
    }

    @Test func refusesAFileThatIsNoLongerWhatWasWritten() throws {
        let changed = try file("data/a.csv", "right")
        try Data("wrong".utf8).write(to: URL(filePath: changed.path))
        #expect(throws: BundleFailure.fileChanged(path: changed.path)) { try pack([changed], []) }
        try FileManager.default.removeItem(atPath: changed.path)
        #expect(throws: BundleFailure.fileChanged(path: changed.path)) { try pack([changed], []) }
        #expect(try folder.names == ["store"])
    }

    @Test func sameInputSameBytes() throws {
        let files = [try file("data/a.csv", String(repeating: "lorem;", count: 100_000))]
        let photos = try (0..<50).map { try photo("\($0).jpg", String(repeating: "\($0)", count: 9000)) }
        let first = try pack(files, photos, as: "1.zip")
        let second = try pack(files, photos, as: "2.zip")
        #expect(first.sha256 == second.sha256)
        #expect(try entries(first.temporaryPath).count == 52)
    }

    @Test func takesWrittenFilesUnderTheirFinalNames() throws {
        let written = try CSVWriter(dialect: .standard, zipped: false).write(
            SampleExport.document([SampleExport.everyKind]), stem: folder.file("assets"), findings: FindingList(), progress: { _ in })
        let package = try pack(written.map { BundleFile($0) }, [])
        #expect(try entries(package.temporaryPath).map { $0[0] } == ["data/assets-cortes.csv", "data/assets-about.csv", "index.csv"])
        #expect(package.rows == 4)
    }

    @Test func passesOnWhatTheCallerThrows() throws {
        struct Broken: Error {}
        var isFirst = true
        let photo = try photo("a.jpg", "1")
        #expect(throws: Broken.self) {
            try BundleWriter().write(
                files: [],
                nextPhoto: {
                    guard isFirst else { throw Broken() }
                    isFirst = false
                    return photo
                }, finalPath: folder.file("p.zip"), findings: FindingList(), progress: { _ in })
        }
        #expect(try folder.names == ["store"])
    }
}
