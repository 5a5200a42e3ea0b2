import Model

/// The shared texts of a workbook, in one buffer.
final class SharedStrings {
    private var bytes: [UInt8] = []
    private var ends: [UInt32] = []

    init() {}

    /// Reads the texts. Runs of rich text are joined; phonetic runs are left out.
    init(_ parts: WorkbookParts, part: String) throws {
        let limit = min(parts.limits.sharedStringBytes, Int(UInt32.max))
        try parts.reading(part) {
            var scanner = try parts.scanner(of: part)
            var text: [UInt8] = []
            var isText = false
            var phonetic = 0
            var start = 0
            var isPreserved = false
            while true {
                switch try scanner.next() {
                case .finished: return
                case .text:
                    if isText, phonetic == 0 { try scanner.appendText(to: &text) }
                case .start:
                    if scanner.isNamed("t") {
                        isText = !scanner.isEmpty
                        start = text.count
                        isPreserved = try scanner.attribute("space") == "preserve"
                    } else if scanner.isNamed("rPh") {
                        phonetic += scanner.isEmpty ? 0 : 1
                    } else if scanner.isNamed("si"), scanner.isEmpty {
                        ends.append(UInt32(bytes.count))
                    }
                case .end:
                    if scanner.isNamed("t") {
                        isText = false
                        if !isPreserved { TextRepair.trim(&text, from: start) }
                    } else if scanner.isNamed("rPh") {
                        phonetic = max(0, phonetic - 1)
                    } else if scanner.isNamed("si") {
                        TextRepair.repair(&text)
                        guard bytes.count + text.count + ends.count * 4 <= limit else {
                            throw TableFailure.tooLarge(Place(file: parts.path), kind: XLSXFile.kind, limit: "sharedStringBytes \(limit)")
                        }
                        bytes.append(contentsOf: text)
                        ends.append(UInt32(bytes.count))
                        text.removeAll(keepingCapacity: true)
                    }
                }
            }
        }
    }

    var count: Int { ends.count }

    /// Appends a text to a batch; false for an invalid index.
    @inline(__always) func append(_ index: Int, to batch: inout ForeignBatch) -> Bool {
        guard index >= 0, index < ends.count else { return false }
        let start = index == 0 ? 0 : Int(ends[index - 1])
        let end = Int(ends[index])
        if start == end {
            batch.appendEmpty()
        } else {
            let texts = bytes
            batch.append(.text, texts.span.extracting(start..<end))
        }
        return true
    }
}
