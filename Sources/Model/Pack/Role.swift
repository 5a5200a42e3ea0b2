/// What a profile of this role may do and see. Text: `role.NAME`.
package struct Role: Sendable, Hashable {
    package var name: String
    package var permissions: Set<Permission>
    /// Privacy classes whose fields the role sees; all others are redacted.
    package var sees: Set<String>
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

