/// Where an exported file belongs in the organisation's storage: `exports/orgs/{org_id}/projects/{project_id}/{export_id}/{file}`.
///
/// The export's own id keeps one file from ever going up in the place of another, whatever they are called.
package struct StoragePath: Sendable, Hashable {
    /// The folder of a project; the ids come from data and lead nowhere else.
    package let folder: String

    /// - Parameter organisation: nil: the project is of none.
    package init(organisation: String?, project: String) {
        folder = "exports/orgs/\(organisation.map(OutputName.safeComponent) ?? "-")/projects/\(OutputName.safeComponent(project))"
    }
}
