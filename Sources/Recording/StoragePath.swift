/// The path of an exported file in the organisation's storage:
/// `exports/orgs/{org_id}/projects/{project_id}/{export_id}/{file}`.
///
/// The export's own id keeps one file from ever overwriting another, whatever their names.
package struct StoragePath: Sendable, Hashable {
    /// The folder of a project. The ids come from data, and are made safe so that the path cannot
    /// leave this folder.
    package let folder: String

    /// - Parameter organisation: nil: the project belongs to none.
    package init(organisation: String?, project: String) {
        folder = "exports/orgs/\(organisation.map(OutputName.safeComponent) ?? "-")/projects/\(OutputName.safeComponent(project))"
    }
}
