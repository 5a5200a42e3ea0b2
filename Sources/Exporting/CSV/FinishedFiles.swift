import Glibc
import Model

/// The finished files of an export that has several. They are deleted unless all of them were
/// finished.
final class FinishedFiles {
    private var files: [WrittenFile] = []
    private var isComplete = false

    func add(_ file: WrittenFile) { files.append(file) }

    /// Returns all files, which are no longer deleted.
    func complete() -> [WrittenFile] {
        isComplete = true
        return files
    }

    deinit {
        guard !isComplete else { return }
        for file in files { unsafe unlink(file.temporaryPath) }
    }
}
