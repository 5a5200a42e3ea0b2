package import Model

/// What a pack says of its log of events, ready for a replay.
package struct EventRules: Sendable {
    let log: EventLogDefinition
    let entity: Entity
    private let pack: Pack
    private let ranks: [String: Int]

    /// Nil where the pack knows no events.
    package init?(_ pack: Pack) {
        guard let log = pack.events, let entity = pack.entity(log.entity) else { return nil }
        (self.log, self.entity, self.pack) = (log, entity, pack)
        ranks = Dictionary(log.kinds.enumerated().map { ($0.element.type, $0.offset) }) { first, _ in first }
    }

    /// What comes first within a millisecond; what nobody knows comes last.
    func rank(of type: String) -> Int { ranks[type] ?? .max }

    func kind(of type: String) -> EventLogDefinition.Kind? { ranks[type].map { log.kinds[$0] } }

    /// The tables that events speak of.
    var tables: [String] { log.tables.map(\.entity) }

    /// What events may call a field: as files do first, then its own name.
    func spellings(of field: String, in entity: String) -> [String] { (pack.entity(entity)?.field(field)?.aliases ?? []) + [field] }

    /// The table whose records stand on a list.
    func target(of list: String, in entity: String) -> String? { pack.entity(entity)?.field(list)?.references }
}
