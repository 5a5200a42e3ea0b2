package import Foundation
package import Model

/// A part of a pack that nothing else rests on but what names it: one export, mapping, report or job.
package struct BrokenPart: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable {
        case export = "exports", mapping = "imports", report = "reports", job = "jobs"
    }

    package var kind: Kind
    package var name: String
    /// What is wrong with it, or with the part that it needs.
    package var failure: PackFailure
}

/// A pack as far as it is right: one mistake in one report stops that report, and whatever needs it, and nothing else.
package struct SoundPack: Sendable {
    package var pack: Pack
    /// By kind and name.
    package var broken: [BrokenPart]

    package func broken(_ kind: BrokenPart.Kind, _ name: String) -> BrokenPart? { broken.first { $0.kind == kind && $0.name == name } }
}

extension PackLoader {
    /// The pack with this name without its broken parts; throws every mistake of what all else rests on.
    package static func loadSound(_ name: String, from templates: URL, kept: KeptPacks? = nil) throws(PackFailure) -> SoundPack {
        var broken: [String: BrokenPart] = [:]
        while true {
            do throws(PackFailure) {
                let pack = try load(name, from: templates, leavingOut: Set(broken.keys), kept: kept)
                return SoundPack(pack: pack, broken: broken.sorted { $0.key < $1.key }.map(\.value))
            } catch {
                let isFirst = broken.isEmpty, count = broken.count
                // What comes to light only now needs one of the parts that are left out already: their mistakes are the reason.
                let causes = broken.values.flatMap(\.failure.mistakes).sorted { $0.place < $1.place }
                for mistake in error.mistakes {
                    guard let part = part(of: mistake, in: name) else { throw isFirst ? error : PackFailure(pack: name, mistakes: causes + error.mistakes) }
                    let path = part.kind.rawValue + "/" + part.name
                    var found = broken[path] ?? BrokenPart(kind: part.kind, name: part.name, failure: PackFailure(pack: name, mistakes: causes))
                    found.failure.mistakes.append(mistake)
                    broken[path] = found
                }
                guard broken.count > count else { throw error }
            }
        }
    }

    private static func part(of mistake: PackMistake, in pack: String) -> (kind: BrokenPart.Kind, name: String)? {
        let parts = mistake.file.split(separator: "/").map(String.init)
        guard parts.count > 2, parts[0] == pack, let kind = BrokenPart.Kind(rawValue: parts[1]) else { return nil }
        if kind == .report { return parts.count == 4 ? (kind, parts[2]) : nil }
        return parts[2].hasSuffix(".yaml") ? (kind, String(parts[2].dropLast(5))) : nil
    }
}
