package import Model

/// A pack's definition of its event log, prepared for a replay.
package struct EventRules: Sendable {
    let log: EventLogDefinition
    let entity: Entity
    private let pack: Pack
    private let ranks: [String: Int]

    /// Nil where the pack defines no events.
    package init?(_ pack: Pack) {
        guard let log = pack.events, let entity = pack.entity(log.entity) else { return nil }
        (self.log, self.entity, self.pack) = (log, entity, pack)
        ranks = Dictionary(log.kinds.enumerated().map { ($0.element.type, $0.offset) }) { first, _ in first }
    }

    /// The order of event types within a millisecond; unknown types come last.
    func rank(of type: String) -> Int { ranks[type] ?? .max }

    func kind(of type: String) -> EventLogDefinition.Kind? { ranks[type].map { log.kinds[$0] } }

    /// The tables that events refer to.
    var tables: [String] { log.tables.map(\.entity) }

    /// The names that events may use for a field: its other names in files first, then its own.
    func spellings(of field: String, in entity: String) -> [String] { (pack.entity(entity)?.field(field)?.otherNames ?? []) + [field] }

    /// The table whose records a list contains.
    func target(of list: String, in entity: String) -> String? { pack.entity(entity)?.field(list)?.references }
}
