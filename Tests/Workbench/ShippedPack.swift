import Foundation
package import Model
import Packs
import Synchronization

/// The packs in `Templates`. Each is read and checked once in the process.
package enum ShippedPack {
    private static let known = Mutex<[String: Pack]>([:])

    package static func named(_ name: String) throws -> Pack {
        try known.withLock { known in
            if let pack = known[name] { return pack }
            let pack = try PackLoader.load(name, from: ProjectFolder.root.appendingPathComponent("Templates"))
            known[name] = pack
            return pack
        }
    }

    package static func all() throws -> [Pack] { try ProjectFolder.systems.map(named) }
}
