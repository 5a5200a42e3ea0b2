import Foundation
import Model
import Testing

@Suite struct OfficeClockTests {
    @Test(arguments: [
        ("Europe/Rome", "2026-06-01T12:00:00", "2026-06-01T10:00:00Z"), ("Europe/Rome", "2026-01-01T12:00:00", "2026-01-01T11:00:00Z"),
        // A time that clocks skip, and one that they show twice.
        ("Europe/Rome", "2026-03-29T02:30:00", "2026-03-29T01:30:00Z"), ("Europe/Rome", "2026-10-25T02:30:00", "2026-10-25T00:30:00Z"),
        ("America/New_York", "2026-03-08T02:30:00", "2026-03-08T07:30:00Z"), ("America/New_York", "2026-11-01T01:30:00", "2026-11-01T05:30:00Z"),
        // A day that begins at one o'clock, and one whose first hour is shown twice.
        ("America/Santiago", "2026-09-06", "2026-09-06T04:00:00Z"), ("America/Havana", "2026-11-01", "2026-11-01T04:00:00Z"),
        // A day that was left out.
        ("Pacific/Apia", "2011-12-30T12:00:00", "2011-12-30T22:00:00Z"), ("America/Lima", "2026-03-29T02:30:00", "2026-03-29T07:30:00Z"),
    ])
    func wallTimesAreInstants(_ zone: String, _ shown: String, _ instant: String) throws {
        #expect(Timestamp.instant(local: shown, in: try #require(TimeZone(identifier: zone))) == instant)
    }

    /// Whatever clocks show at an instant is that instant again, or an earlier one with the same
    /// time.
    @Test(arguments: ["Europe/Rome", "America/St_Johns", "Australia/Lord_Howe", "America/Lima", "Pacific/Apia", "Africa/Casablanca"])
    func whatClocksShowLeadsBack(_ name: String) throws {
        let zone = try #require(TimeZone(identifier: name))
        // Two years in steps of 25 minutes, with the changes of both.
        for step in 0..<42_000 {
            let instant = Date(timeIntervalSince1970: 1_735_689_600 + Double(step) * 1500)
            let shown = OfficeClock.shown(instant, in: zone)
            let found = OfficeClock.instant(showing: shown.timeIntervalSince1970, in: zone)
            #expect(found <= instant && OfficeClock.shown(found, in: zone) == shown, "\(instant) in \(name)")
        }
    }
}
