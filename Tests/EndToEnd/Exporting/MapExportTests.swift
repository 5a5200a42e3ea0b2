import Foundation
import Testing

/// Test pits as points of a map, from UTM in the replica to degrees in a registered file.
@Suite struct MapExportTests {
    @Test func pitsAreWhereTheirGridSaysAndThoseOnAnotherDatumAreNowhere() throws {
        let office = try Office(system: "ingeplus")
        _ = try office.writableSQL("UPDATE projects SET datum = 'PSAD56' WHERE code = (SELECT max(code) FROM projects)")
        let run = try office.run(
            "export", "calicatas", "--format", "geojson", "-o", "out", "--fail-on", "never", "--policy", "mark")
        #expect(run.status == 0, "\(run.error)")
        let files = try office.files("out").filter { $0.hasSuffix(".geojson") }
        var known = 0, unknown = 0
        for file in files {
            let script = """
                import json, sys
                features = json.load(open(sys.argv[1], encoding='utf-8'))['features']
                far = 0
                for feature in features:
                    if feature['geometry'] is None: continue
                    x, y = feature['geometry']['coordinates']
                    p = feature['properties']
                    assert -180 <= x <= 180 and -90 <= y <= 90 and p['datum'] == 'WGS84'
                    middle = 6 * int(p['utm_zone'][:2]) - 183
                    # A degree of a meridian has between 110.5 and 111.7 km.
                    south = (10_000_000 - p['northing']) / 0.9996
                    if not south / 111_700 <= -y <= south / 110_500 or abs(x - middle) > 3.5 or (x > middle) != (p['easting'] > 500_000): far += 1
                print(len(features), sum(1 for f in features if f['geometry']), far)
                """
            let counts = try Reading.python(script, office.path("out/" + file))
            #expect(counts.status == 0, "\(counts.error)")
            let numbers = counts.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
            try #require(numbers.count == 3)
            known += numbers[1]
            unknown += numbers[0] - numbers[1]
            #expect(numbers[2] == 0, "\(file)")
        }
        #expect(known > 20 && unknown > 0)
        #expect(
            try office.sql("SELECT count(*), sum(rows) FROM exports WHERE format = 'geojson'")
                == "\(files.count)|\(known + unknown)")
        #expect(
            try office.sql(
                "SELECT count(*) FROM calicatas JOIN projects AS p ON p.id = project_id WHERE p.datum = 'PSAD56'")
                != "0")
        // The place is a part of what the file says, also where it comes from the project.
        _ = try office.writableSQL(
            "UPDATE projects SET utm_zone = '19S', content_stamp = content_stamp + 1000000 WHERE code = (SELECT min(code) FROM projects)"
        )
        #expect(
            try office.run(
                "export", "calicatas", "--format", "geojson", "-o", "out", "--fail-on", "never", "--policy", "mark",
                "--json"
            ).output.contains("\"written\""))
    }
}
