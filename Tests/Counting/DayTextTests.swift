import Testing

@testable import Counting
@testable import Importing

/// The count recognises days, times and durations with code of its own. For each text here, it
/// agrees with the readers.
@Suite struct DayTextTests {
    private static func isAlike(_ text: String) -> Bool {
        var bytes = Array(text.utf8)
        return DayText.isDay(text) == (ISODate.kind(&bytes) != nil) && DayText.isDuration(text) == (ISODate.duration(Array(text.utf8)) != nil)
    }

    @Test func everyDayOfTheCalendarIsOne() {
        func padded(_ number: Int, _ length: Int) -> String { String(repeating: "0", count: length - String(number).count) + String(number) }
        var days = 0
        var unlike: [String] = []
        for year in [0, 1, 4, 100, 400, 1582, 1600, 1899, 1900, 1970, 2000, 2023, 2024, 2100, 9999] {
            for month in 0...13 {
                for day in 0...32 {
                    let text = padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2)
                    if !Self.isAlike(text) { unlike.append(text) }
                    if DayText.isDay(text) { days += 1 }
                }
            }
        }
        #expect(unlike == [])
        // There are fourteen years. The years 4, 400, 1600, 2000 and 2024 have one day more.
        #expect(days == 14 * 365 + 5)
    }

    @Test(arguments: [
        "2019-03-12T07:30:05", "2019-03-12T07:30:05Z", "2019-03-12T07:30:05.250", "2019-03-12T07:30:05.123456789012345Z", "2019-03-12",
        "PT07H30M05.5S", "-P1DT2H", "P3D", "PT5M3H", "PT.5S", "P1DT",
    ])
    func whatIsNearlyOneIsTakenByBothOrByNone(_ sound: String) {
        #expect(DayText.isDay(sound) || DayText.isDuration(sound), "\(sound)")
        let bytes = Array(sound.utf8)
        var texts = [sound]
        for index in 0...bytes.count {
            texts.append(String(decoding: bytes[..<index], as: UTF8.self))
            for byte in Array("0269-:.,TPDHMSZ +eé".utf8) {
                texts.append(String(decoding: bytes[..<index] + [byte] + bytes[index...], as: UTF8.self))
                if index < bytes.count { texts.append(String(decoding: bytes[..<index] + [byte] + bytes[(index + 1)...], as: UTF8.self)) }
            }
        }
        #expect(texts.filter { !Self.isAlike($0) } == [])
    }
}
