import Model

/// The path of an exported file in the organisation's storage:
/// `exports/orgs/{org_id}/projects/{project_id}/{export_id}/{file}`.
///
/// The export's own id keeps one file from ever overwriting another, whatever their names.
package struct StoragePath: Sendable, Hashable {
    /// The folder of a project. The ids come from data, and are made safe so that the path cannot
    /// leave this folder.
    package let folder: String

    /// The folders of all projects, with names of values in braces.
    package static let pattern = "exports/orgs/{organisation}/projects/{project}"

    /// - Parameter organisation: nil: the project belongs to none.
    package init(organisation: String?, project: String) {
        folder = "exports/orgs/\(organisation.map(OutputName.safeComponent) ?? "-")/projects/\(OutputName.safeComponent(project))"
    }

    /// Whether a path from data lies where a project's files lie: its beginning is that of the
    /// pattern, up to the project's id. Where a pattern names no project, the bucket counts. What
    /// comes after it may be of an earlier time, and an organisation's id is no secret.
    package static func isPlace(_ path: String, like pattern: String, of project: String?) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false), wanted = pattern.split(separator: "/")
        let last = wanted.firstIndex(of: "{project}") ?? 0
        guard parts.count > last + 1, !parts.contains(where: { ["", ".", ".."].contains($0) }) else { return false }
        return (0...last).allSatisfy { index in
            if wanted[index] == "{project}" { return parts[index] == OutputName.safeComponent(project ?? "-") }
            return wanted[index].hasPrefix("{") || parts[index] == wanted[index]
        }
    }

    /// The path of a row's only file.
    ///
    /// - Parameters:
    ///   - place: a path with names of values in braces.
    ///   - values: texts from data, made safe as well.
    package static func file(at place: String, _ values: [String: String]) -> String {
        Texts.fill(place, with: values.mapValues(OutputName.safeComponent))
    }

    /// The path of a row's file.
    ///
    /// - Parameters:
    ///   - folder: a path with names of values in braces.
    ///   - values: texts from data, made safe as well.
    ///   - id: of the row.
    package static func file(in folder: String, _ values: [String: String], id: String, name: String) -> String {
        let safe = values.mapValues(OutputName.safeComponent)
        return "\(Texts.fill(folder, with: safe))/\(OutputName.safeComponent(id))/\(OutputName.safeComponent(name))"
    }
}
