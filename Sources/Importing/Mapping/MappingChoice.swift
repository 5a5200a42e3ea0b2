package import Model

/// Chooses the mapping of a pack for an external file.
package struct MappingChoice {
    private let pack: Pack
    private let keys: any RecordKeys
    /// The project that the user named for the import.
    private let project: (id: String, code: String)?
    /// The codes of the projects that the user may name.
    private let projects: () throws -> [String]
    /// The values of options that the user gave for the import.
    private let given: [String: String]

    package init(
        pack: Pack, keys: any RecordKeys, project: (id: String, code: String)? = nil, given: [String: String] = [:],
        projects: @escaping () throws -> [String] = { [] }
    ) {
        self.projects = projects
        self.pack = pack
        self.project = project
        self.given = given
        self.keys = keys
    }

    /// Opens a file through the mapping with this name. If no name is given, there must be only one
    /// mapping that fits the file.
    ///
    /// Throws `ImportFailure.unknownMapping`, `.mappingKind`, `.mappingNeeded`, `.noMapping`,
    /// `.projectNeeded`, `.ownBook`, `OptionFailure` and the errors of opening.
    package func open(_ path: String, options: TableOptions = TableOptions(), mapping name: String?) throws
        -> MappedSource
    {
        let file = try opened(path, options, by: name.flatMap(pack.mapping))
        let kind = file.contentKind
        guard let name else {
            let fits = try pack.imports.compactMap { mapping in
                try fit(file, path, kind, mapping, options).map { (name: mapping.name, source: $0) }
            }
            let whole = fits.compactMap { try? $0.source.get() }
            if whole.count == 1 { return try checked(whole[0]) }
            // Only one mapping fits, and it needs a project that the user did not name.
            if fits.count == 1 { return try checked(fits[0].source.get()) }
            let named =
                fits.isEmpty
                ? pack.imports.filter { TableFiles.isAccepted(kind, by: $0.accepts) }.map(\.name) : fits.map(\.name)
            throw fits.isEmpty
                ? ImportFailure.noMapping(path: path, kind: kind, known: named)
                : ImportFailure.mappingNeeded(path: path, kind: kind, fitting: named)
        }
        guard let mapping = pack.mapping(name) else {
            throw ImportFailure.unknownMapping(name: name, known: pack.imports.map(\.name))
        }
        return try checked(open(file, path, kind, mapping, options))
    }

    /// Opens a file through a mapping that does not belong to the pack.
    package func open(_ path: String, options: TableOptions = TableOptions(), mapping: ImportMapping) throws
        -> MappedSource
    {
        let file = try opened(path, options, by: mapping)
        return try checked(open(file, path, file.contentKind, mapping, options))
    }

    /// Opens a file whose columns have the names or aliases of an entity's fields. The values are
    /// in stored form: dates as `yyyy-MM-dd`, decimals with a point. Rows without a column `id` are
    /// identified by the entity's natural key.
    ///
    /// Throws `ImportFailure.missingColumns` if the file has neither an id nor the key, and the
    /// errors of opening.
    package func open(_ path: String, options: TableOptions = TableOptions(), fieldsOf entity: Entity) throws
        -> MappedSource
    {
        let file = try opened(path, options)
        // Without a mapping, the import has no options.
        if let name = given.keys.min() { throw OptionFailure.unknown(path: path, name: name, known: []) }
        func source(_ key: [String], _ fields: [Field]) throws -> MappedSource {
            // The name contains a space, unlike the name of any mapping in a pack. By this name, a
            // retry of rejected rows recognises that they were read by field names.
            let target = ImportMapping.Target(
                entity: entity.name, key: key, fields: fields.map { .init($0.name, .column([$0.name] + $0.otherNames)) }
            )
            return try MappedSource(
                file, path: path,
                mapping: ImportMapping(name: "entity \(entity.name)", tables: [.init(targets: [target])]), pack: pack,
                keys: keys,
                limits: options.limits, isWithoutMemos: options.isWithoutMemos)
        }
        let key = (entity.keyScope.map { [$0] } ?? []) + entity.key
        do {
            return try source([], entity.fields)
        } catch let failure as ImportFailure where failure.code == "IMPORT-COLUMNS" && !entity.key.isEmpty {
            // Without an id, at least the key must be present.
            do {
                return try source(key, entity.fields.filter { $0.name != "id" })
            } catch let failure as ImportFailure where failure.code == "IMPORT-COLUMNS" {
                // Either the id or the natural key would be enough, so the failure names both.
                let columns = failure.arguments["columns", default: ""].replacing("; ", with: " + ")
                throw ImportFailure.missingColumns(
                    path: path, table: failure.arguments["table", default: ""], columns: ["id | " + columns])
            }
        }
    }

    /// - Parameter mapping: the mapping that the user named. A mapping for pictures reads them from
    ///   a folder that may contain other files too.
    private func opened(
        _ path: String, _ options: TableOptions, by mapping: ImportMapping? = nil
    ) throws -> any TableFile {
        if mapping?.accepts == [PictureFolder.kind], try SourceLocation(path: path).isDirectory,
            let pictures = try PictureFolder(path: path, options: options, leavingOthers: true)
        {
            return pictures
        }
        let file = try TableFiles.openFileOrFolder(path: path, options: options)
        try TableFiles.refuseOwn(file, path: path)
        return file
    }

    private func open(
        _ file: any TableFile, _ path: String, _ kind: String, _ mapping: ImportMapping, _ options: TableOptions
    ) throws -> MappedSource {
        try TableFiles.refuseLinesOfJSON(path: path, kind: kind, mapping: mapping.name)
        guard TableFiles.isAccepted(kind, by: mapping.accepts) else {
            throw ImportFailure.mappingKind(path: path, mapping: mapping.name, found: kind, accepted: mapping.accepts)
        }
        var mapping = mapping.taking(given)
        if let project {
            mapping = try mapping.ofProject(project, pack, path: path)
        } else if mapping.lacksProject(pack) {
            throw ImportFailure.projectNeeded(path: path, mapping: mapping.name, known: try projects())
        }
        return try source(file, path, mapping, options)
    }

    private func source(_ file: any TableFile, _ path: String, _ mapping: ImportMapping, _ options: TableOptions) throws
        -> MappedSource
    {
        try MappedSource(
            file, path: path, mapping: mapping, pack: pack, keys: keys, limits: options.limits,
            isWithoutMemos: options.isWithoutMemos)
    }

    /// Checks the options given for the chosen mapping. Options do not affect whether a file fits.
    private func checked(_ source: MappedSource) throws -> MappedSource {
        try source.mapping.checkOptions(given, path: source.path)
        return source
    }

    /// Nil if the file does not match the mapping. A failure if the file matches, but the user must
    /// name the project. Throws if the file is damaged or exceeds a limit.
    private func fit(
        _ file: any TableFile, _ path: String, _ kind: String, _ mapping: ImportMapping, _ options: TableOptions
    ) throws -> Result<MappedSource, ImportFailure>? {
        do {
            return .success(try open(file, path, kind, mapping, options))
        } catch let failure as ImportFailure where failure.code == "IMPORT-PROJECT-NEEDED" {
            return (try? source(file, path, mapping, options)).map { _ in
                .failure(failure)
            }
        } catch let failure as ImportFailure where failure.isMisfit {
            return nil
        }
    }
}
