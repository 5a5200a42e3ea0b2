/// What a profile of this role may do and see. Text: `role.NAME`.
package struct Role: Sendable, Hashable {
    package var name: String
    package var permissions: Set<Permission>
    /// Privacy classes whose fields the role sees; all others are redacted.
    package var sees: Set<String>

    /// Whether the role may add and change rows of an entity in the central database, as far as the
    /// pack does not make it a matter of states or of owners.
    package func maySend(_ entity: Entity) -> Bool {
        let may: Set<Permission>
        switch entity.writer {
        case .people: may = [.edit, .import]
        case .administrators: may = [.administer]
        // The books of what was exported and reported are for those who may do so.
        case .fichero: may = permissions.contains(.sync) ? [.export, .report] : []
        case .claims: may = [.sync]
        }
        return !permissions.isDisjoint(with: may) && isEditor(of: entity)
    }

    /// Whether the role is among those that may change rows of an entity.
    package func isEditor(of entity: Entity) -> Bool { entity.editors?.contains(name) ?? true }
}

extension Role {
    init?(_ node: PackNode) {
        guard let name = node.text("name") else { return nil }
        self.init(name: name, permissions: Set(node.words("may")), sees: Set(node.texts("sees")))
    }
}

/// What a command needs from the actor's role.
package enum Permission: String, Sendable, CaseIterable, Codable {
    case read, validate, export, report, run, `import`, edit, mark, sync, resolve, administer
}

