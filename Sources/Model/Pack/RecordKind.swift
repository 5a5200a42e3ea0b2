/// The tables of one record: a calicata with its cortes and photos. Selections, states, sync and
/// reports treat a record as a whole. Its sync state is that of its least synced part. Text:
/// `record.NAME`.
package struct RecordKind: Sendable, Hashable {
    package struct Part: Sendable, Hashable {
        package var entity: String
        /// The references that lead from the part to the root (`calicata_id`, or over other parts
        /// `corte_id.calicata_id`), or, when `isList`, the root's list field with the ids of the
        /// parts (`photo_ids`).
        package var by: FieldPath
        package var isList = false
    }

    /// The part of a record that can be drawn as a column of layers, and its fields (`strip:` in
    /// `pack.yaml`).
    package struct Strip: Sendable, Hashable {
        /// One of the parts: a row for each layer.
        package var entity: String
        /// The part's number fields with the depths of a layer's top and bottom.
        package var from: String
        package var to: String
        /// The part's field with the name of the layer's material.
        package var label: String
        /// The root's number fields with the total depth and the depth of water, if it has them.
        package var total: String?
        package var water: String?
    }

    /// The place of a row (`place:`), of a record or of a photo: paths from the row.
    package enum Place: Sendable, Hashable {
        /// Degrees on WGS 84.
        case degrees(latitude: FieldPath, longitude: FieldPath)
        /// Metres in a zone of UTM; the zone's text contains the number and the hemisphere. If there
        /// is a field with the datum, only places on the datum `WGS84` are known in degrees.
        case grid(easting: FieldPath, northing: FieldPath, zone: FieldPath, datum: FieldPath?)
    }

    package var name: String
    package var root: String
    package var parts: [Part]
    /// Path from the root to the state for `--state` (`status`, `room_id.lifecycle_state`).
    package var state: FieldPath?
    /// Path from the root to the date or instant for the options `--from` and `--to`.
    package var date: FieldPath?
    /// The place, for the option `--near` and for maps.
    package var place: Place?
    /// Paths from the root to the texts that `--text` searches.
    package var texts: [FieldPath] = []
    package var strip: Strip?

    /// The same for rows of an entity that is a part: the row with the parts whose references lead
    /// to it.
    func rooted(at part: Part) -> RecordKind {
        let below = parts.compactMap { other -> Part? in
            guard !other.isList, !part.isList, other.by.parts.count > part.by.parts.count,
                other.by.parts.suffix(part.by.parts.count) == part.by.parts[...]
            else { return nil }
            let way = FieldPath(parts: other.by.parts.dropLast(part.by.parts.count))
            return Part(entity: other.entity, by: way)
        }
        return RecordKind(name: part.entity, root: part.entity, parts: below)
    }

    /// The root and the parts.
    package var entities: [String] { [root] + parts.map(\.entity) }
}

extension Pack {
    /// The kinds of record whose root is an entity. A row of any other entity is one with its own
    /// parts.
    package func records(rootedAt entity: String) -> [RecordKind] {
        let kinds = records.filter { $0.root == entity }
        guard kinds.isEmpty else { return kinds }
        let within = records.flatMap { kind in kind.parts.filter { $0.entity == entity }.map(kind.rooted) }
        return within.isEmpty ? [RecordKind(name: entity, root: entity, parts: [])] : within
    }
}

extension RecordKind {
    init?(_ node: PackNode) {
        guard let name = node.text("name"), let root = node.text("root") else { return nil }
        self.init(
            name: name, root: root, parts: node.items("parts").compactMap(Part.init), state: node.path("state"),
            date: node.path("date"),
            place: node["place"].flatMap(Place.init), texts: node.texts("texts").map { FieldPath($0) },
            strip: node["strip"].flatMap(Strip.init))
    }
}

extension RecordKind.Part {
    init?(_ node: PackNode) {
        guard let entity = node.text("entity"), let by = node.path("by") else { return nil }
        self.init(entity: entity, by: by, isList: node.isTrue("list"))
    }
}

extension RecordKind.Place {
    /// Latitude and longitude, or easting, northing and zone.
    package var paths: [FieldPath] {
        switch self {
        case .degrees(let latitude, let longitude): [latitude, longitude]
        case .grid(let easting, let northing, let zone, _): [easting, northing, zone]
        }
    }

    /// The field with the datum of metres.
    package var datum: FieldPath? { if case .grid(_, _, _, let datum) = self { datum } else { nil } }

    /// The word for the only datum whose places are known in degrees.
    package static let worldDatum = "WGS84"

    init?(_ node: PackNode) {
        if let latitude = node.path("latitude"), let longitude = node.path("longitude") {
            self = .degrees(latitude: latitude, longitude: longitude)
        } else if let easting = node.path("easting"), let northing = node.path("northing"), let zone = node.path("zone")
        {
            self = .grid(easting: easting, northing: northing, zone: zone, datum: node.path("datum"))
        } else {
            return nil
        }
    }
}

extension RecordKind.Strip {
    init?(_ node: PackNode) {
        guard let entity = node.text("entity"), let from = node.text("from"), let to = node.text("to"),
            let label = node.text("label")
        else {
            return nil
        }
        self.init(
            entity: entity, from: from, to: to, label: label, total: node.text("total"), water: node.text("water"))
    }
}

/// Sequential integers for a client's records. At the first export that needs them, all records of
/// a project get a number; later records get the next ones. A number is stored in a field, never
/// changed, and never assigned twice.
package struct Numbering: Sendable, Hashable {
    package var name: String
    package var entity: String
    /// The integer field with the number, which is exported and synced with the row; nil: only the
    /// replica stores it.
    package var field: String?
    /// The order in which rows without a number get theirs.
    package var order: [FieldPath]
    /// The condition under which numbers are assigned at all; its paths start at the project's
    /// entity.
    package var when: Expression?
}

extension Numbering {
    init?(_ node: PackNode) {
        guard let name = node.text("name"), let entity = node.text("entity") else { return nil }
        self.init(
            name: name, entity: entity, field: node.text("field"), order: node.texts("order").map { FieldPath($0) },
            when: node.expression("when"))
    }
}
