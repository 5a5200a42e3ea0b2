internal import Foundation

/// The file of long texts beside a table: whether what begins at a block is anything but blanks.
final class DBFMemos {
    private let file: SourceFile?
    private let isFoxPro: Bool
    private let block: Int
    /// Whether memos hold nothing where there is no file of them.
    private let isWithout: Bool
    private static var mostBytes: Int { CountBounds.current.dbfMemoBytes }

    init(beside table: SourceFile, isWithout: Bool) {
        self.isWithout = isWithout
        let url = URL(fileURLWithPath: table.path)
        let folder = url.deletingLastPathComponent()
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
        let found = ["fpt", "dbt", "sct", "vct", "dct"].lazy
            .compactMap { ending in names.first { $0.lowercased() == table.stem.lowercased() + "." + ending } }.first
        file = found.flatMap { try? SourceFile(folder.appendingPathComponent($0).path, isCancelled: table.isCancelled) }
        isFoxPro = !(found?.lowercased().hasSuffix(".dbt") ?? false)
        let head = (try? file?.read(at: 0, 32)) ?? []
        if isFoxPro {
            block = max(1, head.high(6, 2) ?? 0)
        } else {
            let size = head.low(20, 2) ?? 0
            block = size >= 512 && size % 512 == 0 && head.count > 16 && head[16] != 3 ? size : 512
        }
    }

    /// A memo that cannot be found is told by its reader, and is something.
    func holdsSomething(_ number: Int) throws(CountFault) -> Bool {
        guard let file else { return !isWithout }
        guard number > 0, number <= file.count / block else { return true }
        let start = number * block
        let head = try file.read(at: start, 8)
        if isFoxPro {
            guard let kind = head.high(0, 4), let length = head.high(4, 4), kind == 1, length <= file.count - start - 8 else { return true }
            return try holdsText(start + 8, length, ends: false)
        }
        if head.starts(with: [0xFF, 0xFF, 0x08, 0x00]) {
            guard let length = head.low(4, 4), length >= 8, length <= file.count - start else { return true }
            return try holdsText(start + 8, length - 8, ends: false)
        }
        return try holdsText(start, file.count - start, ends: true)
    }

    private func holdsText(_ start: Int, _ length: Int, ends: Bool) throws(CountFault) -> Bool {
        guard let file, ends || length <= Self.mostBytes else { return true }
        var done = 0
        while done < min(length, Self.mostBytes) {
            let piece = try file.read(at: start + done, min(4096, length - done))
            if piece.isEmpty { return true }
            for byte in piece {
                if ends, byte == 0x1A { return false }
                if byte != 0x20, byte != 0 { return true }
            }
            done += piece.count
        }
        return ends
    }
}

extension CountBounds {
    var dbfMemoBytes: Int { self["dbfMemoBytes", usually: 16 << 20] }
}
