/// How far the files of a sync are: files and bytes of all, the time left, and each file that is
/// under way.
struct FileProgress {
    /// Of all files.
    let count: Int
    let bytes: Int64
    /// Files that are done, whatever became of them.
    private(set) var done = 0
    /// Bytes of all files so far.
    private(set) var moved: Int64 = 0
    /// Files under way, in the order in which they began.
    private var active: [(id: String, name: String, bytes: Int64?, moved: Int64)] = []

    init(count: Int, bytes: Int64) { (self.count, self.bytes) = (count, bytes) }

    /// - Parameters:
    ///   - id: tells files apart that have the same name.
    ///   - bytes: of the file; nil: nobody knows.
    mutating func begin(_ id: String, _ name: String, bytes: Int64?) { active.append((id, name, bytes, 0)) }

    /// - Parameter moved: bytes of the file so far.
    mutating func move(_ id: String, to moved: Int64) {
        guard let index = active.firstIndex(where: { $0.id == id }) else { return }
        self.moved += moved - active[index].moved
        active[index].moved = moved
    }

    mutating func end(_ id: String) {
        done += 1
        active.removeAll { $0.id == id }
    }

    /// `Sending files: 12/340, 81.4/310.2 MB (26 %), 130 s, 1.8 MB/s · pit.jpg 40 %`
    func line(_ title: String, elapsed: Duration) -> String {
        let rate = elapsed > .zero ? Double(moved) / (elapsed / .seconds(1)) : 0
        var line = "\(title): \(done)/\(count), \(Self.megabytes(Double(moved)))"
        if bytes > 0, moved <= bytes {
            line += "/\(Self.megabytes(Double(bytes))) MB (\(moved * 100 / bytes) %)"
            if rate > 0, moved < bytes { line += ", " + ProgressLine.timeLeft(Double(bytes - moved) / rate) }
        } else {
            line += " MB"
        }
        line += ", \(Self.megabytes(rate)) MB/s"
        let named = active.map { file in
            file.name + (file.bytes.map { $0 > 0 ? " \(min(100, file.moved * 100 / $0)) %" : "" } ?? "")
        }
        return named.isEmpty ? line : line + " · " + named.joined(separator: ", ")
    }

    /// Millions of bytes with one decimal.
    private static func megabytes(_ bytes: Double) -> String {
        let tenths = Int((bytes / 100_000).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
