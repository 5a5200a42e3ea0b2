internal import Digests
package import Foundation
package import Model

/// Loads packs from `Templates/`. Each pack is combined with `Templates/core` and checked as a
/// whole; a pack is either complete or refused. For a folder of packs without a core, the caller
/// passes the core's folder (`coreIn`).
///
/// The same files give the same pack and the same mistakes in the same order.
package enum PackLoader {
    /// The names of the packs in a templates folder, in alphabetical order: every folder with a
    /// `pack.yaml`.
    package static func names(in templates: URL) -> [String] {
        (PackFolder.names(in: templates) ?? []).filter { name in
            let manifest = templates.appendingPathComponent(name).appendingPathComponent("pack.yaml")
            return name != PackFolder.coreName && FileManager.default.fileExists(atPath: manifest.path)
        }
    }

    /// The pack with this name. Throws every mistake of the pack and of the core.
    ///
    /// - Parameter kept: the cache of parsed packs. Cached files are neither parsed nor checked
    /// again.
    package static func load(_ name: String, from templates: URL, coreIn other: URL? = nil, kept: KeptPacks? = nil)
        throws(PackFailure) -> Pack
    {
        try load(name, from: templates, coreIn: other, leavingOut: [], kept: kept)
    }

    /// Loads a pack without the parts in `leftOut`: `reports/avance`.
    static func load(
        _ name: String, from templates: URL, coreIn other: URL?, leavingOut leftOut: Set<String>, kept: KeptPacks?
    ) throws(PackFailure) -> Pack {
        let mistakes = MistakeList()
        // The name is typed on the command line, and must not point outside the folder.
        guard NameForm.title.accepts(name), name != PackFolder.coreName else {
            mistakes.add(.badName, at: PackPlace(file: name), ["name": name, "form": NameForm.title.example])
            throw PackFailure(pack: name, mistakes: mistakes.sorted)
        }
        let own = PackFolder(name, in: templates, leavingOut: leftOut, mistakes: mistakes)
        // Without any file of the pack, mistakes in the core do not matter.
        guard !own.contents.isEmpty else { throw PackFailure(pack: name, mistakes: mistakes.sorted) }
        var folders = PackFolders(
            core: PackFolder(PackFolder.coreName, in: other ?? templates, mistakes: mistakes), own: own)
        let directory = templates.appendingPathComponent(name, isDirectory: true)
        // Files that are left out may have mistakes, and names in them are unknown. So a pack
        // without them is checked every time.
        let isWhole = mistakes.isEmpty && leftOut.isEmpty
        if isWhole, let files = kept?.files(folders.files, of: name, fingerprint: folders.fingerprint) {
            return folders.pack(from: files, in: directory)
        }

        folders.parse()
        guard !isNewer(folders.own, mistakes) else { throw PackFailure(pack: name, mistakes: mistakes.sorted) }
        let pack = folders.pack(from: folders.files, in: directory)
        let context = CheckContext(pack: pack, mistakes: mistakes, leftOut: leftOut)
        let found = check(folders, of: name, context)
        guard found.isEmpty else { throw PackFailure(pack: name, mistakes: found) }
        if isWhole { kept?.keep(folders.files, of: name, fingerprint: folders.fingerprint) }
        return pack
    }

    /// - Returns: the mistakes for which the pack is refused.
    private static func check(_ folders: PackFolders, of name: String, _ context: CheckContext) -> [PackMistake] {
        let files = folders.files
        let shapes = ShapeCheck(mistakes: context.mistakes)
        for file in files { shapes.check(file.root, file.kind.shape, title: file.path) }
        // If a file could not be read, every name in it would be reported as unknown.
        if !folders.isBroken { PackCheck(files: files, folder: folders.own, context: context, name: name).run() }
        // If parts are left out, an unknown text may belong to them, so it is no mistake.
        return context.mistakes.sorted.filter { context.leftOut.isEmpty || $0.code != .unknownText }
    }

    /// The core alone, without a pack: its tables, vocabularies and texts. Throws its mistakes.
    package static func core(from templates: URL) throws(PackFailure) -> Pack {
        let mistakes = MistakeList()
        var core = PackFolder(PackFolder.coreName, in: templates, mistakes: mistakes)
        core.parse()
        guard mistakes.isEmpty else { throw PackFailure(pack: PackFolder.coreName, mistakes: mistakes.sorted) }
        return PackBuilder(
            files: core.files, directory: templates, fingerprint: PackFolder.fingerprint(of: [core]), pages: [:]
        ).pack()
    }

    /// Every pack, in alphabetical order. Throws the mistakes of the first pack that has any.
    package static func loadAll(
        from templates: URL, coreIn other: URL? = nil, kept: KeptPacks? = nil
    ) throws(PackFailure) -> [Pack] {
        var packs: [Pack] = []
        for name in names(in: templates) { packs.append(try load(name, from: templates, coreIn: other, kept: kept)) }
        return packs
    }

    /// Loads a job of the office: a file like those in `jobs/`, outside the pack, and checked
    /// against the pack. The job has no text, so its name is displayed. The places of mistakes have
    /// the file's path as given.
    ///
    /// - Parameter broken: broken parts of the pack, which the job's steps may still name.
    package static func loadJob(at file: URL, for pack: Pack, without broken: [BrokenPart] = []) throws(PackFailure)
        -> Job
    {
        let mistakes = MistakeList()
        let path = file.path
        let bytes = PackFolder.bytes(of: file, path: path, mistakes: mistakes)
        var job: Job?
        if let bytes, let root = YAMLReader.read(bytes, file: path, mistakes: mistakes) {
            ShapeCheck(mistakes: mistakes).check(root, PackFormat.FileKind.job.shape, title: path)
            JobCheck(context: CheckContext(pack: pack, mistakes: mistakes, leftOut: Set(broken.map(\.path)))).check(
                root)
            job = root.plain.flatMap { Job($0, of: pack) }
        }
        guard mistakes.isEmpty, let job else { throw PackFailure(pack: pack.name, mistakes: mistakes.sorted) }
        return job
    }

    /// Loads a mapping of the office: a file like those in `imports/`, outside the pack, and
    /// checked against the pack. A mapping is identified by path and SHA-256.
    package static func loadMapping(at file: URL, for pack: Pack) throws(PackFailure) -> ImportMapping {
        let mistakes = MistakeList()
        let path = file.path
        var mapping: ImportMapping?
        if let bytes = PackFolder.bytes(of: file, path: path, mistakes: mistakes),
            let root = YAMLReader.read(bytes, file: path, mistakes: mistakes)
        {
            ShapeCheck(mistakes: mistakes).check(root, PackFormat.FileKind.mapping.shape, title: path)
            ImportCheck(context: CheckContext(pack: pack, mistakes: mistakes)).check(root)
            // The texts of a refusal are in the pack.
            for code in root.items("refuses").compactMap({ $0["code"] })
            where !pack.refusals.contains(where: { $0.code == code.text }) {
                mistakes.addUnknown(code.text ?? "", .finding, at: code.place, known: pack.refusals.map(\.code))
            }
            mapping = root.plain.flatMap { ImportMapping($0)?.withPresentNames(of: pack) }
            mapping?.file = .init(path: path, sha256: SHA256.digest(of: bytes).hexadecimal)
        }
        guard mistakes.isEmpty, let mapping else { throw PackFailure(pack: pack.name, mistakes: mistakes.sorted) }
        return mapping
    }

    /// Whether the pack has a newer format. Then no other mistake is reported, since the pack may
    /// be correct in that format.
    private static func isNewer(_ folder: PackFolder, _ mistakes: MistakeList) -> Bool {
        guard let node = folder.files.first(where: { $0.kind == .pack })?.root["format"], let format = node.integer,
            format > PackFormat.version
        else { return false }
        mistakes.add(.newerFormat, at: node.place, ["format": String(format), "known": String(PackFormat.version)])
        return true
    }
}

