/// Whose data it is: the entity with the people whom the records are about, and what becomes of the
/// rows that lead to a person who is erased (`subjects:` in `pack.yaml`).
package struct SubjectDefinition: Sendable, Hashable {
    /// What becomes of a row that leads to the person.
    package enum Fate: String, Sendable, CaseIterable {
        /// It goes, with its parts.
        case delete
        /// It stays, without the reference to the person.
        case anonymise
    }

    package struct Rows: Sendable, Hashable {
        package var entity: String
        /// The reference, or the list of references, that leads to the person.
        package var by: String
        package var fate: Fate
        /// Further fields of a row that stays, which are emptied with the reference.
        package var clears: [String]
    }

    package var entity: String
    /// Fields whose value belongs to one person alone, besides the id: by them a person who comes
    /// back is known.
    package var identity: [String]
    /// Fields with words by which a person is found in books and rejected rows: a name.
    package var mentions: [String]
    package var rows: [Rows]
}

extension SubjectDefinition {
    /// Whether a row is a person's by what this field names: the id and what else identifies people, or
    /// a reference with which rows go.
    package func owns(_ entity: Entity, by field: Field) -> Bool {
        field.name == "id" || (entity.name == self.entity && identity.contains(field.name))
            || rows.contains { $0.entity == entity.name && $0.by == field.name && $0.fate == .delete }
    }

    /// Fields of a row that stays which are emptied with a reference.
    package func cleared(with field: Field, of entity: Entity) -> [String] {
        rows.first { $0.entity == entity.name && $0.by == field.name && $0.fate == .anonymise }?.clears ?? []
    }

    init?(_ node: PackNode) {
        guard let entity = node.text("entity") else { return nil }
        self.init(
            entity: entity, identity: ["id"] + node.texts("identity"), mentions: node.texts("mentions"), rows: node.items("rows").compactMap(Rows.init))
    }
}

extension SubjectDefinition.Rows {
    init?(_ node: PackNode) {
        guard let entity = node.text("entity"), let by = node.text("by"), let fate = node.word("erase", SubjectDefinition.Fate.self) else { return nil }
        self.init(entity: entity, by: by, fate: fate, clears: node.texts("clear"))
    }
}
