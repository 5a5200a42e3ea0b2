internal import CPROJ

/// Converts UTM coordinates to geographic positions and back, with PROJ. This is the only wrapper
/// of that library, and no pointer leaves it.
///
/// An instance has a PROJ context of its own, with the network disabled. Only one thread may use it
/// at a time.
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

    /// The position of an easting and a northing in metres in a zone. Returns nil outside the range
    /// of a zone: easting 0 to 1,000,000, northing 0 to 10,000,000.
    package func position(easting: Double, northing: Double, zone: UTMZone) -> GeographicPosition? {
        guard (0...1_000_000).contains(easting), (0...10_000_000).contains(northing) else { return nil }
        guard let (longitude, latitude) = transform(easting, northing, zone, isInverse: true) else { return nil }
        return GeographicPosition(latitude: latitude * 180 / .pi, longitude: longitude * 180 / .pi)
    }

    /// The easting and the northing of a position in metres, in a zone that need not be the
    /// position's own. Returns nil beyond 84° of latitude, where the grid ends, and more than 30°
    /// from the zone's central meridian.
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
        // The definition has no EPSG number, so that PROJ does not need its database.
        let definition = "+proj=utm +zone=\(zone.number)\(zone.isSouth ? " +south" : "") +ellps=WGS84"
        guard let made = unsafe proj_create(context, definition) else { return nil }
        unsafe projections[zone] = made
        return unsafe made
    }
}
