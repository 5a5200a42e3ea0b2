import Foundation
import Testing

@testable import Model
@testable import Replica

/// Records near a place, and records with words.
@Suite struct SelectionByContentsTests {
    /// Pits in Huancayo, a kilometre north of it, and at no known place.
    private func scene(privacy: String = "public") throws -> (ReadingScene, RecordKind) {
        let degrees = ["latitude", "longitude"].map { Field(name: $0, type: .decimal, privacy: privacy) }
        let scene = try ReadingScene.pits { entities in
            for index in entities.indices where entities[index].name == "calicatas" { entities[index].fields += degrees }
        }
        try scene.sql(
            """
            UPDATE calicatas SET latitude = -12.0677, longitude = -75.2102, title = 'Huerto junto al Jardín' WHERE id = 'c1';
            UPDATE calicatas SET latitude = -12.0587, longitude = -75.2102, title = 'Plaza mayor' WHERE id = 'c2'
            """)
        var kind = scene.record
        (kind.place, kind.texts) = (.degrees(latitude: FieldPath("latitude"), longitude: FieldPath("longitude")), [FieldPath("code"), FieldPath("title"), FieldPath("project_id.name")])
        return (scene, kind)
    }

    private func selected(_ request: SelectionRequest, _ scene: ReadingScene, _ kind: RecordKind) throws -> [String] {
        let session = try scene.session()
        _ = try session.select(kind, in: session.projects[0], request, hasRemote: true)
        let left = try session.leftOut(limit: 100)
        #expect(left.allSatisfy { [.place, .words].contains($0.reason) })
        return Set(["C-1", "C-2", "C-3"]).subtracting(left.map { $0.key.replacing("TPA-1 / ", with: "") }).sorted()
    }

    @Test(arguments: [("1010m", ["C-1", "C-2"]), ("0.99 km", ["C-1"]), ("1 m", ["C-1"]), ("20000km", ["C-1", "C-2"])])
    func aCircleTakesWhatIsInIt(_ distance: String, _ expected: [String]) throws {
        let (scene, kind) = try scene()
        let circle = try #require(Nearby(place: "-12.0677, -75.2102", distance: distance))
        #expect(try selected(SelectionRequest(near: circle), scene, kind) == expected, "a record without a place is nowhere")
    }

    /// Where something is, is no secret that a distance may tell.
    @Test func aPlaceThatOneMayNotSeeIsNotNear() throws {
        let (scene, kind) = try scene(privacy: "personal")
        let circle = try #require(Nearby(place: "-12.0677,-75.2102", distance: "10km"))
        let session = try scene.session("LECTOR")
        let summary = try session.select(kind, in: session.projects[0], SelectionRequest(near: circle), hasRemote: true)
        #expect(summary.selected == 0 && summary.leftOut == [.place: 3])
        #expect(try session.leftOut(limit: 9).allSatisfy { $0.detail.isEmpty })
    }

    @Test(arguments: [
        ("huerto", ["C-1"]), ("JARDIN", ["C-1"]), ("jard huer", ["C-1"]), ("\"plaza mayor\"", ["C-2"]), ("\"mayor plaza\"", []), ("mayor plaza", ["C-2"]),
        ("c-3", ["C-3"]), ("uno", ["C-1", "C-2", "C-3"]), ("AND OR NOT *", []), ("ayor", []), ("title:plaza", []), ("plaza -mayor", ["C-2"]),
    ])
    func everyWordMustOccur(_ words: String, _ expected: [String]) throws {
        let (scene, kind) = try scene()
        #expect(try selected(SelectionRequest(words: words), scene, kind) == expected)
        #expect(try selected(SelectionRequest(words: words), scene, kind) == expected, "again in the same replica")
    }

    /// The index is of the run: nothing of it stays in the file.
    @Test func nothingOfTheIndexStays() throws {
        let (scene, kind) = try scene()
        _ = try selected(SelectionRequest(words: "huerto"), scene, kind)
        #expect(try scene.sql("SELECT count(*) FROM sqlite_schema WHERE name LIKE '%searched%'") == ["0"])
    }

