import Foundation
import Photos
import Testing
import Workbench

@testable import Model
@testable import Validating

/// Rules of the kind `photo`, with real files.
@Suite struct PhotoRuleTests {
    private let base: TemporaryFolder
    private let photo: [UInt8]

    /// The time and the position of the photo are known (`Scripts/samples`).
    init() throws {
        let root = ProjectFolder.root
        let folder = root.appendingPathComponent("Samples/ingeplus/survey/photos")
        let name = try #require(FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().first { $0.hasPrefix("CHU-2025_C-01_pared") })
        photo = [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
        base = try TemporaryFolder()
    }

    private static let entity = Entity(
        name: "shots",
        fields: [
            TestPack.id, Field(name: "path", type: .text), Field(name: "size", type: .integer), Field(name: "digest", type: .text),
            Field(name: "taken", type: .datetime), Field(name: "lat", type: .decimal), Field(name: "lon", type: .decimal),
            Field(name: "easting", type: .decimal), Field(name: "northing", type: .decimal), Field(name: "zone", type: .text),
            Field(name: "datum", type: .text), Field(name: "kind", type: .text),
        ])

    private static let whole = PhotoCheck(
        file: FieldPath("path"), longestSide: 640, bytes: FieldPath("size"), sha256: FieldPath("digest"), time: FieldPath("taken"),
        place: .degrees(latitude: FieldPath("lat"), longitude: FieldPath("lon")))

    private func judge(
        _ check: PhotoCheck = PhotoRuleTests.whole, file: [UInt8]?, severity: Severity = .error, when: String? = nil, hidden: Set<String> = [],
        zone: TimeZone? = nil, _ values: KeyValuePairs<String, String> = [:]
    ) throws -> (findings: [Finding], summary: ValidationSummary) {
        if let file { try base.write(file, to: "r.files/a.jpg") }
        let rule = Rule(
            code: "SHOT", entity: "shots", severity: severity, field: "kind", when: try when.map(ExpressionParser.parse), check: .photo(check))
        let pack = TestPack.make(entities: [Self.entity], rules: [rule])
        let source = try SQLiteSource(pack)
        source.hidden = hidden
        let columns = ["id", "path"] + values.map(\.key), cells = [TestPack.uuid(1), "'r.files/a.jpg'"] + values.map(\.value)
        try source.run("INSERT INTO shots (\(columns.joined(separator: ", "))) VALUES (\(cells.joined(separator: ", ")))")
        let list = FindingList()
        let validator = Validator(pack: pack, photos: PhotoFolder(beside: base.path + "/r"), timeZone: zone)
        let summary = try validator.validate(source, into: list, scope: .rules(["SHOT"]))
        return (list.findings, summary)
    }

    private func codes(_ file: [UInt8]?, _ check: PhotoCheck = PhotoRuleTests.whole, _ values: KeyValuePairs<String, String> = [:]) throws -> [String] {
        try judge(check, file: file, values).findings.map(\.code)
    }

    @Test func aPhotoThatIsAsRecorded() throws {
        let digest = PhotoFile(bytes: photo).sha256
        let (findings, summary) = try judge(
            file: photo,
            ["size": "\(photo.count)", "digest": "'\(digest.uppercased())'", "taken": "'2025-03-03T14:17:47Z'", "lat": "-5.092", "lon": "-80.152"])
        #expect(findings.isEmpty)
        #expect(summary.judged == ["SHOT"])
        // A value that the row does not have is not compared.
        #expect(try codes(photo) == [])
    }

    @Test func eachFaultHasItsCode() throws {
        #expect(try codes(nil) == ["PHOTO-FILE-MISSING"])
        #expect(try codes([1, 2, 3]) == ["PHOTO-NOT-JPEG"])
        #expect(try codes(Array(photo.dropLast(2000))) == ["PHOTO-TRUNCATED"])
        #expect(try codes(photo, Self.whole, ["size": "5"]) == ["PHOTO-SIZE"])
        #expect(try codes(photo, Self.whole, ["digest": "'00'"]) == ["PHOTO-CHECKSUM"])
        #expect(try codes(photo, Self.whole, ["taken": "'2025-03-03T14:20:47Z'"]) == ["PHOTO-TIME"])
        #expect(try codes(photo, Self.whole, ["taken": "'2025-03-03T14:19:40Z'"]) == [])
        #expect(try codes(photo, Self.whole, ["lat": "-5.094", "lon": "-80.152"]) == ["PHOTO-PLACE"])
        var small = Self.whole
        small.longestSide = 639
        #expect(try codes(photo, small) == ["PHOTO-TOO-LARGE"])
        // Several faults are reported at once, in a fixed order.
        #expect(try codes([1, 2], Self.whole, ["size": "5", "digest": "'00'"]) == ["PHOTO-SIZE", "PHOTO-CHECKSUM", "PHOTO-NOT-JPEG"])
    }

    @Test func findingsSayWhereAndHowMuch() throws {
        let finding = try #require(try judge(file: photo, ["taken": "'2025-03-04T14:17:47Z'"]).findings.first)
        #expect(finding.place.field == "taken" && finding.place.table == "shots" && finding.place.id == TestPack.plain(1))
        #expect(finding.severity == .warning)
        #expect(finding.arguments == ["recorded": "2025-03-04T14:17:47Z", "found": "2025-03-03T14:17:47Z"])
        let far = try #require(try judge(file: photo, ["lat": "-6.0920297", "lon": "-80.1520063"]).findings.first)
        #expect(far.arguments == ["distance": "111195", "maximum": "100"])
        // A finding is never more severe than its rule.
        #expect(try judge(file: [1], severity: .note).findings.map(\.severity) == [.note])
    }

    @Test func coordinatesOfAPitAreComparedThroughTheGrid() throws {
        var check = Self.whole
        check.place = .grid(easting: FieldPath("easting"), northing: FieldPath("northing"), zone: FieldPath("zone"), datum: FieldPath("datum"))
        #expect(try codes(photo, check, ["easting": "593993.95", "northing": "9437101.13", "zone": "'17S'", "datum": "'WGS84'"]) == [])
        let far = try judge(check, file: photo, ["easting": "594293.95", "northing": "9437101.13", "zone": "'17S'", "datum": "'WGS84'"]).findings
        #expect(far.first?.arguments["distance"].flatMap { Int($0) }.map { (297...303).contains($0) } == true, "\(far)")
        #expect(try codes(photo, check, ["easting": "593900", "northing": "9537100", "zone": "'17S'", "datum": "'WGS84'"]) == ["PHOTO-PLACE"])
        // With another datum, without a zone or with an invalid zone, nothing can be compared.
        #expect(try codes(photo, check, ["easting": "593900", "northing": "9537100", "zone": "'17S'", "datum": "'PSAD56'"]) == [])
        #expect(try codes(photo, check, ["easting": "593900", "northing": "9537100", "datum": "'WGS84'"]) == [])
        #expect(try codes(photo, check, ["easting": "593900", "northing": "9537100", "zone": "'77S'", "datum": "'WGS84'"]) == [])
    }

    @Test func onlyRowsInQuestionAreOpened() throws {
        #expect(try judge(file: nil, when: "kind = 'jpeg'", ["kind": "'heic'"]).findings.isEmpty)
        #expect(try judge(file: nil, when: "kind = 'jpeg'", ["kind": "'jpeg'"]).findings.count == 1)
    }

    @Test func rulesThatCannotBeJudgedAreNamed() throws {
        let (findings, summary) = try judge(file: nil, hidden: ["shots.lat"])
        #expect(findings.isEmpty && summary.hidden == ["SHOT"] && summary.judged.isEmpty)
        let pack = TestPack.make(entities: [Self.entity], rules: [Rule(code: "SHOT", entity: "shots", severity: .error, check: .photo(Self.whole))])
        #expect(try Validator(pack: pack).validate(SQLiteSource(pack), into: FindingList()).hidden == ["SHOT"])
    }

    /// If a camera does not store its offset, its time counts as the office's time.
    @Test func camerasWithoutAnOffsetShowTheOfficesTime() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Rome"))
        let photo = try #require(JPEGPicture(withoutOffset(self.photo)))
        let taken = try #require(photo.camera.taken)
        #expect(taken.offset == nil)
        // 9:17:47 in winter is 8:17:47 UTC.
        #expect(taken.instant(in: zone) == Timestamp.parse("2025-03-03T08:17:47Z"))
        #expect(try judge(file: withoutOffset(self.photo), zone: zone, ["taken": "'2025-03-03T08:17:47Z'"]).findings.isEmpty)
        #expect(try judge(file: withoutOffset(self.photo), zone: .gmt, ["taken": "'2025-03-03T08:17:47Z'"]).findings.map(\.code) == ["PHOTO-TIME"])
    }

    /// The same photo with an unreadable offset.
    private func withoutOffset(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        let offset = [UInt8]("-05:00".utf8)
        if let start = bytes.indices.dropLast(offset.count).first(where: { Array(bytes[$0..<$0 + offset.count]) == offset }) { bytes[start] = 0x58 }
        return bytes
    }
}