/// The folders of the core and of a pack, since one pack is built from both.
private struct PackFolders {
    private(set) var core: PackFolder
    private(set) var own: PackFolder
    let fingerprint: String
    private let ruling: RulingContent

    init(core: PackFolder, own: PackFolder) {
        self.core = core
        self.own = own
        fingerprint = PackFolder.fingerprint(of: [core, own])
        ruling = RulingContent(
            whole: PackFolder.fingerprint(of: [core, own], isRuling: true),
            folder: PackFolder.fingerprint(of: [own], isRuling: true))
    }

    var files: [PackFolder.File] { core.files + own.files }
    var isBroken: Bool { own.isBroken || core.isBroken }

    mutating func parse() {
        own.parse()
        core.parse()
    }

    func pack(from files: [PackFolder.File], in directory: URL) -> Pack {
        var pack = PackBuilder(files: files, directory: directory, fingerprint: fingerprint, pages: own.pages).pack()
        pack.ruling = ruling
        return pack
    }
}

/// An SQL query of a pack, with its place. Only a replica of the pack can check whether it
/// compiles.
package struct PackQuery: Sendable, Hashable {
    package var place: PackPlace
    package var sql: String
    /// The columns that are read from its rows.
    package var columns: [String]
}

extension PackLoader {
    /// The queries of the rules, mappings, exports and reports of a pack, and of the core's rules.
    package static func queries(of name: String, from templates: URL, coreIn other: URL? = nil) -> [PackQuery] {
        let mistakes = MistakeList()
        var folders = [
            PackFolder(name, in: templates, mistakes: mistakes),
            PackFolder(PackFolder.coreName, in: other ?? templates, mistakes: mistakes),
        ]
        for index in folders.indices { folders[index].parse([.rules, .mapping, .export, .report]) }
        return folders.flatMap(\.files).flatMap { file -> [PackQuery] in
            switch file.kind {
            case .rules:
                file.root.items("rules").compactMap {
                    query($0, columns: ["id"] + ($0.text("check") == "query" ? $0.texts("arguments") : []))
                }
            case .mapping:
                // An argument with the name of an option is not a column.
                file.root.items("refuses").compactMap { refusal in
                    query(refusal, columns: refusal.texts("arguments").filter { file.root["options"]?[$0] == nil })
                }
            case .export:
                file.root.items("sheets").compactMap { query($0, columns: $0["columns"]?.pairs.map(\.key) ?? []) }
            case .report:
                file.root["queries"]?.pairs.compactMap {
                    query($0.value, columns: $0.value["columns"]?.pairs.map(\.key) ?? [])
                } ?? []
            default: []
            }
        }
    }