    @Test func whatARecordLacksCannotBeAskedFor() throws {
        let (scene, _) = try scene()
        let session = try scene.session(), circle = try #require(Nearby(place: "0,0", distance: "1km"))
        func failure(_ request: SelectionRequest, _ kind: RecordKind) -> SelectionFailure? {
            #expect(throws: SelectionFailure.self) { try session.select(kind, in: session.projects[0], request, hasRemote: true) }
        }
        #expect(failure(SelectionRequest(near: circle), scene.record) == .recordWithoutPlace("calicata"))
        #expect(failure(SelectionRequest(words: "x"), scene.record) == .recordWithoutTexts("calicata"))
        var kind = scene.record
        kind.texts = [FieldPath("code")]
        #expect(failure(SelectionRequest(words: " \"-\" * "), kind) == .noWords(" \"-\" * "))
    }

    /// A zone of UTM comes from the project.
    @Test func metresInAGridAreAPlaceToo() throws {
        let scene = try ReadingScene(survey: "ingeplus")
        let kind = try #require(scene.pack.record("calicata"))
        let session = try scene.session()
        let first = try #require(try scene.sql("SELECT p.code || '|' || c.easting || '|' || c.northing || '|' || p.utm_zone FROM calicatas AS c JOIN projects AS p ON p.id = c.project_id WHERE c.easting IS NOT NULL AND p.utm_zone IS NOT NULL ORDER BY c.id LIMIT 1").first)
            .split(separator: "|").map(String.init)
        let project = try #require(session.projects.first { $0.code == first[0] })
        let place = try scene.place.run("/usr/bin/python3", ["-c", Self.degrees] + first[1...]).trimmingCharacters(in: .whitespacesAndNewlines)
        let circle = try #require(Nearby(place: place, distance: "50m"))
        let near = try session.select(kind, in: project, SelectionRequest(syncStates: SyncState.allCases, near: circle), hasRemote: false)
        #expect(near.selected >= 1 && (near.leftOut[.place] ?? 0) >= 1)
    }

    /// The inverse of the transverse Mercator projection, by the series of Snyder (1987), p. 63.
    private static let degrees = """
        import sys
        from math import *
        e, n, zone = float(sys.argv[1]) - 500000, float(sys.argv[2]) - 10000000, int(sys.argv[3][:2])
        a, f = 6378137.0, 1 / 298.257223563
        e2 = f * (2 - f); ep = e2 / (1 - e2); e1 = (1 - sqrt(1 - e2)) / (1 + sqrt(1 - e2))
        mu = n / 0.9996 / (a * (1 - e2 / 4 - 3 * e2**2 / 64 - 5 * e2**3 / 256))
        p = mu + (3 * e1 / 2 - 27 * e1**3 / 32) * sin(2 * mu) + (21 * e1**2 / 16 - 55 * e1**4 / 32) * sin(4 * mu) + 151 * e1**3 / 96 * sin(6 * mu)
        c, t, v = ep * cos(p)**2, tan(p)**2, a / sqrt(1 - e2 * sin(p)**2)
        r, d = a * (1 - e2) / (1 - e2 * sin(p)**2)**1.5, e / (a / sqrt(1 - e2 * sin(p)**2) * 0.9996)
        lat = p - v * tan(p) / r * (d**2 / 2 - (5 + 3 * t + 10 * c - 4 * c**2 - 9 * ep) * d**4 / 24)
        lon = (d - (1 + 2 * t + c) * d**3 / 6) / cos(p)
        print("%.7f,%.7f" % (degrees(lat), degrees(lon) + 6 * zone - 183))
        """
}

@Suite struct NearbyTests {
    @Test(arguments: [("0,0", "1m", 1.0), (" -12.5 , 75 ", "2.5 KM", 2500), ("90,-180", "10000km", 1e7)])
    func circlesAreRead(_ place: String, _ distance: String, _ metres: Double) throws {
        #expect(try #require(Nearby(place: place, distance: distance)).metres == metres)
    }

    @Test(arguments: [
        ("91,0", "1m"), ("0,181", "1m"), ("0", "1m"), ("0,0,0", "1m"), ("1e1,0", "1m"), ("nan,0", "1m"), ("0,0", "1"), ("0,0", "-1m"), ("0,0", "0km"), ("0,0", "1mi"),
        ("0,0", "km"), ("1 2,0", "1km"), ("0,0", "1 0km"), ("12°,75°", "1km"), ("", ""),
    ])
    func whatIsNoCircleIsNone(_ place: String, _ distance: String) {
        #expect(Nearby(place: place, distance: distance) == nil)
    }
}
