import Foundation
import JSONReading
import Model
import Testing

@testable import Importing

/// Submissions of a form, one object on each line, are read as tables.
@Suite struct SubmissionsFileTests {
    private let folder: TableFolder

    init() throws { folder = try TableFolder() }

    private func open(_ lines: [String], _ limits: TableLimits = TableLimits()) throws -> any TableFile {
        try TableFiles.open(path: folder.write(lines.joined(separator: "\n"), "envios.jsonl"), limits: limits)
    }

    private static let kobo = """
        {"_id":7,"formhub/uuid":"f","obra/codigo":"PE-1","fotos":[],"estratos":[{"estratos/desde":"0.00","estratos/suelo/sucs":"GP"},\
        {"estratos/desde":"0.40","estratos/muestras":[{"estratos/muestras/tipo":"bolsa cono"}]}],"obra/lugar":"-6.1 -76.9 240 4.8",\
        "_geolocation":[-6.1,-76.9],"_tags":[],"_uuid":"u","_submission_time":"2026-01-02T03:04:05","_attachments":[{"id":3,"filename":"a/b.jpg"}],"_submitted_by":null}
        """
    /// The same submission as ODK Central writes it, with groups as objects and names without the
    /// repeat's path.
    private static let central = """
        {"__id":"uuid:u","__system":{"submissionDate":"2026-01-02"},"obra":{"codigo":"PE-2"},"estratos":[{"desde":0.5,"suelo":{"sucs":"SM"},"muestras":[]}]}
        """

