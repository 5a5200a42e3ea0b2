package import Model

/// Describes a pack for people and programs: entities with fields, types, units and labels,
/// vocabularies, roles, records, rules, exports, reports and jobs. The same pack and language give
/// the same bytes.
package struct PackDescription {
    let pack: Pack
    let language: Language

    package init(_ pack: Pack, language: Language) {
        self.pack = pack
        self.language = language
    }

    /// The description as plain text with aligned columns, for a terminal.
    package func text() -> String { render(PlainLayout()) }

    /// The description as Markdown with GitHub's tables, for documents.
    package func markdown() -> String { render(MarkdownLayout()) }

    /// One entity with the vocabularies of its fields; nil when the pack has none with this name.
    package func text(ofEntity name: String) -> String? { render(name, PlainLayout()) }
    package func markdown(ofEntity name: String) -> String? { render(name, MarkdownLayout()) }

    private func render(_ name: String, _ layout: some DescriptionLayout) -> String? {
        guard let entity = pack.entity(name) else { return nil }
        var layout = layout
        describe(entity, &layout)
        let used = Set(entity.fields.compactMap(\.vocabulary))
        for vocabulary in pack.vocabularies where used.contains(vocabulary.name) { describe(vocabulary, &layout) }
        return layout.output
    }

    private func word(_ word: DescriptionWord) -> String { word.text(in: language) }
    private func label(_ key: String) -> String { pack.texts.text(key, in: language) }

    private func render(_ layout: some DescriptionLayout) -> String {
        var layout = layout
        describePack(&layout)
        layout.heading(2, word(.roles))
        layout.list(pack.roles.map(describe))
        layout.heading(2, word(.records))
        layout.list(pack.records.map(describe))
        section(.numberings, pack.numberings.map(describe), &layout)
        layout.heading(2, word(.entities))
        for entity in pack.entities { describe(entity, &layout) }
        layout.heading(2, word(.vocabularies))
        for vocabulary in pack.vocabularies { describe(vocabulary, &layout) }
        describeRules(&layout)
        layout.heading(2, word(.exports))
        for export in pack.exports { describe(export, &layout) }
        section(.reports, pack.reports.map(describe), &layout)
        section(.imports, pack.imports.map(describe), &layout)
        section(.jobs, pack.jobs.map(describe), &layout)
        return layout.output
    }

    private func describePack(_ layout: inout some DescriptionLayout) {
        layout.heading(1, "\(label("pack.title")) (\(pack.name) \(pack.version))")
        layout.list([
            "\(word(.fingerprint)): \(pack.fingerprint)",
            "\(word(.languages)): \(pack.languages.map(\.rawValue).joined(separator: ", "))",
            "\(word(.environments)): \(pack.environments.joined(separator: ", "))",
            "\(word(.timeZone)): \(pack.timeZone)",
            "\(word(.privacy)): "
                + pack.privacyClasses.map { "\($0) (\(label("privacy." + $0)))" }.joined(separator: ", "),
        ])
    }

    /// Lists what not every pack has, so that no heading is left without items.
    private func section(_ title: DescriptionWord, _ items: [String], _ layout: inout some DescriptionLayout) {
        guard !items.isEmpty else { return }
        layout.heading(2, word(title))
        layout.list(items)
    }

    private func describeRules(_ layout: inout some DescriptionLayout) {
        layout.heading(2, word(.rules))
        layout.table(
            [word(.key), word(.severity), word(.entities), word(.label)],
            pack.rules.map { [$0.code, $0.severity.rawValue, $0.entity, label("rule." + $0.code)] })
    }

    private func describe(_ numbering: Numbering) -> String {
        "\(numbering.name): \(numbering.entity)" + (numbering.when.map { "; \($0)" } ?? "")
    }

    private func describe(_ report: ReportDefinition) -> String {
        let formats = report.formats.map(\.rawValue).joined(separator: ", ")
        return "\(report.name) (\(formats)): \(label("report.\(report.name).title"))"
    }

    private func describe(_ mapping: ImportMapping) -> String {
        let kinds = mapping.accepts.isEmpty ? "" : " (" + mapping.accepts.joined(separator: ", ") + ")"
        let options = mapping.options.map { describe($0, of: mapping) }
        return (["\(mapping.name)\(kinds): \(label("import." + mapping.name))"] + options).joined(separator: "; ")
    }

    private func describe(_ job: Job) -> String {
        let steps = job.steps.map(\.product.name).joined(separator: ", ")
        return "\(job.name): \(label("job." + job.name)); \(word(.steps)): \(steps)"
    }

    private func describe(_ option: ImportMapping.Option, of mapping: ImportMapping) -> String {
        let title = option.titles[language] ?? label(mapping.textKey(of: option))
        return "--option \(option.name)=\(option.example ?? "…"): \(title)"
            + (option.isRequired ? " (\(word(.required)))" : "")
    }

    private func describe(_ role: Role) -> String {
        let may = Permission.allCases.filter(role.permissions.contains).map(\.rawValue).joined(separator: ", ")
        let sees = pack.privacyClasses.filter(role.sees.contains).joined(separator: ", ")
        return "\(role.name) (\(label("role." + role.name))): \(word(.may)): \(may); \(word(.sees)): \(sees)"
    }

    private func describe(_ record: RecordKind) -> String {
        var text = "\(record.name) (\(label("record." + record.name))): \(record.root)"
        if !record.parts.isEmpty {
            text += "; \(word(.parts)): " + record.parts.map { "\($0.entity) (\($0.by))" }.joined(separator: ", ")
        }
        if let state = record.state { text += "; \(word(.state)): \(state)" }
        if let date = record.date { text += "; \(word(.date)): \(date)" }
        if let place = record.place {
            text += "; \(word(.place)): \(place.paths.map(\.description).joined(separator: ", "))"
        }
        if !record.texts.isEmpty {
            text += "; \(word(.texts)): \(record.texts.map(\.description).joined(separator: ", "))"
        }
        return text
    }

    private func describe(_ entity: Entity, _ layout: inout some DescriptionLayout) {
        layout.heading(3, "\(entity.name): \(label(entity.textKey))")
        var facts: [String] = []
        if entity.isCore { facts.append(word(.core)) }
        if let origin = word(for: entity.origin) { facts.append(origin) }
        if !entity.key.isEmpty { facts.append("\(word(.key)): \(entity.key.joined(separator: ", "))") }
        if let states = entity.states {
            facts.append("\(word(.states)): " + states.transitions.map { move -> String in
                var terms = [move.roles.joined(separator: ", ")].filter { !$0.isEmpty }
                if let own = move.own { terms.append("own: \(own)") }
                if !move.require.isEmpty { terms.append("require: " + move.require.joined(separator: ", ")) }
                return "\(move.from) → \(move.to)" + (terms.isEmpty ? "" : " (\(terms.joined(separator: "; ")))")
            }.joined(separator: "; "))
        }
        if let editors = entity.editors {
            let open = entity.openFields.sorted { $0.key < $1.key }.map { role, fields in
                "\(role) (\(fields.joined(separator: ", ")))"
            }
            facts.append("\(word(.edits)): \((editors + open).joined(separator: ", "))")
        }
        if let deletion = entity.deletion {
            facts.append(
                "\(word(.deletes)): \(deletion.roles.joined(separator: ", "))"
                    + (deletion.states.isEmpty ? "" : " (\(deletion.states.joined(separator: ", ")))"))
        }
        if !entity.aliases.isEmpty { facts.append("= " + entity.aliases.joined(separator: ", ")) }
        layout.list(facts)
        layout.table(
            [word(.field), word(.label), word(.type), word(.unit), word(.notes)],
            entity.fields.map { field in
                [
                    field.name, label(entity.textKey(of: field)), field.type.rawValue, field.unit ?? "",
                    notes(field, entity),
                ]
            })
    }

    private func describe(_ vocabulary: Vocabulary, _ layout: inout some DescriptionLayout) {
        layout.heading(3, vocabulary.name)
        layout.list(
            vocabulary.values.map { "\($0): \(label(vocabulary.textKey(of: $0)))" }
                + (vocabulary.alsoPattern.map { ["/\($0)/"] } ?? []))
    }

    private func word(for origin: Entity.Origin) -> String? {
        switch origin {
        case .source: nil
        case .planned: word(.planned)
        case .assumed: word(.assumed)
        }
    }

    private func notes(_ field: Field, _ entity: Entity) -> String {
        var notes: [String] = []
        if field.isRequired { notes.append(word(.required)) }
        if let condition = field.requiredWhen { notes.append("\(word(.requiredWhen)) \(condition)") }
        if field.uniqueness != nil { notes.append(word(.unique)) }
        if field.minimum != nil || field.maximum != nil {
            notes.append("\(field.minimum.map(Self.number) ?? "") … \(field.maximum.map(Self.number) ?? "")")
        }
        if let vocabulary = field.vocabulary { notes.append("\(word(.values)): \(vocabulary)") }
        if let target = field.references { notes.append("→ \(target)") }
        if field.privacy != pack.privacyClasses.first { notes.append(field.privacy) }
        if field.origin != entity.origin, let origin = word(for: field.origin) { notes.append(origin) }
        return notes.joined(separator: "; ")
    }

    private func describe(_ export: ExportDefinition, _ layout: inout some DescriptionLayout) {
        layout.heading(3, "\(export.name): \(label("export." + export.name))")
        layout.list(
            [
                "\(word(.records)): \(export.record)",
                "\(word(.formats)): \(export.offered.map(\.rawValue).joined(separator: ", "))",
            ] + (export.bundle.map { ["\(word(.exports)): \($0.exports.joined(separator: ", "))"] } ?? []))
        for sheet in export.sheets {
            let title = label("sheet.\(export.name).\(sheet.name)")
            layout.list(["\(sheet.name) (\(title)): \(word(.columns)): \(Self.columns(sheet).joined(separator: ", "))"])
        }
    }

    /// The names of a sheet's columns.
    static func columns(_ sheet: ExportSheet) -> [String] {
        sheet.query?.columns.map(\.name) ?? sheet.columns.map(name)
    }

    static func name(_ column: ExportColumn) -> String {
        if case .parameters(let values, let scope) = column { return "\(values)[\(scope)]" }
        return column.name ?? ""
    }

    static func number(_ number: Double) -> String {
        number == number.rounded() && abs(number) < 1e15 ? String(Int(number)) : String(number)
    }
}

