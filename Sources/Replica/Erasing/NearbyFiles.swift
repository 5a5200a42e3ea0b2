import Foundation

/// Files in the replica's folder that are no part of it: copies, sources, outputs.
struct NearbyFiles {
    let replica: String

    /// Longer files are read in pieces of this size, which overlap.
    private static let piece = 4 << 20
    private static let overlap = 4096

    /// Those in whose bytes a person stands. What is packed (XLSX, ZIP) cannot be looked into.
    func naming(_ traces: ErasureTraces) -> [String] {
        let folder = (replica as NSString).deletingLastPathComponent
        let own = Set(["", "-wal", "-shm", "-journal", ".lock"].map { (replica as NSString).lastPathComponent + $0 })
        guard let names = try? FileManager.default.subpathsOfDirectory(atPath: folder.isEmpty ? "." : folder) else { return [] }
        return names.sorted().filter { name in
            guard !own.contains(name) else { return false }
            let path = (folder as NSString).appendingPathComponent(name)
            let type = (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
            return type == .typeRegular && (traces.mention(name) || isNamed(in: path, traces))
        }.map { (folder as NSString).appendingPathComponent($0) }
    }

    private func isNamed(in path: String, _ traces: ErasureTraces) -> Bool {
        guard let file = FileHandle(forReadingAtPath: path) else { return false }
        defer { try? file.close() }
        var tail: [UInt8] = []
        while let data = try? file.read(upToCount: Self.piece), !data.isEmpty {
            let bytes = tail + data
            if traces.areIn(bytes) { return true }
            tail = Array(bytes.suffix(Self.overlap))
        }
        return false
    }
}