    @Test func groupsAreNamesAndRepeatsAreTablesWithWhatStandsAroundThem() throws {
        let file = try open([Self.kobo, Self.central])
        #expect(file.contentKind == "submissions")
        #expect(file.tables.map(\.name) == ["submissions", "estratos", "estratos/muestras", "_attachments"])
        #expect(file.tables[0].columns == [
            "_id", "formhub/uuid", "obra/codigo", "obra/lugar", "_geolocation", "_uuid", "_submission_time", "_submitted_by", "__id", "__system/submissionDate",
        ])
        #expect(try file.tables[0].content() == [
            "1 n:7 t:f t:PE-1 t:-6.1 -76.9 240 4.8 t:[-6.1,-76.9] t:u t:2026-01-02T03:04:05 -", "2 - - t:PE-2 - - - - - t:uuid:u t:2026-01-02",
        ])
        #expect(file.tables[1].columns?.prefix(5) == ["desde", "suelo/sucs", "../_id", "../formhub/uuid", "../obra/codigo"])
        let strata = try file.tables[1].content()
        #expect(strata[0].hasPrefix("1 t:0.00 t:GP n:7 t:f t:PE-1 t:-6.1 -76.9 240 4.8"), "\(strata)")
        #expect(strata[1].hasPrefix("1 t:0.40 - n:7"), "\(strata)")
        #expect(strata[2].hasPrefix("2 n:0.5 t:SM - - t:PE-2"), "\(strata)")
        // Values that come after the repeat in its line also belong to the values around it.
        #expect(try file.tables[2].content()[0].hasPrefix("1 t:bolsa cono t:0.40 - n:7 t:f t:PE-1 t:-6.1"))
        #expect(file.tables[2].columns?.contains("../../obra/codigo") == true)
        #expect(try file.tables[3].content()[0].hasPrefix("1 n:3 t:a/b.jpg n:7"))
    }

    @Test("The answer of an API holds the same rows as its submissions, one a line", arguments: ["", "\n  "])
    func anAnswerHoldsTheSameRows(space: String) throws {
        // More than is parsed at once.
        let lines = (0..<40).flatMap { number in
            let code = "\"\(number)-" + String(repeating: "x", count: 90)
            return [Self.kobo, Self.central].map { $0.replacing("\"PE-", with: code) }
        }
        let rows = lines.joined(separator: "," + space)
        let kobo = "{\"count\":80,\(space)\"next\":null,\"results\":[\(space)\(rows)\(space)]\(space)}\n"
        let central = "{\(space)\"@odata.context\":\"x\",\"value\":[" + lines.joined(separator: ",") + "]}"
        // The answers are written over the file, so its rows are read first.
        let expected = try open(lines)
        let rowsOfLines = try expected.tables.map { try $0.content() }
        for answer in [kobo, central] {
            let file = try open([answer])
            #expect(file.contentKind == "submissions")
            #expect(file.tables.map(\.name) == expected.tables.map(\.name))
            #expect(file.tables.map(\.columns) == expected.tables.map(\.columns))
            for (table, rows) in zip(file.tables, rowsOfLines) {
                // Rows of lines have the numbers of their lines, which are those of the submissions.
                #expect(try table.content() == rows, "\(table.name)")
            }
        }
        #expect(throws: (any Error).self) { try open([String(kobo.dropLast(4))]) }
    }

    @Test func aMemberWithoutANameIsAFaultOfTheLine() throws {
        let file = try open([Self.central, #"{"_submission_time":"x","":1}"#, #"{"_submission_time":"x","r":[{"":1}]}"#, #"{"_submission_time":"x","g":{"":1}}"#])
        #expect(file.rejectedLines.contains(2) && file.rejectedLines.contains(3) && file.rejectedLines.contains(4) && !file.rejectedLines.contains(1))
    }

    @Test func whatIsNoListOfRowsIsOneText() throws {
        let file = try open([#"{"_submission_time":"x","a":[1,{"b":2}],"c":[[1],2],"d":[{"e":1},5,null,[6,7]],"f":{},"g":{"h":{}}}"#])
        #expect(file.tables.map(\.name) == ["submissions", "d"])
        #expect(file.tables[0].columns == ["_submission_time", "a", "c"])
        #expect(try file.tables[0].content() == [#"1 t:x t:[1,{"b":2}] t:[[1],2]"#])
        #expect(try file.tables[1].content().map { String($0.prefix(12)) } == ["1 n:1 - t:x ", "1 - n:5 t:x ", "1 - - t:x t:", "1 - t:[6,7] "])
    }

    @Test func aLineThatIsNoneIsGivenWithWhatIsWrong() throws {
        let lines = [
            Self.kobo, "{\"_submission_time\":", "", #"{"_uuid":"v","_uuid":"w"}"#, #"{"obra/codigo":"1","obra":{"codigo":"2"}}"#, "[1]",
            #"{"obra/codigo":"PE-9","estratos":[{"desde":"1"},{"desde":"2","desde":"3"}]}"#, #"{"obra/codigo":"PE-3"}"#,
        ]
        let file = try open(lines)
        #expect((1...9).filter(file.rejectedLines.contains) == [2, 4, 5, 6, 7])
        let rows = try file.tables[0].open()
        var batch = ForeignBatch()
        var faults: [Int: String] = [:]
        var raw: [String] = []
        var numbers: [Int] = []
        repeat {
            try rows.fill(&batch)
            numbers += batch.rows.map(\.number)
            for (row, remark) in batch.remarks {
                faults[batch.rows[row].number] = remark.fault
                raw.append(batch.sourceText(row))
            }
        } while batch.rowCount > 0
        #expect(numbers == [1, 2, 4, 5, 6, 7, 8])
        #expect(faults[4] == "the key \"_uuid\" stands twice in one object")
        #expect(faults[5] == "the key \"obra/codigo\" stands twice in one object")
        #expect(faults[6] == "a row must be an object")
        #expect(raw.contains(#""{\"_submission_time\":""#), "\(raw)")
        // If a line is not a submission, none of its repeats is read.
        #expect(try file.tables[1].content().count == 2)
    }

    @Test func boundsHold() throws {
        var limits = TableLimits()
        limits.tables = 2
        #expect(try failure(folder.write(Self.kobo, "a"), limits).arguments["limit"] == "tables 2")
        limits = TableLimits()
        limits.columns = 3
        #expect(try failure(folder.write(Self.kobo, "b"), limits).arguments["limit"] == "columns 3")
        limits = TableLimits()
        limits.json.depth = 20
        let deep = #"{"_submission_time":"#
        #expect(try failure(folder.write(deep + String(repeating: "[", count: 100), "c"), limits).arguments["limit"] == "jsonDepth 20")
        limits = TableLimits()
        limits.json.valueBytes = 1000
        #expect(try failure(folder.write(deep + "\"" + String(repeating: "x", count: 2000) + "\"}", "d"), limits).arguments["limit"] == "jsonRowBytes 1000")
        limits = TableLimits()
        try limits.set("submissionColumns", to: "20")
        #expect(try failure(folder.write(Self.kobo, "e"), limits).arguments["limit"] == "submissionColumns 20")
        limits = TableLimits()
        try limits.set("submissionTakenOverBytes", to: "64")
        let lines = [#"{"_submission_time":"x","nota":"\#(String(repeating: "n", count: 100))","r":[{"a":1},{"a":2}]}"#]
        #expect(try open(lines, limits).tables[1].content() == ["1 n:1 t:x e:100 bytes that are not repeated here", "1 n:2 t:x e:100 bytes that are not repeated here"])
    }

    @Test func otherJSONIsNone() throws {
        for text in [#"[{"_submission_time":"x"}]"#, #"{"results":{"_submission_time":"x"}}"#, #"{"id":"1","note":"\"_submission_time\":"}"#, "{}", "x"] {
            #expect(!SubmissionsFile.recognises(try FileHead(path: folder.write(text))), "\(text)")
        }
        #expect(SubmissionsFile.recognises(try FileHead(path: folder.write("\u{FEFF}" + Self.kobo))))
        let long = #"{"formhub/uuid":"f","nota":""# + String(repeating: "x", count: 1 << 17)
        #expect(SubmissionsFile.recognises(try FileHead(path: folder.write(long))))
        #expect(SourceFormats.name(of: try SourceLocation(path: folder.write(Self.kobo))) == nil)
    }

    @Test(arguments: [1, 2, 7]) func batchesOfAnySizeGiveTheSame(size: Int) throws {
        let file = try open([Self.kobo, "{", Self.central, Self.kobo])
        for table in file.tables { #expect(try table.content(into: ForeignBatch(mostRows: size)) == table.content()) }
    }
}
