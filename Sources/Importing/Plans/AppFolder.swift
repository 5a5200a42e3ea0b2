import Foundation
import Geometry
import JSONReading
package import Model

/// The folder of JSON files that an app exports, as the pack describes it (`plans: folder:`); see
/// `Docs/survey-package.md`.
package enum AppFolderFormat: SourceFormat {
    package static let kind = "app-folder"

    /// Recognises the folder by the names of its documents.
    package static func recognises(_ location: SourceLocation) -> Bool {
        guard location.isDirectory else { return false }
        return location.options.folders.contains { folder in
            [folder.schema.file, folder.plan.file].allSatisfy {
                FileManager.default.fileExists(atPath: location.url.appendingPathComponent($0).path)
            }
        }
    }

    package static func open(_ location: SourceLocation, pack: Pack) throws -> any Source {
        guard let plans = pack.plans, let folder = plans.folder else {
            throw ImportFailure.noPlans(path: location.url.path, pack: pack.name)
        }
        let container = FolderContainer(path: location.url.path, limits: location.options.limits)
        return try AppFolder(container, pack: pack, plans: plans, folder: folder, options: location.options)
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
    /// Tallies of tables by file.
    private var tallies: [String: [ReadTally]] = [:]
    private let pack: Pack
    private let plans: PlanDefinition
    private let folder: PlanFolder
    private let limits: PackageLimits
    /// Names of the files that are expected; any other file is reported.
    private var named: Set<String>

    init(_ container: FolderContainer, pack: Pack, plans: PlanDefinition, folder: PlanFolder, options: SourceOptions)
        throws
    {
        (self.container, self.pack, self.plans, self.folder) = (container, pack, plans, folder)
        limits = options.limits
        named = [folder.schema.file, folder.plan.file]
        let schema = try document(folder.schema.file), plan = try document(folder.plan.file)
        let schemaPath = container.place(of: folder.schema.file), member = folder.schema.projectMember
        guard let projectID = schema[member]?.text.flatMap(UUID.init(uuidString:))?.uuidString.lowercased(),
            let versionID = schema["id"]?.text
        else { throw ImportFailure.brokenFile(Place(file: schemaPath), reason: "`id` and `\(member)` must be UUIDs") }
        let levels = try readLevels(plan)
        let rows = PlanRows(pack: pack, plans: plans, projectID: projectID, file: container.place(of: folder.plan.file))
        add(pack.project.entity, try project(projectID, versionID, rows, schemaPath, options))
        add(folder.schema.entity, [version(schema, projectID, schemaPath)])
        add(folder.schema.families.entity, try families(schema, projectID, versionID, schemaPath), of: schemaPath)
        add(plans.levels.entity, rows.levels(levels), of: rows.file)
        add(plans.rooms.entity, rows.rooms(levels), of: rows.file)
        for (name, nested) in [
            (folder.schema.file, [folder.schema.families.nested]),
            (folder.plan.file, plans.nested(in: folder.plan, of: pack)),
        ] {
            let path = container.place(of: name)
            let tallies = tallies[path] ?? []
            countable.append(
                CountableFile(
                    path: path, kind: AppFolderFormat.kind, nested: nested, given: { tallies.compactMap(\.count) }))
        }
        for name in try container.names() where !named.contains(name) {
            add("IMPORT-EXTRA-FILE", name, ["name": name])
        }
    }

    /// Adds a table of rows.
    ///
    /// - Parameter file: the file that contains these rows one by one; nil if there is none.
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

    /// Adds a finding about a file of the folder.
    private func add(_ code: String, _ name: String, _ arguments: [String: String], pointer: String? = nil) {
        findings.append(
            Finding(code, place: Place(file: container.place(of: name), pointer: pointer), arguments: arguments))
    }

    /// Reads a file of the folder as one JSON value; numbers remain as written.
    private func document(_ name: String) throws -> JSONValue {
        try container.check(name)
        let bytes = try container.read(name, atMost: limits.documentBytes)
        do {
            return try JSONValue.parse(bytes, limits: JSONLimits(valueBytes: Int(limits.documentBytes)))
        } catch let mistake {
            throw ImportFailure.brokenFile(
                Place(file: container.place(of: name), line: mistake.line, column: mistake.column),
                reason: "\(mistake.reason)")
        }
    }

    // MARK: Project and schema

    /// The project's row. The folder does not contain its name, so a new project is named after the
    /// first characters of its id. A project that exists in the replica is not changed.
    private func project(_ id: String, _ version: String, _ rows: PlanRows, _ file: String, _ options: SourceOptions)
        throws -> [SourceRow]
    {
        let called = folder.schema.called.replacing("{id}", with: id.prefix(8).uppercased())
        var members = [
            JSONValue.Member(key: "id", value: .string(id)), .init(key: pack.project.name, value: .string(called)),
        ]
        members += rows.state(of: pack.project.entity)
        if let field = folder.schema.version { members.append(.init(key: field, value: .string(version))) }
        return [
            SourceRow(value: .object(members), isFiltered: try options.isKnown(pack.project.entity, id), file: file)
        ]
    }

    private func version(_ schema: JSONValue, _ projectID: String, _ file: String) -> SourceRow {
        var members: [JSONValue.Member] = [.init(key: folder.schema.project, value: .string(projectID))]
        for name in folder.schema.members {
            if let value = schema[name] { members.append(.init(key: name, value: value)) }
        }
        // The app's document, unchanged.
        if let kept = folder.schema.kept {
            members.append(.init(key: kept, value: schema[folder.schema.families.list] ?? .array([])))
        }
        return SourceRow(value: .object(members), file: file)
    }

    private func families(_ schema: JSONValue, _ projectID: String, _ version: String, _ file: String) throws
        -> [SourceRow]
    {
        let names = folder.schema.families
        return (schema[names.list]?.items ?? []).enumerated().map { index, family in
            let pointer = "/\(names.list)/\(index)"
            var members: [JSONValue.Member] = [.init(key: names.project, value: .string(projectID))]
            if let field = names.version { members.append(.init(key: field, value: .string(version))) }
            for name in names.members {
                if let value = family[name] { members.append(.init(key: name, value: value)) }
            }
            members.append(
                .init(
                    key: names.parameters,
                    value: names.parameterMembers.lazy.compactMap { family[$0] }.first ?? .array([])))
            guard let place = names.pattern, let list = names.parameterMembers.first else {
                return SourceRow(value: .object(members), file: file, pointer: pointer)
            }
            for (number, parameter) in (family[list]?.items ?? []).enumerated() {
                guard let pattern = parameter.member(at: place)?.text, pattern.contains("\\\\") else { continue }
                add(
                    "PLAN-PATTERN-ESCAPED", folder.schema.file,
                    [
                        "family": family["name"]?.text ?? "", "parameter": parameter["name"]?.text ?? "",
                        "pattern": String(pattern.prefix(120)),
                    ],
                    pointer: "\(pointer)/\(list)/\(number)/\(place.pointer)")
            }
            return SourceRow(value: .object(members), file: file, pointer: pointer)
        }
    }

    // MARK: Levels

    private func readLevels(_ plan: JSONValue) throws -> [PlanLevel] {
        let path = container.place(of: folder.plan.file), names = folder.plan.level
        guard let items = plan.member(at: names.list)?.items else {
            throw ImportFailure.brokenFile(Place(file: path), reason: "`\(names.list)` is no list")
        }
        let levels = try items.enumerated().map { index, item in
            let pointer = "/\(names.list.pointer)/\(index)"
            guard let key = item.member(at: names.key)?.text, let number = item.member(at: names.number)?.integer else {
                throw ImportFailure.brokenFile(
                    Place(file: path, pointer: pointer), reason: "a level needs `\(names.key)` and `\(names.number)`")
            }
            return try level(item, key, Int(number), pointer: pointer)
        }
        reportOrder(levels)
        return levels
    }

    private func level(_ item: JSONValue, _ key: String, _ number: Int, pointer: String) throws -> PlanLevel {
        let names = folder.plan.level, inside = folder.plan.room
        var level = PlanLevel(key: key, name: item.member(at: names.name)?.text ?? key, number: number)
        if let start = item.member(at: names.start)?.planPoint, let end = item.member(at: names.end)?.planPoint {
            level.north = (start, end)
        }
        if level.north == nil {
            add(
                "PLAN-NORTH", folder.plan.file, ["level": level.name, "count": "0"],
                pointer: "\(pointer)/\(names.north.pointer)")
        }
        if let name = names.background.flatMap({ item.member(at: $0)?.text }) {
            level.background = try background(name, of: level)
        }
        level.rooms = (item.member(at: inside.list)?.items ?? []).enumerated().map { number, room in
            func text(_ path: String) -> String { room.member(at: path)?.text ?? "" }
            let ring = room.member(at: inside.polygon) ?? .array([])
            let points = (ring.items ?? []).compactMap(\.planPoint)
            let repeated = zip(points, points.dropFirst()).filter { $0.distance(to: $1) <= Polygon.resolution }.count
            if repeated > 0 {
                add(
                    "PLAN-POINTS-REPEATED", folder.plan.file, ["room": text(inside.key), "count": String(repeated)],
                    pointer: "\(pointer)/\(inside.list.pointer)/\(number)/\(inside.polygon.pointer)")
            }
            return PlanRoom(
                key: text(inside.key), name: text(inside.name), number: text(inside.number), polygon: points, raw: ring)
        }
        try compareFiles(of: level, item)
        return level
    }

    private func background(_ name: String, of level: PlanLevel) throws -> JSONValue? {
        try container.check(name)
        guard container.contains(name) else {
            add("PLAN-BACKGROUND-MISSING", name, ["level": level.name, "name": name])
            return nil
        }
        named.insert(name)
        return try document(name)
    }

    /// Compares the files beside each level with the plan, which repeats their contents. If a file
    /// and the plan differ, the plan is used and the difference is reported.
    private func compareFiles(of level: PlanLevel, _ item: JSONValue) throws {
        /// Nil if the level has no such file, or if its name would point outside the folder.
        func file(_ pattern: String?) -> String? {
            guard let name = pattern?.replacing("{key}", with: level.key), (try? container.check(name)) != nil,
                container.contains(name)
            else { return nil }
            named.insert(name)
            return name
        }
        if let north = file(folder.plan.northFile) {
            if StateText.plain(try document(north))
                != StateText.plain(item.member(at: folder.plan.level.north) ?? .null)
            {
                add("PLAN-FILES-DIFFER", north, ["level": level.name, "name": north])
            }
        }
        if let rooms = file(folder.plan.roomsFile) {
            let names = [folder.plan.room.key, folder.plan.room.number]
            let drawn = (try document(rooms)["features"]?.items ?? []).map { feature in
                names.map { feature["properties"]?.member(at: $0) ?? .null } + [
                    feature["geometry"]?["coordinates"]?[0] ?? .null
                ]
            }
            let planned = level.rooms.map { [JSONValue.string($0.key), .string($0.number ?? ""), $0.raw ?? .null] }
            if drawn.map({ $0.map(StateText.plain) }) != planned.map({ $0.map(StateText.plain) }) {
                add("PLAN-FILES-DIFFER", rooms, ["level": level.name, "name": rooms])
            }
        }
    }

    /// Reports levels whose numbers have a different order from the one that their names suggest.
    private func reportOrder(_ levels: [PlanLevel]) {
        let name = LevelName(words: plans.heights)
        let known = levels.compactMap { level in name.height(level.name).map { (level, $0) } }.sorted {
            $0.0.number < $1.0.number
        }
        guard known.count > 1, !zip(known, known.dropFirst()).allSatisfy({ $0.1 <= $1.1 }) else { return }
        add(
            "PLAN-LEVEL-ORDER", folder.plan.file,
            ["levels": known.map { "\($0.0.number) \($0.0.name)" }.joined(separator: ", ")],
            pointer: "/" + folder.plan.level.list.pointer)
    }
}

/// The number of a level if its name shows it, using the words of the pack: `S1` is −1, `PT` 0,
/// `P2` 2, `Piano primo` 1, `Floor 3` 3.
struct LevelName {
    let words: PlanDefinition.Heights

    /// Nil if the name does not show the level.
    func height(_ name: String) -> Int? {
        let parts = name.lowercased().split { !($0.isLetter || $0.isNumber || $0 == "-") }.map(String.init)
        guard let last = parts.last else { return nil }
        if words.ground.contains(last) { return 0 }
        if let number = Int(last) { return parts.contains(where: isBelow) ? -abs(number) : number }
        if let first = last.first, let way = words.letters.first(where: { $0.word == String(first) })?.height,
            let number = Int(last.dropFirst()),
            number >= 0 {
            return way * number
        }
        return words.words.first { entry in parts.contains(entry.word) }?.height
    }

    private func isBelow(_ part: String) -> Bool {
        words.below.contains { $0.hasSuffix("*") ? part.hasPrefix($0.dropLast()) : part == $0 }
    }
}
