/// Where an exported file belongs in the organisation's storage: `exports/orgs/{org_id}/projects/{project_id}/…`.
package enum StoragePath {
    /// The path of one file, unique to its export and version: nothing in storage is ever replaced.
    package static func make(
        organisation: String, project: String, export: String, version: Int, fileName: String
    ) -> String {
        let parts = [
            "exports", "orgs", OutputName.safeComponent(organisation), "projects", OutputName.safeComponent(project),
            OutputName.safeComponent(export), "v\(version)", OutputName.safeComponent(fileName),
        ]
        return parts.joined(separator: "/")
    }
}
