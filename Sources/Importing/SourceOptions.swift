package import Model

/// What a source cannot know by itself: what its user says of it, and what the replica holds already.
package struct SourceOptions {
    /// The table that the rows belong to; nil: the file's name tells.
    package var entity: String?
    /// The project that a drawing belongs to.
    package var projectID: String?
    package var limits = PackageLimits()
    /// What folders of systems' own apps look like.
    package var folders: [PlanFolder] = []
    /// Whether the replica has a row of an entity with this id.
    package var isKnown: (_ entity: String, _ id: String) throws -> Bool = { _, _ in false }

    package init(entity: String? = nil, projectID: String? = nil, limits: PackageLimits = PackageLimits()) {
        self.entity = entity
        self.projectID = projectID
        self.limits = limits
    }
}
