import Foundation
import Geometry
import JSONReading
package import Model

/// The folder of files that the Anagrafica app itself carries: `schema_version.json`, `plan_template.json`, and below `levels/` for each
/// level `background.geojson`, `rooms.geojson`, `north.json`. Told by its content; see `Docs/survey-package.md`.
package enum AppFolderFormat: SourceFormat {
    package static let kind = "app-folder"
    static let schema = "schema_version.json", plan = "plan_template.json"

    package static func recognises(_ location: SourceLocation) -> Bool {
        guard location.isDirectory else { return false }
        return [schema, plan].allSatisfy { FileManager.default.fileExists(atPath: location.url.appendingPathComponent($0).path) }
    }

    package static func open(_ location: SourceLocation, pack: Pack) throws -> any Source {
        try AppFolder(FolderContainer(path: location.url.path, limits: location.options.limits), pack: pack, options: location.options)
    }
}

/// An opened folder of the app.
final class AppFolder: Source {
    private(set) var tables: [SourceTable] = []
    let photos: [SourcePhoto] = []
    private(set) var findings: [Finding] = []
    private(set) var countable: [CountableFile] = []
    private(set) var uses: [ColumnUse] = []

    private let container: FolderContainer
    /// By file.
    private var tallies: [String: [ReadTally]] = [:]
    private let pack: Pack
    private let limits: PackageLimits
    private var named: Set<String> = [AppFolderFormat.schema, AppFolderFormat.plan]

    private static let entities = ["projects", "schema_versions", "families", "levels", "rooms"]

    init(_ container: FolderContainer, pack: Pack, options: SourceOptions) throws {
        (self.container, self.pack) = (container, pack)
        limits = options.limits
        guard Self.entities.allSatisfy({ pack.entity($0) != nil }) else {
            throw ImportFailure.otherPack(path: container.path, found: "anagrafica", expected: pack.name)
        }
        let schema = try document(AppFolderFormat.schema), plan = try document(AppFolderFormat.plan)
        let schemaPath = container.place(of: AppFolderFormat.schema)
        guard let projectID = schema["projectId"]?.text.flatMap(UUID.init(uuidString:))?.uuidString.lowercased(), let versionID = schema["id"]?.text
        else { throw ImportFailure.brokenFile(Place(file: schemaPath), reason: "`id` and `projectId` must be UUIDs") }
        let levels = try readLevels(plan)
        let rows = PlanRows(pack: pack.name, projectID: projectID, file: container.place(of: AppFolderFormat.plan))
        add("projects", try project(projectID, versionID, schemaPath, options))
        add("schema_versions", [version(schema, projectID, schemaPath)])
        add("families", try families(schema, projectID, versionID, schemaPath), of: schemaPath)
        add("levels", rows.levels(levels), of: rows.file)
        add("rooms", rows.rooms(levels), of: rows.file)
        for (name, kind) in [(AppFolderFormat.schema, "app-schema"), (AppFolderFormat.plan, "app-plan")] {
            let path = container.place(of: name)
            let tallies = tallies[path] ?? []
            countable.append(CountableFile(path: path, kind: kind, given: { tallies.compactMap(\.count) }))
        }
        for name in try container.names() where !named.contains(name) {
            report("IMPORT-EXTRA-FILE", .warning, name, ["name": name])
        }
    }

    /// - Parameter file: whose rows these are, one by one; nil where the folder has no such rows.
    private func add(_ entity: String, _ rows: [SourceRow], of file: String? = nil) {
        guard let file else {
            tables.append(SourceTable(made: rows, of: entity, file: rows.first?.file ?? container.path, pack: pack))
            return
        }
        let use = ColumnUse(file: file, table: entity)
        uses.append(use)
        let tally = ReadTally()
        tallies[file, default: []].append(tally)
        tables.append(SourceTable(made: rows, of: entity, file: file, pack: pack, use: use, tally: tally))
    }

    private func report(_ code: String, _ severity: Severity, _ name: String, _ arguments: [String: String], pointer: String? = nil) {
        findings.append(Finding(code: code, severity: severity, place: Place(file: container.place(of: name), pointer: pointer), arguments: arguments))
    }

    /// A file of the folder as one JSON value, its numbers as they are written.
    private func document(_ name: String) throws -> JSONValue {
        try container.check(name)
        let bytes = try container.read(name, atMost: limits.documentBytes)
        do {
            return try JSONValue.parse(bytes, limits: JSONLimits(valueBytes: Int(limits.documentBytes)))
        } catch let mistake {
            throw ImportFailure.brokenFile(
                Place(file: container.place(of: name), line: mistake.line, column: mistake.column), reason: "\(mistake.reason)")
        }
    }

    // MARK: Project and schema

    /// The folder names no project: a new one bears the first characters of its id; one that the replica has stays as it is.
    private func project(_ id: String, _ version: String, _ file: String, _ options: SourceOptions) throws -> [SourceRow] {
        let short = id.prefix(8).uppercased()
        let row = SourceRow(
            value: .object([
                .init(key: "id", value: .string(id)), .init(key: "name", value: .string("Rilievo \(short)")),
                .init(key: "state", value: .string("Draft")), .init(key: "schema_version_id", value: .string(version)),
            ]), isFiltered: try options.isKnown("projects", id), file: file)
        return [row]
    }

    private func version(_ schema: JSONValue, _ projectID: String, _ file: String) -> SourceRow {
        var members: [JSONValue.Member] = [.init(key: "project_id", value: .string(projectID))]
        for name in ["id", "version", "createdAt", "isLocked"] {
            if let value = schema[name] { members.append(.init(key: name, value: value)) }
        }
        // The app's own document as it came.
        members.append(.init(key: "families", value: schema["families"] ?? .array([])))
        return SourceRow(value: .object(members), file: file)
    }

