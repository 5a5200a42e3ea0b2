import Foundation
import Model
import OutputFiles
import Testing
import Workbench

@testable import Exporting

/// Records as points of a map. Python reads them.
@Suite struct GeoJSONWriterTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func sheet(_ rows: [[MemoryRows.Value]], placed: [[MemoryRows.Value]]) -> Sheet {
        var sheet = SampleExport.sheet(
            "pits", [SampleExport.column("code"), SampleExport.column("wet", .boolean)], rows)
        let places = zip(rows, placed).map { $0 + $1 }
        sheet.openPlaced = { MemoryRows(columnCount: 4, rows: places) }
        return sheet
    }

    private func ask(_ expression: String) throws -> String {
        try OtherProgram.python(
            "import json, sys; d = json.load(open(sys.argv[1], encoding='utf-8')); print(json.dumps(\(expression), ensure_ascii=False))",
            folder.file("out.geojson"))
    }

    @Test func everyRecordIsAFeatureAndOnlyPlacesOnTheEarthArePoints() throws {
        let rows: [[MemoryRows.Value]] = (1...7).map { [.text("C-\($0)"), $0 == 1 ? .integer(1) : .null] }
        let sheet = Self.sheet(
            rows,
            placed: [
                [.real(-12.067712345678), .real(-75.2102)], [.integer(0), .integer(180)], [.null, .null],
                [.real(-12), .null],
                [.real(90.5), .real(10)], [.text("-12"), .text("-75")], [.real(.nan), .real(.infinity)],
            ])
        let other = SampleExport.sheet("strata", [SampleExport.column("code")], [[.text("no record")]])
        let files = try folder.write(SampleExport.document([other, sheet]), with: GeoJSONWriter())
        #expect(files["out.geojson"]?.rows == 7)
        #expect(
            try ask("[d['type'], d['name'], d['asOf'], d['about']['draftBanner']]")
                == #"["FeatureCollection", "calicatas", "2026-01-31T12:00:00Z", "BORRADOR"]"#)
        #expect(
            try ask("d['features'][0]")
                == #"{"type": "Feature", "geometry": {"type": "Point", "coordinates": [-75.2102, -12.06771235]}, "properties": {"code": "C-1", "wet": true}}"#
        )
        #expect(
            try ask("[f['geometry'] and f['geometry']['coordinates'] for f in d['features']][1:]")
                == "[[180, 0], null, null, null, null, null]")
        #expect(try ask("sorted({tuple(f) for f in d['features']})") == #"[["type", "geometry", "properties"]]"#)
        // GeoJSON forbids these members here (RFC 7946, 7.1).
        #expect(try ask("any(k in d for k in ('coordinates', 'geometries', 'geometry', 'properties'))") == "false")
    }

    @Test func noRecordsAreAnEmptyList() throws {
        _ = try folder.write(SampleExport.document([Self.sheet([], placed: [])]), with: GeoJSONWriter())
        #expect(try ask("d['features']") == "[]")
    }

    /// The count of other code decides, so a file that says something else never appears.
    @Test(arguments: [(2, 1), (1, 0)]) func anotherCountLeavesNothing(_ rows: Int, _ points: Int) throws {
        var file = try OutputFile(finalPath: folder.file("out.geojson"))
        try file.write(Array(#"{"features": [{"geometry": {"type": "Point", "coordinates": [1, 2]}}]}"#.utf8).span)
        var failure: OutputFailure?
        do { _ = try file.close(rows: rows, inList: "features", filled: ["geometry": points]) } catch let error
            as OutputFailure
        { failure = error }
        #expect(failure?.code == "OUTPUT-IO")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
}
