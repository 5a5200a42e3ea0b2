import Foundation
import Testing
@testable import Coordinates

@Suite struct UTMGridTests {
    private let grid = UTMGrid()

    /// On the middle meridian, the easting is 500,000 m by definition of the grid.
    @Test func theMiddleOfAZone() throws {
        let zone = try #require(UTMZone("18S"))
        let place = try #require(grid.position(easting: 500_000, northing: 10_000_000, zone: zone))
        #expect(abs(place.latitude) < 1e-9 && abs(place.longitude + 75) < 1e-9)
    }

    /// Lima's Plaza Mayor lies about 279 km east and 8,667 km north in zone 18 south. The way back
    /// gives the same position to the millimetre.
    @Test func limaThereAndBack() throws {
        let zone = try #require(UTMZone("18S"))
        let place = try #require(GeographicPosition(latitude: -12.04590, longitude: -77.03050))
        let (easting, northing) = try #require(grid.coordinates(of: place, zone: zone))
        #expect(abs(easting - 278_960) < 300 && abs(northing - 8_667_500) < 500)
        let back = try #require(grid.position(easting: easting, northing: northing, zone: zone))
        #expect(abs(back.latitude - place.latitude) < 1e-9 && abs(back.longitude - place.longitude) < 1e-9)
    }

    /// Snyder 1987, p. 269, gives the series of the transverse Mercator projection. On WGS 84, a
    /// point at 45° north and 1° east of the middle has the easting 578,815.303 m.
    @Test func aKnownPointOfTheNorth() throws {
        let zone = try #require(UTMZone("33N"))
        let place = try #require(GeographicPosition(latitude: 45, longitude: 16))
        let (easting, northing) = try #require(grid.coordinates(of: place, zone: zone))
        #expect(abs(easting - 578_815.303) < 0.01, "\(easting)")
        #expect(abs(northing - 4_983_436.769) < 0.01, "\(northing)")
    }

    @Test func degreesEndAtThePolesAndAtTheDateLine() {
        for (latitude, longitude) in [(90.0, 180.0), (-90, -180)] {
            #expect(GeographicPosition(latitude: latitude, longitude: longitude) != nil)
            #expect(GeographicPosition(latitude: latitude * 1.001, longitude: longitude) == nil)
            #expect(GeographicPosition(latitude: latitude, longitude: longitude * 1.001) == nil)
        }
        #expect(GeographicPosition(latitude: .nan, longitude: 0) == nil)
    }

    /// Zones 17 and 18 meet at 78° west. A place on this border has coordinates in both zones.
    @Test func bothSidesOfABorder() throws {
        let place = try #require(GeographicPosition(latitude: -8, longitude: -78))
        let west = try #require(UTMZone("17S")), east = try #require(UTMZone("18S"))
        let left = try #require(grid.coordinates(of: place, zone: west)), right = try #require(grid.coordinates(of: place, zone: east))
        #expect(abs(left.easting + right.easting - 1_000_000) < 0.001)
        #expect(abs(left.northing - right.northing) < 0.001)
        let first = try #require(grid.position(easting: left.easting, northing: left.northing, zone: west))
        let second = try #require(grid.position(easting: right.easting, northing: right.northing, zone: east))
        #expect(first.distance(to: second) < 0.001)
    }

    @Test func allZonesRoundTrip() throws {
        for number in 1...60 {
            for isSouth in [false, true] {
                let zone = try #require(UTMZone(number: number, isSouth: isSouth))
                let place = try #require(GeographicPosition(latitude: isSouth ? -33.3 : 62.1, longitude: Double(6 * number - 183) + 2.5))
                let (easting, northing) = try #require(grid.coordinates(of: place, zone: zone))
                let back = try #require(grid.position(easting: easting, northing: northing, zone: zone))
                #expect(back.distance(to: place) < 0.001)
            }
        }
    }

    @Test func whatIsBeyondTheGrid() throws {
        let zone = try #require(UTMZone("18S"))
        for (easting, northing) in [(-1, 0), (.nan, 0), (2e6, 0), (500_000, 1e300), (500_000, -1), (.infinity, .infinity)] as [(Double, Double)] {
            #expect(grid.position(easting: easting, northing: northing, zone: zone) == nil)
        }
        #expect(GeographicPosition(latitude: 91, longitude: 0) == nil)
        #expect(GeographicPosition(latitude: .nan, longitude: 0) == nil)
        for (latitude, longitude) in [(0, 20), (89, -75)] as [(Double, Double)] {
            let place = try #require(GeographicPosition(latitude: latitude, longitude: longitude))
            #expect(grid.coordinates(of: place, zone: zone) == nil)
        }
    }

    @Test(arguments: ["", "S", "0S", "61N", "18", "18L", "1८S", "018S", "-1S", "18SS", "S18"]) func whatIsNoZone(text: String) {
        #expect(UTMZone(text) == nil)
    }

    @Test func zonesAsPeopleWriteThem() throws {
        #expect(UTMZone("18 s") == UTMZone(number: 18, isSouth: true))
        #expect(UTMZone("1N") == UTMZone(number: 1, isSouth: false))
    }

    /// A minute of latitude is nearly a nautical mile. A degree of longitude shrinks with the
    /// cosine of the latitude.
    @Test func distances() throws {
        let place = try #require(GeographicPosition(latitude: -12, longitude: -77))
        let north = try #require(GeographicPosition(latitude: -12 + 1.0 / 60, longitude: -77))
        #expect(abs(place.distance(to: north) - 1853.2) < 1)
        let east = try #require(GeographicPosition(latitude: -12, longitude: -76))
        #expect(abs(place.distance(to: east) - 111_195 * cos(12 * .pi / 180)) < 100)
        let one = try #require(GeographicPosition(latitude: 0, longitude: 179.999))
        let other = try #require(GeographicPosition(latitude: 0, longitude: -179.999))
        #expect(abs(one.distance(to: other) - 222.4) < 1)
        #expect(place.distance(to: place) == 0)
    }
}
