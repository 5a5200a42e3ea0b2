package import Model

/// Reason why a source cannot be imported at all. Faults of single rows are findings, not failures.
package enum ImportFailure: Failure, Hashable {
    case notFound(path: String)
    case unreadable(path: String)
    /// The file was written to or replaced while it was read.
    case changed(path: String)
    case unknownKind(path: String, known: [String])
    /// A picture, a PDF, an archive: users may mistake it for a table, but no reader accepts it.
    case tableless(path: String, found: String)
    /// A ZIP archive that is neither a package nor a workbook.
    case archive(path: String)
    /// A workbook that this program made; `name` is that of the export or report.
    case ownBook(path: String, name: String)
    /// Mappings do not read JSON.
    case mappingJSON(path: String, mapping: String)
    /// A file without a byte, or with only white space.
    case empty(path: String)
    case invalidManifest(path: String, reason: String)
    /// `manifest.json` is not valid JSON; the place is that of the mistake.
    case manifestNotJSON(Place)
    case otherPack(path: String, found: String, expected: String)
    /// A drawing or an app's folder, but the pack does not define how to import it.
    case noPlans(path: String, pack: String)
    case newerPackage(path: String, found: String, known: String)
    case escapingPath(path: String, name: String)
    case brokenFile(Place, reason: String)
    case unknownEntity(path: String, name: String, known: [String])
    case photoStore(path: String)
    /// A table lacks columns that are needed to identify its rows.
    case missingColumns(path: String, table: String, columns: [String])
    /// The file has none of the tables that the mapping names.
    case noTable(path: String, mapping: String, wanted: [String], found: [String])
    /// The tables do not follow the pack, the user named no mapping, and several mappings fit.
    case mappingNeeded(path: String, kind: String, fitting: [String])
    /// No mapping fits: those for this kind of file need other tables or columns.
    case noMapping(path: String, kind: String, known: [String])
    /// A file of decisions with unknown or impossible contents.
    case decisions(path: String, reason: String)
    case unknownMapping(name: String, known: [String])
    /// The mapping names no project, and the import was not given one.
    case projectNeeded(path: String, mapping: String)
    /// The mapping names a different project from the one given to the import.
    case otherProject(path: String, mapping: String, found: String, given: String)
    /// Rejected rows were read with a mapping whose file no longer exists.
    case mappingGone(path: String)
    /// A reader's result differs from an independent count: `what` is `table`, `rows`, `filled`,
    /// `numbers` or `sum`.
    case gap(Place, column: String, what: String, expected: String, found: String, more: Int)
    /// The mapping is meant for other kinds of files.
    case mappingKind(path: String, mapping: String, found: String, accepted: [String])
    /// Rows of one table that refer to one another in a cycle, in the order of the references. The
    /// place is that of the cycle's first row in the source.
    case cycle(Place, entity: String, name: String, ring: [String])
    /// No mapping can be suggested: no table of the file seems to contain what the pack defines.
    case nothingToSuggest(path: String, pack: String, columns: [String], named: [String], lacking: [String])

    package var code: String {
        switch self {
        case .notFound: "IMPORT-NOT-FOUND"
        case .unreadable: "IMPORT-FILE-UNREADABLE"
        case .changed: "IMPORT-CHANGED"
        case .unknownKind: "IMPORT-KIND"
        case .tableless: "IMPORT-TABLELESS"
        case .archive: "IMPORT-ARCHIVE"
        case .ownBook: "IMPORT-OWN-BOOK"
        case .mappingJSON: "IMPORT-MAPPING-JSON"
        case .empty: "IMPORT-EMPTY"
        case .invalidManifest: "IMPORT-MANIFEST"
        case .manifestNotJSON: "IMPORT-MANIFEST-JSON"
        case .otherPack: "IMPORT-OTHER-PACK"
        case .noPlans: "IMPORT-NO-PLANS"
        case .newerPackage: "IMPORT-NEWER"
        case .escapingPath: "IMPORT-PATH"
        case .brokenFile: "IMPORT-BROKEN"
        case .unknownEntity: "IMPORT-ENTITY"
        case .photoStore: "IMPORT-PHOTO-STORE"
        case .missingColumns: "IMPORT-COLUMNS"
        // A file without tables has no problem of names, nor one with only hidden tables if the
        // mapping reads the first table.
        case .noTable(_, _, let wanted, let found):
            found.isEmpty || wanted.isEmpty ? "IMPORT-NO-TABLES" : "IMPORT-NO-TABLE"
        case .mappingNeeded: "IMPORT-MAPPING-NEEDED"
        case .noMapping: "IMPORT-NO-MAPPING"
        case .unknownMapping: "IMPORT-MAPPING"
        case .projectNeeded: "IMPORT-PROJECT-NEEDED"
        case .otherProject: "IMPORT-PROJECT-DIFFERS"
        case .mappingGone: "IMPORT-MAPPING-GONE"
        case .gap: "IMPORT-GAP"
        case .decisions: "IMPORT-DECISIONS"
        case .mappingKind: "IMPORT-MAPPING-KIND"
        case .nothingToSuggest: "IMPORT-SUGGEST-NOTHING"
        case .cycle: "IMPORT-CYCLE"
        }
    }

    package var exitCode: ExitCode {
        switch self {
        case .notFound, .mappingGone: .noInput
        case .gap: .internalError
        case .changed: .busy
        case .unreadable: .inputOutput
        case .photoStore: .cannotCreateOutput
        case .unknownMapping, .unknownEntity, .mappingNeeded, .noMapping, .projectNeeded, .otherProject: .usage
        default: .badInput
        }
    }

    package var arguments: [String: String] {
        switch self {
        case .notFound(let path), .unreadable(let path), .changed(let path), .photoStore(let path), .empty(let path),
            .archive(let path), .mappingGone(let path):
            ["path": path]
        case .gap(let place, let column, let what, let expected, let found, let more):
            [
                "path": place.file ?? "", "table": place.sheet ?? "", "column": column, "what": what,
                "expected": expected, "found": found, "more": String(more),
            ]
        case .projectNeeded(let path, let mapping), .mappingJSON(let path, let mapping):
            ["path": path, "mapping": mapping]
        case .otherProject(let path, let mapping, let found, let given):
            ["path": path, "mapping": mapping, "found": found, "given": given]
        case .unknownKind(let path, let known): ["path": path, "known": known.joined(separator: ", ")]
        case .tableless(let path, let found): ["path": path, "found": found]
        case .ownBook(let path, let name): ["path": path, "name": name]
        case .invalidManifest(let path, let reason): ["path": path, "reason": reason]
        case .manifestNotJSON(let place):
            [
                "path": place.file ?? "", "line": place.line.map(String.init) ?? "?",
                "column": place.column.map(String.init) ?? "?",
            ]
        case .otherPack(let path, let found, let expected): ["path": path, "found": found, "expected": expected]
        case .noPlans(let path, let pack): ["path": path, "pack": pack]
        case .newerPackage(let path, let found, let known): ["path": path, "found": found, "known": known]
        case .escapingPath(let path, let name): ["path": path, "name": name]
        case .brokenFile(_, let reason): ["reason": reason]
        case .cycle(_, let entity, let name, let ring):
            [
                "entity": entity, "name": name,
                "ring": (ring.prefix(8) + (ring.count > 8 ? ["…"] : ring.prefix(1))).joined(separator: " → "),
            ]
        case .missingColumns(let path, let table, let columns):
            ["path": path, "table": table, "columns": columns.joined(separator: "; ")]
        case .noTable(let path, let mapping, let wanted, let found):
            ["path": path, "mapping": mapping, "wanted": wanted.joined(separator: ", "), "found": found.listed()]
        case .mappingNeeded(let path, let kind, let fitting):
            ["path": path, "kind": kind, "known": fitting.joined(separator: ", ")]
        case .noMapping(let path, let kind, let known):
            ["path": path, "kind": kind, "known": known.isEmpty ? "—" : known.joined(separator: ", ")]
        case .decisions(let path, let reason): ["path": path, "reason": reason]
        case .unknownMapping(let name, let known): ["name": name, "known": known.joined(separator: ", ")]
        case .mappingKind(let path, let mapping, let found, let accepted):
            ["path": path, "mapping": mapping, "found": found, "known": accepted.joined(separator: ", ")]
        case .nothingToSuggest(let path, let pack, let columns, let named, let lacking):
            [
                "path": path, "pack": pack, "columns": columns.prefix(40).joined(separator: ", "),
                "named": named.isEmpty ? "—" : named.prefix(12).joined(separator: ", "),
                "lacking": lacking.isEmpty ? "—" : lacking.joined(separator: ", "),
            ]
        case .unknownEntity(let path, let name, let known):
            ["path": path, "name": name, "known": known.joined(separator: ", ")]
        }
    }

    package var place: Place? {
        switch self {
        case .manifestNotJSON(let place), .brokenFile(let place, _), .cycle(let place, _, _, _),
            .gap(let place, _, _, _, _, _):
            place
        case .tableless(let path, _), .ownBook(let path, _): Place(file: path)
        case .unknownMapping: nil
        case .projectNeeded(let path, _), .mappingJSON(let path, _), .otherProject(let path, _, _, _),
            .mappingGone(let path),
            .notFound(let path), .unreadable(let path), .changed(let path), .unknownKind(let path, _),
            .invalidManifest(let path, _), .otherPack(let path, _, _),
            .noPlans(let path, _), .newerPackage(let path, _, _), .escapingPath(let path, _), .empty(let path),
            .archive(let path), .unknownEntity(let path, _, _), .photoStore(let path), .missingColumns(let path, _, _),
            .noTable(let path, _, _, _),
            .mappingNeeded(let path, _, _), .noMapping(let path, _, _), .mappingKind(let path, _, _, _),
            .decisions(let path, _), .nothingToSuggest(let path, _, _, _, _):
            Place(file: path)
        }
    }
}
