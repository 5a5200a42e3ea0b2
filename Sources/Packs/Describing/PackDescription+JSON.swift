internal import Model

extension PackDescription {
    /// The whole pack as JSON for programs; labels are in the description's language.
    package func json() -> String {
        JSONText.object([
            ("pack", .text(pack.name)), ("title", .text(label("pack.title"))), ("version", .text(pack.version)),
            ("fingerprint", .text(pack.fingerprint)), ("language", .text(language.rawValue)),
            ("languages", .texts(pack.languages.map(\.rawValue))), ("environments", .texts(pack.environments)),
            ("timeZone", .text(pack.timeZone)), ("privacy", .texts(pack.privacyClasses)),
            (
                "project",
                .object([
                    ("entity", .text(pack.project.entity)), ("code", .text(pack.project.code)),
                    ("name", .text(pack.project.name)),
                    ("organisation", .optional(pack.project.organisation)),
                ])
            ),
            ("roles", .list(pack.roles.map(json))), ("records", .list(pack.records.map(json))),
            ("numberings", .list(pack.numberings.map(json))), ("entities", .list(pack.entities.map(json))),
            ("vocabularies", .list(pack.vocabularies.map(json))), ("rules", .list(pack.rules.map(json))),
            ("exports", .list(pack.exports.map(json))), ("reports", .list(pack.reports.map(json))),
            ("imports", .list(pack.imports.map(json))), ("jobs", .list(pack.jobs.map(json))),
        ]).rendered()
    }

    /// One entity; nil when the pack has none with this name.
    package func json(ofEntity name: String) -> String? {
        pack.entity(name).map { json($0).rendered() }
    }

    private func label(_ key: String) -> String { pack.texts.text(key, in: language) }

    private func json(_ role: Role) -> JSONText {
        .object([
            ("name", .text(role.name)), ("label", .text(label("role." + role.name))),
            ("may", .texts(Permission.allCases.filter(role.permissions.contains).map(\.rawValue))),
            ("sees", .texts(pack.privacyClasses.filter(role.sees.contains))),
        ])
    }

    private func json(_ record: RecordKind) -> JSONText {
        .object([
            ("name", .text(record.name)), ("label", .text(label("record." + record.name))),
            ("root", .text(record.root)),
            (
                "parts",
                .list(
                    record.parts.map {
                        .object([
                            ("entity", .text($0.entity)), ("by", .text($0.by.description)),
                            ("list", .boolean($0.isList)),
                        ])
                    })
            ),
            ("state", .optional(record.state?.description)), ("date", .optional(record.date?.description)),
            ("place", .texts((record.place?.paths ?? []).map(\.description))),
            ("texts", .texts(record.texts.map(\.description))),
        ])
    }

    private func json(_ numbering: Numbering) -> JSONText {
        .object([
            ("name", .text(numbering.name)), ("entity", .text(numbering.entity)), ("field", .optional(numbering.field)),
            ("order", .texts(numbering.order.map(\.description))),
            ("when", .optional(numbering.when?.description)),
        ])
    }

    private func json(_ entity: Entity) -> JSONText {
        var pairs: [(String, JSONText)] = [
            ("name", .text(entity.name)), ("label", .text(label(entity.textKey))), ("aliases", .texts(entity.aliases)),
            ("origin", .text(entity.origin.rawValue)), ("core", .boolean(entity.isCore)), ("key", .texts(entity.key)),
            ("within", .optional(entity.keyScope)), ("project", .optional(entity.projectPath?.description)),
        ]
        if let states = entity.states {
            let moves = states.transitions.map { move -> JSONText in
                .object(
                    [("from", .text(move.from)), ("to", .text(move.to)), ("roles", .texts(move.roles))]
                        + (move.own.map { [("own", .text($0))] } ?? [])
                        + (move.require.isEmpty ? [] : [("require", .texts(move.require))]))
            }
            pairs.append(
                (
                    "states",
                    .object([
                        ("field", .text(states.field)), ("initial", .text(states.initial)),
                        ("closed", .texts(states.closed)), ("frozen", .texts(states.frozen)),
                        ("approves", .texts(states.approves)),
                        ("transitions", .list(moves)),
                    ])
                ))
        }
        if let editors = entity.editors, entity.openFields.isEmpty {
            pairs.append(("edits", .texts(editors)))
        } else if let editors = entity.editors {
            let open = entity.openFields.sorted { $0.key < $1.key }.map { ($0.key, JSONText.texts($0.value)) }
            pairs.append(("edits", .object(editors.map { ($0, .text("all")) } + open)))
        }
        if let deletion = entity.deletion {
            pairs.append(
                ("deletes", .object([("roles", .texts(deletion.roles)), ("states", .texts(deletion.states))])))
        }
        return .object(pairs + [("fields", .list(entity.fields.map { json($0, of: entity) }))])
    }

