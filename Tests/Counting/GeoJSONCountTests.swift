import Counting
import Foundation
import Model
import Testing
import Workbench

/// The features of a map are counted without their reader, whatever they hold.
@Suite struct GeoJSONCountTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let features = [
        #"{"type": "Feature", "id": "a", "properties": {"n": 1.5, "t": "", "u": null, "l": [1, {"n": 7}], "a\/b": 2, "c\u0064": 3, "e\\/f": 5}, "geometry": {"type": "Point", "coordinates": [-75.2, -12]}}"#,
        #"{"properties": {"coordinates": [1, 2], "geometry": {"coordinates": [3, 4]}}, "geometry": {"coordinates": [1, 2, 3, 4, 5]}}"#,
        #"{"properties": {}, "geometry": {"coordinates": [[1, 2], [3, 4]]}}, {"geometry": {"geometries": [{"coordinates": [1, 2]}]}}, {"geometry": null}, {"id": [1]}, {"id": null}"#,
        #"{"geometry": 5}, {"geometry": []}, {"geometry": {"coordinates": {"x": 1}}}, {"geometry": {"coordinates": {}}}, {"geometry": {"coordinates": 5}}, {"geometry": ""}, {}"#,
        #"{"geometry": {"coordinates": [594000, 8666000]}}, {"geometry": {"coordinates": [181, 0]}}, {"geometry": {"coordinates": [1e999, 0, 1]}}, {"geometry": {"coordinates": ["1", 2]}}"#,
        #"{"geom\u0065try": {"coord\u0069nates": [1, 2]}}, {"geometry": {"coordinates": [1, 2], "bbox": [1, 2, 3, 4], "coordinates": []}}, {"geometry": {"geometries": 4, "coordinates": [180, -90]}}"#,
        "",
    ]

    @Test(arguments: features) func allIsCounted(_ features: String) throws {
        try Evidence.expectWhole(
            folder.write(
                #"{"type": "FeatureCollection", "bbox": [1, 2], "features": [\#(features)], "features2": [{"a": 1}]}"#,
                to: "a.geojson"))
    }

    /// The writer's map, by a reader and a count that share nothing with it.
    @Test func aLostFeatureIsAGap() throws {
        let path = try folder.write(
            #"{"type": "FeatureCollection", "features": [{"properties": {"a": 1}}, {"properties": {"a": 2}}]}"#,
            to: "a.geojson")
        let count = try SourceCounter.count(path: path, kind: "geojson")
        var given = count.tables
        #expect(given.map(\.rows) == [2] && given[0].columns.map(\.filled) == [2])
        given[0].rows? -= 1
        #expect(CountComparison(reader: given, source: count).gaps.map(\.what) == [.rows])
    }
}
