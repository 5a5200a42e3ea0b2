import Foundation
import Testing

@testable import Blocks

/// A section through pits that lie along no road.
@Suite struct SectionLineTests {
    @Test func placesOnALineHaveTheirDistances() throws {
        let line = try #require(SectionLine([(100, 100), (130, 140), (160, 180)]))
        let places = [(100.0, 100.0), (130, 140), (160, 180)].map { line.place($0.0, $0.1) }
        for (place, along) in zip(places, [0.0, 50, 100]) { #expect(abs(place.along - along) < 1e-9 && abs(place.off) < 1e-9) }
    }

    /// The line is the nearest one: no other through the middle of the places has a smaller sum of
    /// squared distances.
    @Test func noOtherLineIsNearer() throws {
        let places = [(0.0, 0.0), (20, 5), (35, -8), (60, 12), (80, 3)]
        let line = try #require(SectionLine(places.map { (east: $0.0, north: $0.1) }))
        let own = places.map { line.place($0.0, $0.1).off }.reduce(0) { $0 + $1 * $1 }
        let mean = (places.reduce(0) { $0 + $1.0 } / 5, places.reduce(0) { $0 + $1.1 } / 5)
        for step in 0..<180 {
            let angle = Double(step) * .pi / 180
            let other = places.reduce(0) { sum, place in
                let off = (place.1 - mean.1) * cos(angle) - (place.0 - mean.0) * sin(angle)
                return sum + off * off
            }
            #expect(own <= other + 1e-9)
        }
        #expect(places.map { line.place($0.0, $0.1).along }.min().map { abs($0) < 1e-9 } == true, "A is at the first pit")
    }

    @Test func oneWesternEndAndNoneForASinglePlace() throws {
        let line = try #require(SectionLine([(50, 0), (0, 0)]))
        #expect(line.place(0, 0).along < line.place(50, 0).along)
        #expect(SectionLine([(1, 1)]) == nil && SectionLine([(1, 1), (1, 1)]) == nil && SectionLine([]) == nil)
    }
}
