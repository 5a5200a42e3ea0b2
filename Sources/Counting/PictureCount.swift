internal import Foundation
internal import Model

/// Counts a tree of folders of pictures: a row for each file that is one by its first bytes or its name. Of the
/// columns, only those that follow from paths and sizes are counted.
enum PictureCount {
    static let kind = "pictures"

    private static let uncounted: Set<String> = [
        "stem", "number", "type", "sha256", "width", "height", "taken", "latitude", "longitude",
    ]
    private static let endings = ["jpg", "jpeg", "png", "heic", "heif", "gif", "tif", "tiff", "bmp", "webp"]

    static func count(_ folder: String, _ options: SourceCounter.Options) throws(CountFault) -> SourceCount {
        // Without a name of its own, a link would be walked as a file.
        let root = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
        guard let walk = FileManager.default.enumerator(atPath: root) else { throw .unreadable("it cannot be opened") }
        var counts = ColumnCounts(numbers: true)
        for (place, name) in ["path", "root", "folder", "name", "bytes"].enumerated() { try counts.name(place, name) }
        while let path = walk.nextObject() as? String {
            guard !options.isCancelled() else { throw .cancelled }
            let attributes = walk.fileAttributes
            if options.leftOut.contains(path) || path.split(separator: "/").last?.hasPrefix(".") == true {
                walk.skipDescendants()
                continue
            }
            let isFile = attributes?[.type] as? FileAttributeType == .typeRegular
            guard isFile, isPicture(root + "/" + path) else { continue }
            try counts.fill(0)
            try counts.fill(1)
            if path.contains("/") { try counts.fill(2) }
            try counts.fill(3)
            try counts.fill(4, number: Double(attributes?[.size] as? Int ?? 0))
            counts.endRow()
        }
        var count = SourceCount(tables: [counts.table(kind)], columnsByName: true)
        count.uncountedColumns[kind] = uncounted
        return count
    }

    private static func isPicture(_ path: String) -> Bool {
        if let last = path.split(separator: ".").last, endings.contains(last.lowercased()) { return true }
        guard let file = FileHandle(forReadingAtPath: path) else { return false }
        defer { try? file.close() }
        let head = Array((try? file.read(upToCount: 44)) ?? Data())
        let isPNG = head.high(0, 4) == 0x8950_4E47 && head.high(4, 4) == 0x0D0A_1A0A
        if isPNG || head.high(0, 3) == 0xFFD8FF { return true }
        // A box `ftyp` of the brands of HEIF.
        guard head.count >= 44, head[0] == 0, head.high(4, 4) == 0x6674_7970 else { return false }
        return [0x68_6569, 0x6D_6966].contains(head.high(8, 3))
    }
}
