import Foundation
import Model
import Testing

@testable import Exporting

/// Rows are written as JSON and as CSV, and another program reads them.
@Suite struct JSONListingTests {
    private func batch(_ rows: [[MemoryRows.Value]]) -> RowBatch {
        var batch = RowBatch(columnCount: 2)
        MemoryRows(columnCount: 2, rows: rows).fill(&batch)
        return batch
    }

    private func json(_ stretches: [[[MemoryRows.Value]]]) -> String {
        var listing = JSONListing(columns: ["a", "b \"c\""])
        var bytes: [UInt8] = []
        for rows in stretches {
            listing.append(batch(rows))
            bytes += listing.take()
        }
        listing.end()
        return String(decoding: bytes + listing.take(), as: UTF8.self)
    }

    @Test func theBytesOfAllStretchesAreOneDocument() throws {
        let text = json([[[.integer(1), .text("x\n\"y\"")]], [[.null, .real(0.5)], [.real(.infinity), .real(.nan)]]])
        let document = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(document["columns"] as? [String] == ["a", "b \"c\""])
        let rows = try #require(document["rows"] as? [[String: Any]])
        #expect(rows.count == 3)
        #expect(rows[0]["a"] as? Int == 1 && rows[0]["b \"c\""] as? String == "x\n\"y\"")
        #expect(rows[1]["a"] is NSNull && rows[1]["b \"c\""] as? Double == 0.5)
        #expect(rows[2].values.allSatisfy { $0 is NSNull }, "JSON has no number that is not finite")
        #expect(text.split(separator: "\n").count == 6, "two lines of head, a row a line, the end")
    }

    @Test func noRowsAreAnEmptyList() throws {
        for text in [json([]), json([[]])] {
            let document = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            #expect((document["rows"] as? [Any])?.isEmpty == true && (document["columns"] as? [Any])?.count == 2)
        }
    }

    @Test func asCSVEachStretchGoesOnWhereTheLastEnded() {
        var listing = CSVListing(columns: ["a", "b,c"], texts: Texts())
        listing.append(batch([[.integer(1), .text("x,\"y\"")]]))
        var text = String(decoding: listing.take(), as: UTF8.self)
        #expect(listing.take().isEmpty, "bytes are given once")
        listing.append(batch([[.null, .real(0.5)]]))
        text += String(decoding: listing.take(), as: UTF8.self)
        #expect(text.replacing("\r\n", with: "\n") == "a,\"b,c\"\n1,\"x,\"\"y\"\"\"\n,0.5\n")
    }
}
