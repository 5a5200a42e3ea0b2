internal import Foundation
internal import Model

/// Builds a pack from its files as far as possible. A part with the wrong shape is left out or
/// takes its default, since `ShapeCheck` has reported it. Only a pack without mistakes leaves the
/// loader.
struct PackBuilder {
    let files: [PackFolder.File]
    let directory: URL
    let fingerprint: String
    /// The Mustache files of reports, by `NAME/file`.
    let pages: [String: String]

    private func files(_ kind: PackFormat.FileKind) -> [PackFolder.File] { files.filter { $0.kind == kind } }

    func pack() -> Pack {
        var pack = Pack(files(.pack).first?.node ?? .keys([]), fingerprint: fingerprint, directory: directory)
        // Each part is built after the parts that it needs.
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

    /// Puts texts that stand in for others in their places, so that nobody who shows a text asks twice.
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
        // A pack's texts replace the core's, so the core's come first.
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
