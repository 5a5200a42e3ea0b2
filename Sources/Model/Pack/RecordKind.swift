/// Which tables make one record: a calicata with its cortes and photos. Selections, states, sync and reports speak of
/// whole records; a record is as synced as its least synced part. Text: `record.NAME`.
package struct RecordKind: Sendable, Hashable {
    package struct Part: Sendable, Hashable {
        package var entity: String
        /// The reference field of the part that leads to the root (`calicata_id`), or, when `isList`,
        /// the root's list field that holds the ids of the parts (`photo_ids`).
        package var by: String
        package var isList: Bool

        package init(entity: String, by: String, isList: Bool = false) {
            self.entity = entity
            self.by = by
            self.isList = isList
        }
    }

    /// Which part of a record can be drawn as a column of layers, and by which of its fields (`strip:` in `pack.yaml`).
    package struct Strip: Sendable, Hashable {
        /// One of the parts: a row for each layer.
        package var entity: String
        /// The part's number fields with the depths of a layer's top and bottom.
        package var from: String
        package var to: String
        /// The part's field that names the layer's material.
        package var label: String
        /// The root's number fields with the whole depth and the depth of water, where it has them.
        package var total: String?
        package var water: String?

        package init(entity: String, from: String, to: String, label: String, total: String? = nil, water: String? = nil) {
            self.entity = entity
            self.from = from
            self.to = to
            self.label = label
            self.total = total
            self.water = water
        }
    }

    package var name: String
    package var root: String
    package var parts: [Part]
    /// Path from the root to the state that `--state` means (`status`, `room_id.lifecycle_state`).
    package var state: FieldPath?
    /// Path from the root to the date or instant that `--from` and `--to` mean.
    package var date: FieldPath?
    package var strip: Strip?

    package init(
        name: String, root: String, parts: [Part], state: FieldPath? = nil, date: FieldPath? = nil, strip: Strip? = nil
    ) {
        self.name = name
        self.root = root
        self.parts = parts
        self.state = state
        self.date = date
        self.strip = strip
    }
}

/// Sequential integers given to records for a client: all of a project's at the first export that asks for them, later ones after them; stored in
/// a field, never changed, never given twice.
package struct Numbering: Sendable, Hashable {
    package var name: String
    package var entity: String
    /// The integer field that holds the number, and goes wherever the row goes; nil: the replica alone knows it.
    package var field: String?
    /// The order in which rows without a number get theirs.
    package var order: [FieldPath]
    /// The condition on the project under which numbers are given at all; seen from the project's entity.
    package var when: Expression?

    package init(name: String, entity: String, field: String? = nil, order: [FieldPath], when: Expression? = nil) {
        self.name = name
        self.entity = entity
        self.field = field
        self.order = order
        self.when = when
    }
}