    /// A field, with only the keys that apply: most fields have no range, vocabulary or condition.
    private func json(_ field: Field, of entity: Entity) -> JSONText {
        var pairs: [(String, JSONText)] = [
            ("name", .text(field.name)), ("label", .text(label(entity.textKey(of: field)))),
            ("type", .text(field.type.rawValue)),
            ("origin", .text(field.origin.rawValue)), ("required", .boolean(field.isRequired)),
            ("privacy", .text(field.privacy)),
        ]
        func add(_ name: String, _ value: JSONText?) { if let value { pairs.append((name, value)) } }
        add("aliases", field.aliases.isEmpty ? nil : .texts(field.aliases))
        add("renamedFrom", field.formerNames.isEmpty ? nil : .texts(field.formerNames))
        add("synonyms", field.synonyms.isEmpty ? nil : .texts(field.synonyms))
        add("requiredWhen", field.requiredWhen.map { .text($0.description) })
        add("unit", field.unit.map { .text($0) })
        add("min", field.minimum.map { .number($0) })
        add("max", field.maximum.map { .number($0) })
        add("minLength", field.minimumLength.map { .integer($0) })
        add("maxLength", field.maximumLength.map { .integer($0) })
        add("pattern", field.pattern.map { .text($0) })
        add("vocabulary", field.vocabulary.map { .text($0) })
        add("references", field.references.map { .text($0) })
        add("deletesWithParent", field.deletesWithParent ? .boolean(true) : nil)
        add("setBy", field.act.map { .text($0) })
        add("decimals", field.decimals.map { .integer($0) })
        switch field.uniqueness {
        case nil: break
        case .replica: add("unique", .boolean(true))
        case .within(let scope): add("unique", .text(scope))
        }
        if let path = field.schemaPath {
            var schema: [(String, JSONText)] = [
                ("path", .text(path.description)), ("scope", .optional(field.schemaScope)),
            ]
            if let version = field.schemaVersion { schema.append(("version", .text(version.description))) }
            add("schema", .object(schema))
        }
        return .object(pairs)
    }

    private func json(_ vocabulary: Vocabulary) -> JSONText {
        let values = vocabulary.entries.map { entry -> JSONText in
            .object([
                ("value", .text(entry.value)), ("label", .text(label(vocabulary.textKey(of: entry.value)))),
                ("aliases", .texts(entry.aliases)),
            ])
        }
        return .object([
            ("name", .text(vocabulary.name)), ("values", .list(values)), ("also", .optional(vocabulary.alsoPattern)),
        ])
    }

    private func json(_ rule: Rule) -> JSONText {
        let kind =
            switch rule.check {
            case .row: "row"
            case .query: "query"
            case .count: "count"
            case .photo: "photo"
            }
        return .object([
            ("code", .text(rule.code)), ("title", .text(label("rule." + rule.code))), ("entity", .text(rule.entity)),
            ("severity", .text(rule.severity.rawValue)), ("check", .text(kind)), ("field", .optional(rule.field)),
            ("message", .optional(pack.texts.textIfAny("rule.\(rule.code).message", in: language))),
            ("remedy", .optional(pack.texts.textIfAny("rule.\(rule.code).remedy", in: language))),
        ])
    }

    private func json(_ option: ImportMapping.Option, of mapping: ImportMapping) -> JSONText {
        .object([
            ("name", .text(option.name)),
            ("label", .text(option.titles[language] ?? label(mapping.textKey(of: option)))),
            ("required", .boolean(option.isRequired)),
            ("pattern", .optional(option.pattern)), ("example", .optional(option.example)),
        ])
    }

    private func json(_ mapping: ImportMapping) -> JSONText {
        .object([
            ("name", .text(mapping.name)), ("label", .text(label("import." + mapping.name))),
            ("accepts", .texts(mapping.accepts)),
            (
                "tables",
                .list(
                    mapping.tables.map { table in
                        .object([("tables", .texts(table.names)), ("entities", .texts(table.targets.map(\.entity)))])
                    })
            ),
            ("options", .list(mapping.options.map { json($0, of: mapping) })),
            ("refuses", .texts(mapping.refusals.map(\.code))),
        ])
    }

    private func json(_ export: ExportDefinition) -> JSONText {
        let sheets = export.sheets.map { sheet -> JSONText in
            .object([
                ("name", .text(sheet.name)), ("title", .text(label("sheet.\(export.name).\(sheet.name)"))),
                ("entity", sheet.query == nil ? .text(sheet.entity) : .null),
                ("rows", .text(sheet.rows.rawValue)), ("forEach", .optional(sheet.forEach?.description)),
                ("columns", .texts(Self.columns(sheet))),
            ])
        }
        return .object([
            ("name", .text(export.name)), ("label", .text(label("export." + export.name))),
            ("record", .text(export.record)),
            ("formats", .texts(export.offered.map(\.rawValue))), ("policy", .text(export.policy.rawValue)),
            ("finalWhen", .optional(export.finalWhen?.description)), ("sheets", .list(sheets)),
            ("bundle", export.bundle.map { .texts($0.exports) } ?? .null),
        ])
    }

    private func json(_ report: ReportDefinition) -> JSONText {
        .object([
            ("name", .text(report.name)), ("label", .text(label("report.\(report.name).title"))),
            ("record", .text(report.record)),
            ("formats", .texts(report.formats.map(\.rawValue))), ("policy", .text(report.policy.rawValue)),
            ("sections", .texts(report.sections.map(\.name))),
        ])
    }

    private func json(_ job: Job) -> JSONText {
        .object([
            ("name", .text(job.name)), ("label", .text(label("job." + job.name))),
            ("failOn", .text(job.failOn.rawValue)),
            (
                "steps",
                .list(
                    job.steps.map {
                        .object([
                            ($0.product.isExport ? "export" : "report", .text($0.product.name)),
                            ("formats", .texts($0.formats.map(\.rawValue))),
                        ])
                    })
            ),
        ])
    }
}
