import Foundation
import Model
import Testing

@testable import Replica

/// The functions for rules, as the SQL of a pack calls them.
@Suite struct RuleFunctionTests {
    private let scene: ReadingScene
    private let session: ReadSession

    init() throws {
        scene = try ReadingScene.pits()
        session = try scene.session()
    }

    /// The value of an SQL expression. NULL is `∅`.
    private func value(_ expression: String) throws -> String {
        try allRows(session.query("SELECT \(expression) AS x", columns: ["x"], seconds: 20)).first?.first ?? "no row"
    }

    private func number(_ expression: String) throws -> Double { Double(try value(expression)) ?? .nan }

    @Test func shapes() throws {
        let corner = "'[[0,0],[4,0],[4,3],[2,3],[2,2],[0,2],[0,0]]'"
        #expect(try number("polygon_area(\(corner))") == 10)
        #expect(try abs(number("centroid_x(\(corner))") - 2.2) < 1e-9)
        #expect(try abs(number("centroid_y(\(corner))") - 1.3) < 1e-9)
        #expect(try abs(number("centroid_distance('[2.2, 2.3]', \(corner))") - 1) < 1e-9)
        #expect(try value("polygon_is_simple(\(corner))") == "1")
        #expect(try value("polygon_is_simple('[[0,0],[2,2],[2,0],[0,2]]')") == "0")
        #expect(try value("point_in_polygon('[1,1]', \(corner))") == "1")
        #expect(try value("point_in_polygon('[4.005,1]', \(corner))") == "1")
        #expect(try value("point_in_polygon('[1,2.5]', \(corner))") == "0")
        #expect(try value("point_in_polygon(json_array(1, 1), \(corner))") == "1")
    }

    @Test(arguments: [
        "NULL", "''", "'x'", "'[]'", "'[[0,0],[1,1]]'", "'[[0,0],[1,1],[2]]'", "'[[0,0],[1,1],[\"a\",2]]'", "'{}'", "'[[0,0],[1,1],[1e999,2]]'", "17",
        "CAST(x'FF00FE' AS TEXT)", "replace(hex(zeroblob(100000)), '0', '[')", "'[' || replace(hex(zeroblob(20000)), '00', '[0,1],') || '[0,0]]'",
    ]) func whatIsNoPolygonIsUnknown(json: String) throws {
        for call in ["polygon_area(\(json))", "polygon_is_simple(\(json))", "centroid_x(\(json))", "centroid_y(\(json))",
            "point_in_polygon('[0,0]', \(json))", "point_in_polygon(\(json), '[[0,0],[1,0],[1,1]]')", "centroid_distance(\(json), '[[0,0],[1,0],[1,1]]')",
        ] {
            #expect(try value(call) == "∅", "\(call.prefix(80))")
        }
    }

    @Test func namesAreCompared() throws {
        #expect(try abs(number("name_similarity('abc', 'abd')") - 2.0 / 3) < 1e-9)
        #expect(try number("name_similarity('Philips 30W wall light', '  philips  30W WALL\tlight')") == 1)
        // An accented letter counts as one letter in both forms. Without the accent, the names
        // differ in one letter of six.
        #expect(try number("name_similarity('cámara', 'ca' || char(769) || 'mara')") == 1)
        #expect(try abs(number("name_similarity('cámara', 'camara')") - 5.0 / 6) < 1e-9)
        #expect(try number("name_similarity('ÁRBOL', 'árbol')") == 1)
        #expect(try number("name_similarity('', '')") == 1)
        #expect(try number("name_similarity('', 'abc')") == 0)
        #expect(try value("name_similarity(NULL, 'abc')") == "∅")
        #expect(try number("name_similarity(hex(zeroblob(400000)), hex(zeroblob(500000)))") == 1)
    }