    private func families(_ schema: JSONValue, _ projectID: String, _ version: String, _ file: String) throws -> [SourceRow] {
        (schema["families"]?.items ?? []).enumerated().map { index, family in
            let pointer = "/families/\(index)"
            var members: [JSONValue.Member] = [
                .init(key: "project_id", value: .string(projectID)), .init(key: "schema_version_id", value: .string(version)),
            ]
            for name in ["id", "name", "iconName", "sortOrder", "photoMin", "photoMax"] {
                if let value = family[name] { members.append(.init(key: name, value: value)) }
            }
            members.append(.init(key: "parameter_schema", value: family["parameters"] ?? family["parameterSchema"] ?? .array([])))
            for (number, parameter) in (family["parameters"]?.items ?? []).enumerated() {
                guard let pattern = parameter["validation"]?["regex"]?.text, pattern.contains("\\\\") else { continue }
                report(
                    "PLAN-PATTERN-ESCAPED", .warning, AppFolderFormat.schema,
                    ["family": family["name"]?.text ?? "", "parameter": parameter["name"]?.text ?? "", "pattern": String(pattern.prefix(120))],
                    pointer: "\(pointer)/parameters/\(number)/validation/regex")
            }
            return SourceRow(value: .object(members), file: file, pointer: pointer)
        }
    }

    // MARK: Levels

    private func readLevels(_ plan: JSONValue) throws -> [PlanLevel] {
        let path = container.place(of: AppFolderFormat.plan)
        guard let items = plan["levels"]?.items else { throw ImportFailure.brokenFile(Place(file: path), reason: "`levels` is no list") }
        let levels = try items.enumerated().map { index, item in
            guard let key = item["id"]?.text, let number = item["index"]?.integer else {
                throw ImportFailure.brokenFile(Place(file: path, pointer: "/levels/\(index)"), reason: "a level needs `id` and `index`")
            }
            return try level(item, key, Int(number), pointer: "/levels/\(index)")
        }
        reportOrder(levels)
        return levels
    }

    private func level(_ item: JSONValue, _ key: String, _ number: Int, pointer: String) throws -> PlanLevel {
        var level = PlanLevel(key: key, name: item["name"]?.text ?? key, number: number)
        if let start = item["north"]?["start"]?.planPoint, let end = item["north"]?["end"]?.planPoint { level.north = (start, end) }
        if level.north == nil { report("PLAN-NORTH", .error, AppFolderFormat.plan, ["level": level.name, "count": "0"], pointer: pointer + "/north") }
        if let name = item["background"]?["geojson"]?.text { level.background = try background(name, of: level) }
        level.rooms = (item["rooms"]?.items ?? []).enumerated().map { number, room in
            let ring = room["shape"]?["polygon"] ?? .array([])
            let points = (ring.items ?? []).compactMap(\.planPoint)
            let repeated = zip(points, points.dropFirst()).filter { $0.distance(to: $1) <= Polygon.resolution }.count
            if repeated > 0 {
                report(
                    "PLAN-POINTS-REPEATED", .note, AppFolderFormat.plan, ["room": room["id"]?.text ?? "", "count": String(repeated)],
                    pointer: "\(pointer)/rooms/\(number)/shape/polygon")
            }
            return PlanRoom(
                key: room["id"]?.text ?? "", name: room["name"]?.text ?? "", number: room["number"]?.text ?? "", polygon: points, raw: ring)
        }
        try compareFiles(of: level, item)
        return level
    }

    private func background(_ name: String, of level: PlanLevel) throws -> JSONValue? {
        try container.check(name)
        guard container.contains(name) else {
            report("PLAN-BACKGROUND-MISSING", .warning, name, ["level": level.name, "name": name])
            return nil
        }
        named.insert(name)
        return try document(name)
    }

    /// The files beside each level repeat what the plan says: where they say something else, the plan holds and it is told.
    private func compareFiles(of level: PlanLevel, _ item: JSONValue) throws {
        let folder = "levels/\(level.key)/"
        guard (try? container.check(folder + "north.json")) != nil else { return }
        let north = folder + "north.json", rooms = folder + "rooms.geojson"
        if container.contains(north) {
            named.insert(north)
            if StateText.plain(try document(north)) != StateText.plain(item["north"] ?? .null) {
                report("PLAN-FILES-DIFFER", .warning, north, ["level": level.name, "name": north])
            }
        }
        if container.contains(rooms) {
            named.insert(rooms)
            let drawn = (try document(rooms)["features"]?.items ?? []).map { feature in
                [feature["properties"]?["id"] ?? .null, feature["properties"]?["number"] ?? .null, feature["geometry"]?["coordinates"]?[0] ?? .null]
            }
            let planned = level.rooms.map { [JSONValue.string($0.key), .string($0.number ?? ""), $0.raw ?? .null] }
            if drawn.map({ $0.map(StateText.plain) }) != planned.map({ $0.map(StateText.plain) }) {
                report("PLAN-FILES-DIFFER", .warning, rooms, ["level": level.name, "name": rooms])
            }
        }
    }

    /// Italian plans call their floors S (basement), PT or T (ground), P1, P2 and so on: an order of indexes against that is told.
    private func reportOrder(_ levels: [PlanLevel]) {
        let known = levels.compactMap { level in LevelName.height(level.name).map { (level, $0) } }.sorted { $0.0.number < $1.0.number }
        guard known.count > 1, !zip(known, known.dropFirst()).allSatisfy({ $0.1 <= $1.1 }) else { return }
        report(
            "PLAN-LEVEL-ORDER", .warning, AppFolderFormat.plan, ["levels": known.map { "\($0.0.number) \($0.0.name)" }.joined(separator: ", ")],
            pointer: "/levels")
    }
}
