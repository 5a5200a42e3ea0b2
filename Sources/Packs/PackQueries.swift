package import Foundation
internal import Model

/// A query that a pack writes in SQL, with its place. Only a replica of the pack can tell whether
/// it compiles.
package struct PackQuery: Sendable, Hashable {
    package var place: PackPlace
    package var sql: String
    /// The columns that are taken from it.
    package var columns: [String]
}

extension PackLoader {
    /// The queries of the rules, mappings, exports and reports of a pack, and of the core's rules.
    package static func queries(of name: String, from templates: URL, coreIn other: URL? = nil) -> [PackQuery] {
        let mistakes = MistakeList()
        var folders = [PackFolder(name, in: templates, mistakes: mistakes), PackFolder(PackFolder.coreName, in: other ?? templates, mistakes: mistakes)]
        for index in folders.indices { folders[index].parse([.rules, .mapping, .export, .report]) }
        return folders.flatMap(\.files).flatMap { file -> [PackQuery] in
            switch file.kind {
            case .rules: file.root.items("rules").compactMap { query($0, columns: ["id"] + ($0.text("check") == "query" ? $0.texts("arguments") : [])) }
            case .mapping:
                // An argument that names an option is no column.
                file.root.items("refuses").compactMap { refusal in
                    query(refusal, columns: refusal.texts("arguments").filter { file.root["options"]?[$0] == nil })
                }
            case .export: file.root.items("sheets").compactMap { query($0, columns: $0["columns"]?.pairs.map(\.key) ?? []) }
            case .report: file.root["queries"]?.pairs.compactMap { query($0.value, columns: $0.value["columns"]?.pairs.map(\.key) ?? []) } ?? []
            default: []
            }
        }
    }

    private static func query(_ node: YAMLNode, columns: [String]) -> PackQuery? {
        guard let sql = node["sql"], let text = sql.text else { return nil }
        return PackQuery(place: sql.place, sql: text, columns: columns)
    }
}