/// The words of a description that are not in the pack's texts.
enum DescriptionWord: CaseIterable {
    case version, languages, environments, timeZone, privacy, roles, may, sees, records, parts, state, date, place,
        texts, edits, deletes, entities, field, type,
        unit
    case rules, exports, reports, imports, jobs, vocabularies, required, requiredWhen, unique, values, formats, columns,
        steps, label, notes, key,
        states, core
    case severity, planned, assumed, fingerprint, numberings

    func text(in language: Language) -> String {
        language.choose(words)
    }

    private var words: (String, String, String) {
        switch self {
        case .version: ("Versión", "Version", "Versione")
        case .languages: ("Idiomas", "Languages", "Lingue")
        case .environments: ("Entornos", "Environments", "Ambienti")
        case .timeZone: ("Zona horaria", "Time zone", "Fuso orario")
        case .privacy: ("Clases de privacidad", "Privacy classes", "Classi di riservatezza")
        case .roles: ("Roles", "Roles", "Ruoli")
        case .may: ("puede", "may", "può")
        case .sees: ("ve", "sees", "vede")
        case .records: ("Registros", "Records", "Schede")
        case .parts: ("partes", "parts", "parti")
        case .state: ("estado", "state", "stato")
        case .date: ("fecha", "date", "data")
        case .place: ("lugar", "place", "luogo")
        case .edits: ("editan", "edited by", "modificano")
        case .deletes: ("borran", "deleted by", "eliminano")
        case .texts: ("textos", "texts", "testi")
        case .entities: ("Tablas", "Tables", "Tabelle")
        case .field: ("Campo", "Field", "Campo")
        case .type: ("Tipo", "Type", "Tipo")
        case .unit: ("Unidad", "Unit", "Unità")
        case .rules: ("Reglas", "Rules", "Regole")
        case .exports: ("Exportaciones", "Exports", "Esportazioni")
        case .reports: ("Informes", "Reports", "Relazioni")
        case .imports: ("Importaciones de archivos ajenos", "Imports of foreign files", "Importazioni di file altrui")
        case .jobs: ("Tareas", "Jobs", "Lavori")
        case .vocabularies: ("Vocabularios", "Vocabularies", "Vocabolari")
        case .required: ("obligatorio", "required", "obbligatorio")
        case .requiredWhen: ("obligatorio si", "required when", "obbligatorio se")
        case .unique: ("único", "unique", "unico")
        case .values: ("valores", "values", "valori")
        case .formats: ("formatos", "formats", "formati")
        case .columns: ("columnas", "columns", "colonne")
        case .steps: ("pasos", "steps", "passi")
        case .label: ("Etiqueta", "Label", "Etichetta")
        case .notes: ("Notas", "Notes", "Note")
        case .key: ("clave", "key", "chiave")
        case .states: ("estados", "states", "stati")
        case .core: ("común a todos los paquetes", "the same in every pack", "comune a tutti i pacchetti")
        case .severity: ("Gravedad", "Severity", "Gravità")
        case .planned: ("prevista", "planned", "prevista")
        case .assumed: ("supuesta por Fichero", "assumed by Fichero", "ipotizzata da Fichero")
        case .fingerprint: ("Huella", "Fingerprint", "Impronta")
        case .numberings: ("Numeraciones", "Numberings", "Numerazioni")
        }
    }
}
