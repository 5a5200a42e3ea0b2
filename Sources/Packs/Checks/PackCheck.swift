internal import Foundation
internal import Model

/// Checks everything that a shape cannot, over all files of a pack and of the core.
struct PackCheck {
    let files: [PackFolder.File]
    /// The pack's own folder, for the attachments of its reports.
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
        }
        ReferenceCycleCheck(context: context, files: files).check()
        texts.check()
    }

    /// The key that names the file's subject; nil where a file has several.
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
            guard let (key, _) = naming(file.kind), let node = file.root[key], let name = node.text, name != file.stem else {
                continue
            }
            context.mistakes.add(.fileName, at: node.place, ["name": name, "file": file.stem + ".yaml"])
        }
    }

    /// Checks that names are unique over core and pack. Names and aliases of entities must be
    /// unique together, and so must names of exports and reports: their files, versions and lines
    /// are known by them.
    private func checkUniqueNames() {
        for kind in [PackFormat.FileKind.vocabulary, .entity, .export, .mapping, .report, .job, .test] {
            guard let (_, word) = naming(kind) else { continue }
            let aliases = files.filter { $0.kind == kind && kind == .entity }.flatMap { $0.root.items("aliases") }
            context.unique((kind == .report ? names(.export) : []) + names(kind) + aliases, word)
        }
        context.unique(files.filter { $0.kind == .rules }.flatMap { $0.root.items("rules").compactMap { $0["code"] } }, .rule)
    }

    private func names(_ kind: PackFormat.FileKind) -> [YAMLNode] {
        naming(kind).map { naming in files.filter { $0.kind == kind }.compactMap { $0.root[naming.key] } } ?? []
    }

    private func reportCheck(of file: PackFolder.File, _ context: CheckContext, _ needed: Set<String>) -> ReportCheck {
        let own = (file.report ?? "") + "/"
        let pages = folder.pages.filter { $0.key.hasPrefix(own) }.map { (String($0.key.dropFirst(own.count)), $0.value) }
        let texts = files.filter { $0.kind == .texts && $0.report == file.report }.flatMap { $0.root.pairs.map(\.key) }
        return ReportCheck(
            context: context, attachments: Set(folder.pictures.filter { $0.hasPrefix(own) }.map { String($0.dropFirst(own.count)) }),
            pages: Dictionary(pages) { first, _ in first }, texts: Set(texts), needed: needed)
    }

    private func checkVocabulary(_ node: YAMLNode) {
        let entries = node.items("values")
        context.unique(entries.compactMap { $0.text == nil ? $0["value"] : $0 } + entries.flatMap { $0.items("aliases") }, .value)
    }
}
