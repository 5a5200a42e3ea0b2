import Databases
import Foundation
import Model
import Testing

@testable import Replica

/// SQL functions for the office's calendar, and for what an anonymous export shows of a value.
@Suite struct OfficeFunctionTests {
    private func value(_ sql: String, zone: String = "America/Lima", key: [UInt8]? = nil) throws -> String? {
        let scene = try ReadingScene.pits()
        let connection = try SQLiteConnection(path: scene.file)
        connection.useTexts(of: scene.pack, in: TimeZone(identifier: zone) ?? .gmt)
        if let key { connection.use(Pseudonyms(key: key)) }
        let statement = try connection.prepare("SELECT " + sql)
        #expect(try statement.step())
        return statement.text(0)
    }

    @Test(arguments: [
        ("office_day('2025-12-01T02:30:00Z')", "2025-11-30"), ("office_time('2025-12-01T02:30:00Z')", "21:30"), ("office_day('2025-12-01')", "2025-12-01"),
        ("office_time('2025-12-01')", nil), ("office_day('mañana')", nil), ("office_day(NULL)", nil), ("office_time('2025-12-01T05:00:59.5Z')", "00:00"),
        ("period_of('2025-12-01T02:30:00Z', 'month')", "2025-11"), ("period_of('2025-12-01', 'quarter')", "2025-Q4"), ("period_of('2025-12-29', 'week')", "2026-W01"),
        ("period_of('2025-12-01', 'year')", "2025"), ("period_of('2025-12-01T02:30:00Z', 'day')", "2025-11-30"), ("period_of('2025-12-01', 'decade')", nil),
        ("band(123, 50)", "100–149"), ("band(-1, 50)", "-50–-1"), ("band(100.9, 50)", "100–149"), ("band('a', 50)", nil), ("band(1, 0)", nil),
    ]) func givesTheOfficesDaysAndBands(_ sql: String, _ expected: String?) throws {
        #expect(try value(sql) == expected)
    }

    @Test func daylightSavingCounts() throws {
        #expect(try value("office_time('2025-07-01T10:00:00Z')", zone: "Europe/Rome") == "12:00")
        #expect(try value("office_time('2025-12-01T10:00:00Z')", zone: "Europe/Rome") == "11:00")
    }

    /// All places of a square have one centre, which is at most half a diagonal away.
    @Test func squaresAreAsLargeAsTheySay() throws {
        for (latitude, longitude) in [(4.643843, -74.030817), (-12.05, -77.04), (59.91, 10.75), (0.0, 0.0)] {
            let centre = CoarsePlace.latitude(latitude, metres: 1000)
            let across = CoarsePlace.longitude(longitude, latitude: latitude, metres: 1000)
            let sql = "distance_m(\(latitude), \(longitude), \(centre), \(across)) < 720"
            #expect(try value(sql) == "1", "\(latitude) \(longitude)")
            // Places of one row have squares of one width, wherever in the row they lie.
            let within = CoarsePlace.longitude(longitude, latitude: centre, metres: 1000)
            #expect(across == within)
        }
        #expect(CoarsePlace.latitude(90, metres: 1000) <= 90 && CoarsePlace.longitude(-180, latitude: 89.99, metres: 100_000) >= -180)
        #expect(try value("grid_longitude('a', 1, 1000)") == nil)
    }

    /// RFC 4231's second case: the first 64 bits of the sum in Crockford's letters.
    @Test func pseudonymsAreSumsUnderAKey() throws {
        let key = Array("Jefe".utf8)
        let word = try #require(try value("pseudonym('what do ya want for nothing?')", key: key))
        var bits: UInt64 = 0x5bdc_c146_bf60_754e
        var expected = ""
        for _ in 0..<13 {
            expected.append(Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")[Int(bits >> 59)])
            bits <<= 5
        }
        #expect(word == expected)
        #expect(try value("pseudonym(NULL)", key: key) == nil)
        #expect(Pseudonyms().word(for: "a") != Pseudonyms().word(for: "a"))
        // No other session knows the function.
        #expect(throws: ReplicaFailure.self) { try value("pseudonym('a')") }
    }
}