    /// Random names get the same similarity from slow code that follows the definition.
    @Test func distancesAreThoseOfTheDefinition() {
        func distance(_ a: ArraySlice<UInt32>, _ b: ArraySlice<UInt32>) -> Int {
            guard let x = a.first, let y = b.first else { return max(a.count, b.count) }
            if x == y { return distance(a.dropFirst(), b.dropFirst()) }
            return 1 + min(distance(a.dropFirst(), b), distance(a, b.dropFirst()), distance(a.dropFirst(), b.dropFirst()))
        }
        var state: UInt64 = 7
        func next(_ limit: UInt64) -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) % limit
        }
        for _ in 0..<300 {
            let names = (0..<2).map { _ in (0..<next(7)).map { _ in UInt32(97 + next(3)) } }
            let longer = max(names[0].count, names[1].count)
            let expected = longer == 0 ? 1 : 1 - Double(distance(names[0][...], names[1][...])) / Double(longer)
            let (first, second) = (NameSimilarity.Name(scalars: names[0]), NameSimilarity.Name(scalars: names[1]))
            #expect(NameSimilarity.of(first, second) == expected, "\(names)")
            // With a limit, the calculation may stop early. A value that reaches the limit stays
            // the same.
            for least in [0.2, 0.5, 0.8, 1] {
                let found = NameSimilarity.of(first, second, least: least)
                #expect(expected >= least ? found == expected : found == 0 || found == expected)
            }
        }
    }

    @Test func parametersAreCompared() throws {
        func similarity(_ first: String, _ second: String) throws -> String { try value("parameter_similarity('\(first)', '\(second)')") }
        #expect(try similarity(#"{"power": 30, "model": "W"}"#, #"{"model": "W", "power": 30.0}"#) == "1.0")
        #expect(try similarity(#"{"power": 30, "model": "W"}"#, #"{"model": "W", "power": 36}"#) == "0.5")
        #expect(try similarity(#"{"power": {"type": "number", "numberValue": 30}}"#, #"{"power": 30}"#) == "1.0")
        #expect(try similarity(#"{"power": 30}"#, #"{"model": "W"}"#) == "0.0")
        #expect(try similarity(#"{"power": 30, "ip": null}"#, #"{"power": 30}"#) == "1.0")
        #expect(try similarity("{}", "{}") == "1.0")
        #expect(try similarity("[]", "{}") == "∅")
        #expect(try similarity("{", "{}") == "∅")
    }

    @Test func placesOnTheEarth() throws {
        #expect(try abs(number("utm_latitude(500000, 10000000, '18S')")) < 1e-9)
        #expect(try abs(number("utm_longitude(500000, 10000000, '18S')") + 75) < 1e-9)
        let lima = "utm_latitude(279000, 8667500, '18S'), utm_longitude(279000, 8667500, '18S')"
        #expect(try number("distance_m(-12.0459, -77.0305, \(lima))") < 600)
        #expect(try abs(number("distance_m(0, 0, 0, 1)") - 111_195) < 1)
        #expect(try number("utm_distance_m(-12.0459, -77.0305, 279000, 8667500, '18S')") == number("distance_m(-12.0459, -77.0305, \(lima))"))
        for call in ["utm_latitude(500000, 1e300, '18S')", "utm_latitude(500000, 0, '99S')", "utm_longitude('x', 0, '18S')", "utm_latitude(1, 1, NULL)",
            "distance_m(NULL, 0, 0, 0)", "distance_m(91, 0, 0, 0)", "utm_distance_m(0, 0, 500000, 0, '0S')", "utm_distance_m(0, NULL, 500000, 0, '18S')", "distance_m('nan', 0, 0, 0)",
        ] {
            #expect(try value(call) == "∅", "\(call)")
        }
    }

    /// All types belong to one family, and their names have about the same length. A similar pair
    /// is reported once, at the newer type.
    @Test func manyTypesAreCompared() throws {
        let scene = try ReadingScene(survey: "anagrafica")
        try scene.sql(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 150)
            INSERT INTO types (id, family_id, name, parameters, content_stamp)
            SELECT printf('00000000-0000-7000-8000-%012d', i), (SELECT id FROM families ORDER BY id LIMIT 1),
              CASE WHEN i <= 3 THEN 'Lumora desk lamp model ' || i ELSE 'Lamp ' || substr(hex(i * 7919 * 104729), 1, 16) || i END,
              CASE WHEN i = 3 THEN '{"power": 60}' ELSE '{"power": 30}' END, 1 FROM n;
            """)
        let rule = try #require(scene.pack.rules.first { $0.code == "TIPO-SIMILE" })
        guard case .query(let sql) = rule.check else { return #expect(Bool(false)) }
        let rows = try scene.session().query(sql, columns: ["id", "name", "other"], seconds: 60)
        let pairs = try allRows(rows).filter { $0[1].contains("model") }
        #expect(pairs.map { $0[1...] } == [["Lumora desk lamp model 2", "Lumora desk lamp model 1"]])
    }
}
