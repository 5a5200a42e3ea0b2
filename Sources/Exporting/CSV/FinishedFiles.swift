import Glibc
import Model

/// The finished files of an export of several: removed again unless all of them came to be.
final class FinishedFiles {
    private var files: [WrittenFile] = []
    private var isComplete = false

    func add(_ file: WrittenFile) { files.append(file) }

    /// All files, which stay from now on.
    func complete() -> [WrittenFile] {
        isComplete = true
        return files
    }

    deinit {
        guard !isComplete else { return }
        for file in files { unsafe unlink(file.temporaryPath) }
    }
}
