package import Model

/// A first pack for a system that nobody has described yet, from what a form, a database's schema
/// or a workbook says.
package struct PackDraft {
    struct Vocabulary {
        struct Value {
            /// As it is stored: a name in the pack's form, or what the source writes.
            var name: String
            /// How the source writes it, where that is another text.
            var alias: String?
            var labels: [Language: String] = [:]
        }

        var name: String
        var values: [Value]
        /// Whether further values are allowed.
        var isOpen = false
        var notes: [DraftNote] = []
    }

    package let name: String
    /// The languages of its texts, the default one first.
    package internal(set) var languages: [Language]
    var title: [Language: String] = [:]
    /// Parents before what refers to them.
    var tables: [DraftTable] = []
    var vocabularies: [Vocabulary] = []
    /// The table of projects, and its fields with code and name.
    var project = (table: "projects", code: "code", name: "name")
    var notes: [DraftNote] = []
    /// Kinds of files that the mapping takes; empty where there is no mapping.
    package internal(set) var accepts: [String] = []
    /// Names of tables that every pack has.
    var reserved: Set<String> = []
    /// The source's file, for comments.
    var source = ""

    init(name: String, languages: [Language]) { (self.name, self.languages) = (name, languages) }

    func table(_ name: String) -> DraftTable? { tables.first { $0.name == name } }

    /// Tables that hold records: those of a project that are not parts of another table.
    var roots: [DraftTable] { tables.filter { $0.name != project.table && $0.parent == nil && $0.project != nil && !$0.isPhotos } }

    /// The tables whose rows are parts of a root's, or parts of such parts, each with the path of
    /// references that leads to the root. What finds its project another way than over the root is none.
    func parts(of root: DraftTable) -> [(table: DraftTable, by: String)] { parts(of: root, to: root, by: "") }

    private func parts(of table: DraftTable, to root: DraftTable, by path: String) -> [(table: DraftTable, by: String)] {
        tables.flatMap { part -> [(table: DraftTable, by: String)] in
            guard let parent = part.parent, parent.table == table.name else { return [] }
            let by = parent.field + path
            guard path.isEmpty || part.project == root.project.map({ by + "." + $0 }) else { return [] }
            return [(part, by)] + parts(of: part, to: root, by: "." + by)
        }
    }
}
