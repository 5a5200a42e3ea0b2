import Model
import Patterns

/// The plan of one pass over the rows of an entity: the columns to read, and every check of a field
/// and rule of a row, compiled once. Fields hidden from the actor are neither read nor checked.
struct EntityPlan: Sendable {
    let entity: Entity
    /// Columns 1… of the rows; column 0 is the id.
    private(set) var paths: [FieldPath] = []
    private(set) var checks: [FieldCheck] = []
    private(set) var conditions: [ExpressionProgram] = []
    private(set) var patterns: [Pattern] = []
    private(set) var vocabularies: [VocabularySet] = []
    private(set) var rules: [RowRule] = []
    private(set) var parameters: [JudgedParameters] = []
    /// Columns with schemas of families, which are checked themselves.
    private(set) var schemas: [(column: Int, field: String)] = []
    /// Codes of row rules that need a hidden field.
    private(set) var hiddenRules: [String] = []
    private var asksForToday = false

    private let pack: Pack
    private var columns: [FieldPath: Int] = [:]

    init(_ entity: Entity, pack: Pack, source: any ValidationSource) throws(ValidatingError) {
        self.entity = entity
        self.pack = pack
        for (index, field) in entity.fields.enumerated() where !source.isHidden(field.name, of: entity.name) {
            try add(field, index, source)
        }
        for rule in pack.rules where rule.entity == entity.name {
            if case .row(let require) = rule.check { try add(rule, require, source) }
        }
    }

    /// The data on which the pass depends. If a family's schema is used, one finding may be about a
    /// family and represent many rows; such rows are checked together.
    var reach: CheckReach {
        var reach = CheckReach("rows of " + entity.name, entity: entity.name, kind: kind)
        reach.asksForToday = asksForToday
        return reach
    }

    private var kind: CheckReach.Kind {
        let holders = parameters.flatMap { [$0.holder?.name, $0.versionHolder?.name] }.compactMap(\.self)
        guard !holders.isEmpty else { return .rows(paths: paths) }
        var names = Set(holders + [entity.name])
        for path in paths {
            var current = entity
            for part in path.parts {
                guard let next = current.field(part)?.references.flatMap({ pack.entity($0) }) else { break }
                names.insert(next.name)
                current = next
            }
        }
        return .whole(names.sorted())
    }

    // MARK: fields

    private mutating func add(_ field: Field, _ index: Int, _ source: any ValidationSource) throws(ValidatingError) {
        let owner = entity.name + "." + field.name
        guard let column = column(FieldPath(parts: [field.name]), source) else { return }
        var check = FieldCheck(field, index: index, column: column)
        if let condition = field.requiredWhen, let program = try compile(condition, owner, source) {
            check.requiredWhen = conditions.count
            conditions.append(program)
        }
        do {
            if let pattern = field.pattern {
                check.pattern = patterns.count
                patterns.append(try Pattern(pattern))
            }
            if let name = field.vocabulary {
                guard let vocabulary = pack.vocabulary(name) else {
                    throw ValidatingError.unknownName(owner: owner, name: name)
                }
                check.vocabulary = vocabularies.count
                vocabularies.append(try VocabularySet(vocabulary))
            }
        } catch let error as PatternError {
            throw .pattern(owner: owner, reason: error.reason)
        } catch {
            throw .unknownName(owner: owner, name: field.vocabulary ?? "")
        }
        checks.append(check)
        if let path = field.schemaPath { try add(parameters: field, column, path, source) }
        if isSchema(field.name) { schemas.append((column, field.name)) }
    }

    private mutating func add(
        parameters field: Field, _ column: Int, _ path: FieldPath, _ source: any ValidationSource
    ) throws(ValidatingError) {
        guard pack.field(at: path, from: entity) != nil, let last = path.parts.last else {
            throw .unknownName(owner: entity.name + "." + field.name, name: path.description)
        }
        guard !source.isHidden(path, from: entity, in: pack) else { return }
        var parameter = JudgedParameters(
            field: field, column: column, scope: ParameterSchema.Scope(rawValue: field.schemaScope ?? "") ?? .instance,
            schemaField: last)
        if path.isLocal {
            parameter.schemaColumn = self.column(path, source)
        } else {
            let way = FieldPath(parts: path.parts.dropLast())
            parameter.holderColumn = self.column(way, source)
            parameter.holder = pack.field(at: way, from: entity)?.references.flatMap { pack.entity($0) }
        }
        if let version = field.schemaVersion, !version.isLocal, !source.isHidden(version, from: entity, in: pack) {
            let way = FieldPath(parts: version.parts.dropLast())
            parameter.versionColumn = self.column(way, source)
            parameter.versionHolder = pack.field(at: way, from: entity)?.references.flatMap { pack.entity($0) }
            parameter.versionField = version.parts.last ?? ""
        }
        parameters.append(parameter)
    }

