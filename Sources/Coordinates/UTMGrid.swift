internal import CPROJ

/// Turns UTM coordinates into geographic ones and back, with PROJ. The one wrapper of that library: no pointer leaves it.
///
/// Used by one thread at a time: it has a PROJ context of its own, which asks no network.
@safe package final class UTMGrid {
    private let context: OpaquePointer?
    private var projections: [UTMZone: OpaquePointer]

    package init() {
        unsafe context = proj_context_create()
        unsafe projections = [:]
        unsafe proj_context_set_enable_network(context, 0)
        unsafe proj_log_level(context, PJ_LOG_NONE)
    }

    deinit {
        unsafe projections.values.forEach { unsafe _ = proj_destroy($0) }
        if let context = unsafe context { unsafe proj_context_destroy(context) }
    }

    /// The place of metres east and north in a zone. Nil beyond what a zone can hold: easting 0 to 1,000,000, northing 0 to 10,000,000.
    package func position(easting: Double, northing: Double, zone: UTMZone) -> GeographicPosition? {
        guard (0...1_000_000).contains(easting), (0...10_000_000).contains(northing) else { return nil }
        guard let (longitude, latitude) = transform(easting, northing, zone, isInverse: true) else { return nil }
        return GeographicPosition(latitude: latitude * 180 / .pi, longitude: longitude * 180 / .pi)
    }

    /// Metres east and north of a place in a zone, which need not be the zone that it lies in. Nil beyond 84° of latitude, where the
    /// grid ends, and more than 30° from the zone's middle.
    package func coordinates(of place: GeographicPosition, zone: UTMZone) -> (easting: Double, northing: Double)? {
        let middle = Double(6 * zone.number - 183)
        let across = abs(place.longitude - middle)
        guard abs(place.latitude) <= 84, min(across, 360 - across) <= 30 else { return nil }
        return transform(place.longitude * .pi / 180, place.latitude * .pi / 180, zone, isInverse: false).map { ($0.0, $0.1) }
    }

    private func transform(_ first: Double, _ second: Double, _ zone: UTMZone, isInverse: Bool) -> (Double, Double)? {
        guard let projection = unsafe projection(of: zone) else { return nil }
        var result = [0.0, 0.0]
        let isDone = unsafe fichero_proj_transform(projection, isInverse ? PJ_INV : PJ_FWD, first, second, &result)
        return isDone != 0 ? (result[0], result[1]) : nil
    }

    private func projection(of zone: UTMZone) -> OpaquePointer? {
        if let known = unsafe projections[zone] { return unsafe known }
        // Spelled out rather than by its EPSG number, so that PROJ's database is not needed.
        let definition = "+proj=utm +zone=\(zone.number)\(zone.isSouth ? " +south" : "") +ellps=WGS84"
        guard let made = unsafe proj_create(context, definition) else { return nil }
        unsafe projections[zone] = made
        return unsafe made
    }
}
