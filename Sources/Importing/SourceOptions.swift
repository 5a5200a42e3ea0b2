package import Model

/// What a source cannot know by itself: information from the user, and what the replica already
/// contains.
package struct SourceOptions {
    /// The table that the rows belong to; nil: determined by the file's name.
    package var entity: String?
    /// The project that a drawing belongs to.
    package var projectID: String?
    package var limits = PackageLimits()
    /// The layouts of the folders of the systems' own apps.
    package var folders: [PlanFolder] = []
    /// Whether the source is a package of an exchange, which may be a part of what is told.
    package var isPart = false
    /// Whether the replica has a row of an entity with this id.
    package var isKnown: (_ entity: String, _ id: String) throws -> Bool = { _, _ in false }

    package init(entity: String? = nil, projectID: String? = nil, limits: PackageLimits = PackageLimits()) {
        self.entity = entity
        self.projectID = projectID
        self.limits = limits
    }
}
