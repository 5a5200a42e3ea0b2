package import Foundation
package import Model

/// A broken part of a pack: an export, mapping, report, job or test. Only parts that refer to it
/// depend on it.
package struct BrokenPart: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable {
        case export = "exports", mapping = "imports", report = "reports", job = "jobs", test = "tests"
    }

    package var kind: Kind
    package var name: String
    /// The mistakes in the part, or in a part that it depends on.
    package var failure: PackFailure

    /// `reports/avance`.
    package var path: String { kind.rawValue + "/" + name }
}

/// A pack without its broken parts. A mistake in a report disables only that report and the parts
/// that depend on it.
package struct SoundPack: Sendable {
    package var pack: Pack
    /// The broken parts, in the order of kind and name.
    package var broken: [BrokenPart]

    package func broken(_ kind: BrokenPart.Kind, _ name: String) -> BrokenPart? {
        broken.first { $0.kind == kind && $0.name == name }
    }
}

extension PackLoader {
    /// The pack with this name, without its broken parts. Throws every mistake in files on which
    /// the whole pack depends.
    package static func loadSound(_ name: String, from templates: URL, coreIn other: URL? = nil, kept: KeptPacks? = nil)
        throws(PackFailure) -> SoundPack
    {
        var broken: [String: BrokenPart] = [:]
        while true {
            do throws(PackFailure) {
                let pack = try load(name, from: templates, coreIn: other, leavingOut: Set(broken.keys), kept: kept)
                return SoundPack(pack: pack, broken: broken.sorted { $0.key < $1.key }.map(\.value))
            } catch {
                let isFirst = broken.isEmpty, count = broken.count
                // A mistake that appears only now is in a part that depends on a part left out
                // earlier; that part's mistakes caused it.
                let causes = broken.values.flatMap(\.failure.mistakes).sorted { $0.place < $1.place }
                for mistake in error.mistakes {
                    guard let part = part(of: mistake, in: name) else {
                        throw isFirst ? error : PackFailure(pack: name, mistakes: causes + error.mistakes)
                    }
                    let new = BrokenPart(
                        kind: part.kind, name: part.name, failure: PackFailure(pack: name, mistakes: causes))
                    var found = broken[new.path] ?? new
                    if !isConsequence(mistake, of: broken) { found.failure.mistakes.append(mistake) }
                    broken[new.path] = found
                }
                guard broken.count > count else { throw error }
            }
        }
    }

    /// Whether a name is unknown only because its part was left out: the part exists, and its
    /// mistakes are the cause.
    private static func isConsequence(_ mistake: PackMistake, of broken: [String: BrokenPart]) -> Bool {
        guard mistake.code == .unknownName, let kind = mistake.arguments["kind"].flatMap(PackWord.init) else {
            return false
        }
        return [.export, .importMapping, .report, .job].contains(kind)
            && broken.values.contains { $0.name == mistake.arguments["name"] }
    }

    private static func part(of mistake: PackMistake, in pack: String) -> (kind: BrokenPart.Kind, name: String)? {
        let parts = mistake.file.split(separator: "/").map(String.init)
        guard parts.count > 2, parts[0] == pack, let kind = BrokenPart.Kind(rawValue: parts[1]) else { return nil }
        if kind == .report { return parts.count == 4 ? (kind, parts[2]) : nil }
        return parts[2].hasSuffix(".yaml") ? (kind, String(parts[2].dropLast(5))) : nil
    }
}
