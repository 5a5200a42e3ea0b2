package import Model

/// Which mapping of a pack a foreign file is read by.
package struct MappingChoice {
    private let pack: Pack
    private let keys: any RecordKeys

    package init(pack: Pack, keys: any RecordKeys) {
        self.pack = pack
        self.keys = keys
    }

    /// Opens a file through the mapping of this name, or, where none is named, through the only one that fits.
    ///
    /// Throws `ImportFailure.unknownMapping`, `.mappingKind`, `.mappingNeeded`, and what opening throws.
    package func open(_ path: String, options: TableOptions = TableOptions(), mapping name: String?) throws -> MappedSource {
        let file = try TableFiles.openFileOrFolder(path: path, options: options)
        let kind = file.contentKind
        guard let name else {
            let fitting = pack.imports.compactMap { mapping in try? open(file, path, kind, mapping, options.limits) }
            guard fitting.count == 1 else {
                throw ImportFailure.mappingNeeded(
                    path: path, kind: kind, fitting: pack.imports.filter { (try? open(file, path, kind, $0, options.limits)) != nil || fitting.isEmpty }.map(\.name))
            }
            return fitting[0]
        }
        guard let mapping = pack.mapping(name) else { throw ImportFailure.unknownMapping(name: name, known: pack.imports.map(\.name)) }
        return try open(file, path, kind, mapping, options.limits)
    }

    private func open(_ file: any TableFile, _ path: String, _ kind: String, _ mapping: ImportMapping, _ limits: TableLimits) throws -> MappedSource {
        guard mapping.accepts.isEmpty || mapping.accepts.contains(kind) else {
            throw ImportFailure.mappingKind(path: path, mapping: mapping.name, found: kind, accepted: mapping.accepts)
        }
        return try MappedSource(file, path: path, mapping: mapping, pack: pack, keys: keys, limits: limits)
    }
}
