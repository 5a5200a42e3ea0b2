import Foundation
import Model
import Testing

@testable import Importing

/// The features of a map as rows of one table.
@Suite struct GeoJSONFormatTests {
    private let folder: TableFolder

    init() throws { folder = try TableFolder() }

    private func map(_ features: String, _ head: String = #""type": "FeatureCollection", "#) throws -> any TableFile {
        try TableFiles.open(path: folder.write("{\(head)\"features\": [\(features)]}", "m.json"))
    }

    private func rows(_ features: String) throws -> [String] { try map(features).tables[0].content() }

    @Test func propertiesAndThePointAreColumns() throws {
        let file = try map(
            """
            {"type": "Feature", "id": 7, "bbox": [1, 2, 3, 4], "properties": {"code": "C-1", "depth": 1.50, "wet": true, "a/b": null, "list": [1, {"x": 2}]},
             "geometry": {"coordinates": [-75.21, -12.0677, 3250], "type": "Point"}},
            {"type": "Feature", "geometry": null, "properties": {"code": "C-2", "geometry/latitude": "a trap"}}, {"type": "Feature", "geometry": {"type": "Point", "coordinates": []}, "properties": null}
            """,
            #""type": "FeatureCollection", "name": "pits", "crs": {"properties": {"name": "urn:ogc:def:crs:OGC:1.3:CRS84"}}, "#
        )
        #expect(file.contentKind == "geojson" && file.tables.map(\.name) == ["features"])
        #expect(
            file.tables[0].columns == [
                "feature/id", "code", "depth", "wet", "a~1b", "list", "geometry/longitude", "geometry/latitude",
                "geometry/altitude", "geometry~1latitude",
            ])
        let cells = try file.tables[0].content()
        #expect(
            cells == [
                #"1 n:7 t:C-1 n:1.50 b:true - t:[1,{"x":2}] n:-75.21 n:-12.0677 n:3250"#,
                "2 - t:C-2 - - - - - - - t:a trap", "3 ",
            ], "\(cells)")
    }

    /// What is not one point in degrees is an error in both columns, and never a place.
    @Test(arguments: [
        #"{"type": "LineString", "coordinates": [[1, 2], [3, 4]]}"#,
        #"{"type": "GeometryCollection", "geometries": [{"coordinates": [1, 2]}]}"#, "5", "[1, 2]", #""POINT(1 2)""#,
        #"{"type": "Point", "coordinates": [594000, 8666000]}"#, #"{"type": "Point", "coordinates": [-12, 95]}"#,
        #"{"type": "Point", "coordinates": [1]}"#,
        #"{"type": "Point", "coordinates": ["1", "2"]}"#, #"{"type": "Point", "coordinates": [1, null]}"#,
        #"{"coordinates": {"x": 1, "y": 2}}"#, #"{"coordinates": [1e999, 2]}"#,
    ]) func whatIsNoPointIsAnError(_ geometry: String) throws {
        let file = try map(#"{"type": "Feature", "geometry": \#(geometry), "properties": {"a": 1}}"#)
        let cells = try #require(file.tables[0].content().first).split(separator: " ", maxSplits: 1).last.map(
            String.init)
        let error = "e:no point in degrees"
        #expect(cells == "\(error) \(error) n:1" || cells == "\(error) \(error) \(error) n:1", "\(cells ?? "")")
    }

    /// Older maps may be in another grid or datum and say so: their numbers are no degrees of WGS 84.
    @Test func aMapInAnotherSystemIsRefused() throws {
        let head =
            #""type": "FeatureCollection", "crs": {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::24878"}}, "#
        #expect(throws: (any Error).self) { try map("{}", head).tables[0].content() }
    }

    @Test func aMapIsKnownByItsTypeOrItsFirstFeature() throws {
        #expect(try map(#"{"properties": {}, "type": "Feature"}"#, "").contentKind == "geojson")
        #expect(
            try TableFiles.open(path: folder.write(#"{"features": [], "type": "FeatureCollection"}"#, "m.json"))
                .contentKind == "geojson")
        #expect(
            try TableFiles.open(
                path: folder.write("\u{FEFF} \n{\"type\": \"FeatureCollection\", \"features\": []}", "m.json")
            ).contentKind == "geojson")
        for text in [#"{"features": [{"a": 1}], "b": [1]}"#, #"{"a": {"type": "FeatureCollection"}, "b": [1]}"#, "[]"] {
            #expect(try TableFiles.open(path: folder.write(text, "m.json")).contentKind == "json-tables", "\(text)")
        }
        // It has rows of no entity of its own, so only a mapping reads it.
        #expect(
            try SourceFormats.name(
                of: SourceLocation(
                    path: folder.write(#"{"type": "FeatureCollection", "features": []}"#, "calicatas.json"))) == nil)
    }

    @Test(arguments: [
        "5", #"[{"type": "Feature"}]"#, #"{"type": "Feature", "properties": [1]}"#,
        #"{"type": "Feature", "properties": 4}"#, #"{"properties": {"a": 1, "a": 2}}"#,
        #"{"geometry": {"coordinates": [1, 2]}, "geometry": {"coordinates": [1, 2]}}"#,
        #"{"type": "Feature", "properties": {"a": 1"#,
        #"{"type": "Feature", "properties": {"a": \#(String(repeating: "[", count: 300))"#,
        #"{"geometry": {"coordinates": \#(String(repeating: "[", count: 300))"#,
    ]) func whatIsNoFeatureEndsTheImport(_ features: String) throws {
        var refusal: (any Failure)?
        do { _ = try map(features).tables[0].content() } catch let error as any Failure { refusal = error }
        #expect(refusal?.exitCode == .badInput, "\(refusal?.code ?? "read")")
    }
}
