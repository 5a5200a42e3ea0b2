internal import Foundation
internal import Model

/// Checks what shapes cannot express, over all files of a pack and of the core.
struct PackCheck {
    let files: [PackFolder.File]
    /// The pack's folder, for the attachments of its reports.
    let folder: PackFolder
    let context: CheckContext
    /// The pack's name.
    let name: String

    func run() {
        checkFileNames()
        checkUniqueNames()
        let texts = TextCheck(context: context, files: files, name: name)
        let (core, own) = texts.neededKeys()
        let needed = Set(core + own)
        for file in files {
            var context = context
            context.isCore = file.isCore
            switch file.kind {
            case .pack: ManifestCheck(context: context, folder: name).check(file.root)
            case .vocabulary: checkVocabulary(file.root)
            case .entity: EntityCheck(context: context).check(file.root)
            case .rules: file.root.items("rules").forEach(RuleCheck(context: context).check)
            case .export: ExportCheck(context: context).check(file.root)
            case .mapping: ImportCheck(context: context).check(file.root)
            case .report: reportCheck(of: file, context, needed).check(file.root)
            case .job: JobCheck(context: context).check(file.root)
            case .test: PackTestCheck(context: context).check(file.root)
            case .texts: break
            }
            let entity = file.kind == .entity ? file.root.text("entity").flatMap(context.pack.entity) : nil
            if file.kind != .entity || entity != nil {
                ReferenceCheck(context: context).check(file.root, file.kind.shape, about: entity)
            }
        }
        ReferenceCycleCheck(context: context, files: files).check()
        texts.check()
    }

    /// The key with the name of the file's subject; nil if a file has several subjects.
    private func naming(_ kind: PackFormat.FileKind) -> (key: String, word: PackWord)? {
        switch kind {
        case .vocabulary: ("vocabulary", .vocabulary)
        case .entity: ("entity", .entity)
        case .export: ("export", .export)
        case .mapping: ("import", .importMapping)
        case .report: ("report", .report)
        case .job: ("job", .job)
        case .test: ("test", .test)
        case .pack, .rules, .texts: nil
        }
    }

    private func checkFileNames() {
        for file in files {
            guard let (key, _) = naming(file.kind), let node = file.root[key], let name = node.text, name != file.stem
            else {
                continue
            }
            context.mistakes.add(.fileName, at: node.place, ["name": name, "file": file.stem + ".yaml"])
        }
    }

    /// Checks that names are unique over core and pack. Names and aliases of entities must be
    /// unique together. Names of exports and reports must be too: they identify files, versions and
    /// lines of deliveries.
    private func checkUniqueNames() {
        for kind in [PackFormat.FileKind.vocabulary, .entity, .export, .mapping, .report, .job, .test] {
            guard let (_, word) = naming(kind) else { continue }
            let aliases = files.filter { $0.kind == kind && kind == .entity }.flatMap { $0.root.items("aliases") }
            context.unique((kind == .report ? names(.export) : []) + names(kind) + aliases, word)
        }
        context.unique(
            files.filter { $0.kind == .rules }.flatMap { $0.root.items("rules").compactMap { $0["code"] } }, .rule)
    }

    private func names(_ kind: PackFormat.FileKind) -> [YAMLNode] {
        naming(kind).map { naming in files.filter { $0.kind == kind }.compactMap { $0.root[naming.key] } } ?? []
    }

    private func reportCheck(of file: PackFolder.File, _ context: CheckContext, _ needed: Set<String>) -> ReportCheck {
        let own = (file.report ?? "") + "/"
        let pages = folder.pages.filter { $0.key.hasPrefix(own) }.map {
            (String($0.key.dropFirst(own.count)), $0.value)
        }
        let texts = files.filter { $0.kind == .texts && $0.report == file.report }.flatMap { $0.root.pairs.map(\.key) }
        return ReportCheck(
            context: context,
            attachments: Set(folder.pictures.filter { $0.hasPrefix(own) }.map { String($0.dropFirst(own.count)) }),
            pages: Dictionary(pages) { first, _ in first }, texts: Set(texts), needed: needed)
    }

