import Foundation
import Synchronization

/// What many tests begin with: a folder that is made once in the process, by the first test that
/// needs it, and copied for each of them.
package enum Scene {
    /// One scene. Its lock is held while the scene is made: other tests that need it wait.
    private final class Made: Sendable {
        let folder = Mutex<Result<TemporaryFolder, any Error>?>(nil)
    }

    private static let all = Mutex<[String: Made]>([:])

    /// A folder that nobody may change, for tests that only read it.
    ///
    /// - Parameters:
    ///   - name: what tells this scene from all others.
    ///   - make: fills the new folder. If it fails, every test that needs the scene fails so.
    package static func shared(_ name: String, _ make: (TemporaryFolder) throws -> Void) throws -> TemporaryFolder {
        let made = all.withLock { all in
            let made = all[name] ?? Made()
            all[name] = made
            return made
        }
        return try made.folder.withLock { folder in
            if let folder { return try folder.get() }
            let result = Result {
                try WorkCount.measure("scene made: " + name) {
                    let new = try TemporaryFolder()
                    try make(new)
                    return new
                }
            }
            folder = result
            return try result.get()
        }
    }

    /// A copy of the scene, which its test may change. Files keep their times and rights.
    package static func copy(_ name: String, _ make: (TemporaryFolder) throws -> Void) throws -> TemporaryFolder {
        let original = try shared(name, make)
        return try WorkCount.measure("scene copied: " + name) {
            let copy = try TemporaryFolder()
            try copy.fill(from: original.path)
            return copy
        }
    }
}