    private static func query(_ node: YAMLNode, columns: [String]) -> PackQuery? {
        guard let sql = node["sql"], let text = sql.text else { return nil }
        return PackQuery(place: sql.place, sql: text, columns: columns)
    }
}

/// Builds a pack from its files as far as possible. A part with the wrong shape is left out or gets
/// its default, since `ShapeCheck` has reported it. The loader returns only packs without mistakes.
struct PackBuilder {
    let files: [PackFolder.File]
    let directory: URL
    let fingerprint: String
    /// The Mustache files of reports, by `NAME/file`.
    let pages: [String: String]

    private func files(_ kind: PackFormat.FileKind) -> [PackFolder.File] { files.filter { $0.kind == kind } }

    func pack() -> Pack {
        var pack = Pack(files(.pack).first?.node ?? .keys([]), fingerprint: fingerprint, directory: directory)
        // Each part is built after the parts that it requires.
        pack.entities = files(.entity).compactMap { Entity($0.node, of: pack, isCore: $0.isCore) }
        pack.vocabularies = files(.vocabulary).compactMap { Vocabulary($0.node) }
        if pack.vocabulary(Vocabulary.roles) == nil { pack.vocabularies.append(Vocabulary(of: pack.roles)) }
        pack.rules = files(.rules).flatMap { $0.node.items("rules").compactMap { Rule($0) } }
        pack.exports = files(.export).compactMap { ExportDefinition($0.node, of: pack) }
        pack.reports = files(.report).compactMap { ReportDefinition($0.node, of: pack, pages: pages) }
        pack.jobs = files(.job).compactMap { Job($0.node, of: pack) }
        pack.tests = files(.test).compactMap { PackTest($0.node) }
        pack.imports = files(.mapping).compactMap { ImportMapping($0.node)?.withPresentNames(of: pack) }
        pack.texts = texts(pack.imports)
        fillTexts(of: &pack)
        return pack
    }

    /// Fills in default texts, so that code that shows a text needs only one lookup.
    private func fillTexts(of pack: inout Pack) {
        let pairs = TextDefaults.pairs(pack)
        for language in pack.languages {
            for (key, other) in pairs where pack.texts.textIfAny(key, in: language) == nil {
                if let text = pack.texts.textIfAny(other, in: language) { pack.texts.lay([key: text], in: language) }
            }
        }
    }

    private func texts(_ imports: [ImportMapping]) -> Texts {
        var texts = Texts()
        for mapping in imports {
            for (language, title) in mapping.titles { texts.lay(["import." + mapping.name: title], in: language) }
        }
        // A pack's texts replace the core's, so the core's are added first.
        for file in files(.texts).sorted(by: { $0.isCore && !$1.isCore }) {
            guard let language = Language(rawValue: file.stem) else { continue }
            let prefix = file.keyPrefix
            let pairs = file.node.pairs.compactMap { pair in
                pair.value.text.map { (prefix.isEmpty ? pair.key : prefix + pair.key, $0) }
            }
            texts.lay(Dictionary(pairs) { first, _ in first }, in: language)
        }
        return texts
    }
}