    private func checkVocabulary(_ node: YAMLNode) {
        let entries = node.items("values")
        context.unique(
            entries.compactMap { $0.text == nil ? $0["value"] : $0 } + entries.flatMap { $0.items("aliases") }, .value)
    }
}

/// Finds cycles of required references, which would make it impossible to insert rows. Optional
/// references may form cycles: a level may have a parent level.
struct ReferenceCycleCheck {
    let context: CheckContext
    let files: [PackFolder.File]

    func check() {
        var done: Set<String> = []
        for entity in context.pack.entities where !done.contains(entity.name) {
            var path: [String] = []
            visit(entity, &path, &done)
        }
    }

    private func visit(_ entity: Entity, _ path: inout [String], _ done: inout Set<String>) {
        path.append(entity.name)
        for field in entity.fields where field.isRequired && field.type != .list {
            guard let target = field.references, let next = context.pack.entity(target) else { continue }
            if let start = path.firstIndex(of: target) {
                let circle = (path[start...] + [target]).joined(separator: " → ")
                context.mistakes.add(.cycle, at: place(of: field, in: entity), ["path": circle])
            } else if !done.contains(target) {
                visit(next, &path, &done)
            }
        }
        path.removeLast()
        done.insert(entity.name)
    }

    private func place(of field: Field, in entity: Entity) -> PackPlace {
        let root = files.first { $0.kind == .entity && $0.root.text("entity") == entity.name }?.root
        let node = root?.items("fields").first { $0.text("name") == field.name }
        return node?["references"]?.place ?? node?.place ?? PackPlace(file: entity.name)
    }
}

/// Checks a pack's test beyond its shape.
struct PackTestCheck {
    let context: CheckContext

    func check(_ root: YAMLNode) {
        for pair in root["rows"]?.pairs ?? [] {
            guard let entity = context.pack.entity(pair.key) else {
                context.mistakes.addUnknown(
                    pair.key, .entity, at: pair.keyPlace, known: context.pack.entities.map(\.name))
                continue
            }
            for value in pair.value.items.flatMap(\.pairs) where entity.field(value.key) == nil {
                context.mistakes.addUnknown(value.key, .field, at: value.keyPlace, known: entity.fields.map(\.name))
            }
        }
        if let time = root["asOf"], let text = time.text, Timestamp.parse(text) == nil {
            context.mistakes.add(
                .badValue, at: time.place, ["key": "asOf", "value": text, "allowed": "2026-01-31T12:00:00Z"])
        }
        for file in root.items("files") {
            guard let mapping = file["mapping"], let name = mapping.text else { continue }
            if let known = context.pack.mapping(name) {
                for pair in file["options"]?.pairs ?? [] where !known.options.contains(where: { $0.name == pair.key }) {
                    context.mistakes.addUnknown(pair.key, .option, at: pair.keyPlace, known: known.options.map(\.name))
                }
                continue
            }
            context.mistakes.addUnknown(
                name, .importMapping, at: mapping.place, known: context.pack.imports.map(\.name))
        }
        let codes =
            FindingCatalogue.declarations.map(\.code) + context.pack.rules.map(\.code)
            + context.pack.refusals.map(\.code)
        for code in root.items("finds").compactMap({ $0["code"] }) + root.items("ignores") {
            guard let text = code.text, !codes.contains(text) else { continue }
            context.mistakes.addUnknown(text, .finding, at: code.place, known: codes)
        }
        for sheet in root.items("gives") { check(sheet: sheet) }
    }

    private func check(sheet node: YAMLNode) {
        guard let name = node.text("export"), let place = node["export"]?.place else { return }
        guard let export = context.pack.export(name) else {
            return context.mistakes.addUnknown(name, .export, at: place, known: context.pack.exports.map(\.name))
        }
        guard let sheet = node["sheet"], let text = sheet.text, !export.sheets.contains(where: { $0.name == text })
        else { return }
        context.mistakes.addUnknown(text, .sheet, at: sheet.place, known: export.sheets.map(\.name))
    }
}