    /// Whether any field's schema path ends in this field of this entity.
    private func isSchema(_ name: String) -> Bool {
        pack.entities.contains { other in
            other.fields.contains { field in
                guard let path = field.schemaPath, path.parts.last == name else { return false }
                if path.isLocal { return other.name == entity.name }
                return pack.field(at: FieldPath(parts: path.parts.dropLast()), from: other)?.references == entity.name
            }
        }
    }

    // MARK: rules

    private mutating func add(_ rule: Rule, _ require: Expression, _ source: any ValidationSource)
        throws(ValidatingError)
    {
        let needed = require.fieldPaths + (rule.when?.fieldPaths ?? [])
        guard !needed.contains(where: { source.isHidden($0, from: entity, in: pack) }),
            let program = try compile(require, rule.code, source)
        else {
            hiddenRules.append(rule.code)
            return
        }
        var compiled = RowRule(
            code: rule.code, severity: rule.severity, field: rule.field, require: program, arguments: [])
        if let when = rule.when { compiled.when = try compile(when, rule.code, source) }
        compiled.arguments = rule.arguments.map { name in
            let path = FieldPath(name)
            return (
                name, source.isHidden(path, from: entity, in: pack) ? nil : column(path, source),
                pack.field(at: path, from: entity)
            )
        }
        rules.append(compiled)
    }

    /// Nil when the expression uses a hidden field.
    private mutating func compile(
        _ expression: Expression, _ owner: String, _ source: any ValidationSource
    ) throws(ValidatingError) -> ExpressionProgram? {
        for path in expression.fieldPaths {
            if source.isHidden(path, from: entity, in: pack) { return nil }
            guard column(path, source) != nil else { throw .unknownName(owner: owner, name: path.description) }
        }
        asksForToday = asksForToday || expression.asksForToday
        do {
            return try ExpressionProgram(expression, over: entity, of: pack, by: source) { columns[$0] }
        } catch {
            throw .unknownName(owner: owner, name: error.path.description)
        }
    }

    // MARK: columns

    /// The column of a path, which is added if it is new; nil when the path is unknown or hidden
    /// from the actor.
    private mutating func column(_ path: FieldPath, _ source: any ValidationSource) -> Int? {
        if path.parts == ["id"] { return 0 }
        if let known = columns[path] { return known }
        guard pack.field(at: path, from: entity) != nil, !source.isHidden(path, from: entity, in: pack) else {
            return nil
        }
        paths.append(path)
        columns[path] = paths.count
        return paths.count
    }
}

/// The requirements of one field as plain numbers, which the pass over the rows reads for each
/// cell.
struct FieldCheck: Sendable {
    /// Column of the batch.
    var column: Int
    /// Index in the entity's fields, for findings.
    var field: Int
    var type: FieldType
    var isRequired: Bool
    /// Index of the condition under which a value is required; -1: none.
    var requiredWhen = -1
    var minimum: Double
    var maximum: Double
    var hasLength: Bool
    var minimumLength: Int
    var maximumLength: Int
    /// Indexes of the plan's patterns and vocabularies; -1: none.
    var pattern = -1
    var vocabulary = -1
    /// Whether a list's items are ids of other rows.
    var holdsIDs: Bool

    init(_ field: Field, index: Int, column: Int) {
        self.column = column
        self.field = index
        type = field.type
        isRequired = field.isRequired
        minimum = field.minimum ?? -.infinity
        maximum = field.maximum ?? .infinity
        hasLength = field.minimumLength != nil || field.maximumLength != nil
        minimumLength = field.minimumLength ?? 0
        maximumLength = field.maximumLength ?? .max
        holdsIDs = field.type == .list && field.references != nil
    }
}

/// A rule over one row, compiled.
struct RowRule: Sendable {
    var code: String
    var severity: Severity
    var field: String?
    var when: ExpressionProgram?
    var require: ExpressionProgram
    /// Names quoted in the message, with the column of each; nil if it is hidden from the actor.
    var arguments: [(name: String, column: Int?, field: Field?)]
}

/// A JSON field whose values are checked against a family's schema.
struct JudgedParameters: Sendable {
    var field: Field
    var column: Int
    var scope: ParameterSchema.Scope
    /// The place of the schema: a column of the same row, or a field of another row whose id is in
    /// a column.
    var schemaColumn: Int?
    var holderColumn: Int?
    var holder: Entity?
    /// The schema version in use at the row's capture: the column with the version's id, the
    /// version's entity, and its field with the schemas.
    var versionColumn: Int?
    var versionHolder: Entity?
    var versionField = ""
    var schemaField: String
}
