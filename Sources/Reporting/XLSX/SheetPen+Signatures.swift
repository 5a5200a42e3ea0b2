import Blocks
import Model
import Spreadsheets

extension SignaturesContent: SheetDrawn {
    func draw(with pen: inout SheetPen) throws { try pen.draw(signatures) }
    var leastColumns: Int { 6 }
    var mayFollowTable: Bool { true }
}

extension SheetPen {
    mutating func draw(_ signatures: [SignatureContent]) throws {
        var rest = signatures[...]
        let most = min(3, (grid.count + 1) / 2)
        while !rest.isEmpty {
            let line = rest.prefix(most)
            rest = rest.dropFirst(most)
            // Gaps separate the lines. A single line is as long as one of two.
            let places = max(line.count, 2)
            let spans = grid.spans((0..<places * 2 - 1).map { $0 % 2 == 0 ? 1 : 0.2 })
            // This row is the room to sign.
            try addRows(height: 44)
            let cells = zip(line, stride(from: 0, to: spans.count, by: 2)).map { ($0, spans[$1]) }
            var height = cells.map { self.height($0.label, span: $1, styles.signature) }.max() ?? 0
            var rows = try addRows(height: height)
            for (signature, span) in cells { try put(.text(signature.label), rows: rows, span: span, styles.signature) }
            guard line.contains(where: { $0.name?.isEmpty == false }) else { continue }
            height = cells.map { self.height($0.name ?? "", span: $1, styles.signatory) }.max() ?? 0
            rows = try addRows(height: height)
            for (signature, span) in cells { try put(.text(signature.name ?? ""), rows: rows, span: span, styles.signatory) }
            guard line.contains(where: { $0.note?.isEmpty == false }) else { continue }
            height = cells.map { self.height($0.note ?? "", span: $1, styles.signature) }.max() ?? 0
            rows = try addRows(height: height)
            for (signature, span) in cells { try put(.text(signature.note ?? ""), rows: rows, span: span, styles.signature) }
        }
    }
}
