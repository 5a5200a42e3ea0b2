import Foundation
import Model
import Testing
import Workbench

@testable import Importing

/// A property list is read as a JSON document with the same values is, whether it is XML or binary.
@Suite struct PropertyListFormatTests {
    private let folder: TableFolder

    init() throws { folder = try TableFolder() }

    private func xml(_ value: String) throws -> any TableFile {
        try TableFiles.open(path: folder.write("<?xml version='1.0'?><!DOCTYPE plist SYSTEM 'x'><plist version='1.0'>\(value)</plist>", "l.plist"))
    }

    private func refused(_ bytes: [UInt8], _ limits: TableLimits = TableLimits()) throws -> any Failure { try failure(folder.write(bytes, "l.plist"), limits) }

    private func refused(_ value: String) throws -> any Failure { try refused(Array("<plist>\(value)</plist>".utf8)) }

    @Test("Random values that Python writes: the same tables as from JSON", arguments: 1...4) func sameAsJSON(seed: Int) throws {
        let written = try TemporaryFolder()
        try PropertyListSamples.write(40, seed: seed, to: written)
        var cells = 0
        for number in 0..<40 {
            let json = try TableFiles.open(path: written.file("json/\(number).json"))
            let expected = try json.tables.map { try $0.content() }
            for form in ["xml", "binary"] {
                let list = try TableFiles.open(path: written.file("\(form)/\(number).plist"))
                #expect(list.contentKind == "plist")
                #expect(list.tables.map(\.name) == json.tables.map(\.name) && list.tables.map(\.columns) == json.tables.map(\.columns), "\(form) \(number)")
                #expect(try list.tables.map { try $0.content() } == expected, "\(form) \(number)")
            }
            cells += expected.joined().count
        }
        #expect(cells > 200)
    }

    @Test func valuesOfEveryKind() throws {
        let words = """
            <integer> +7 </integer><integer>0x1F</integer><integer>-0x10</integer><integer>18446744073709551616</integer><real>.5</real><real>1e3</real>
            <true/><false/><date>2025-11-30T23:10:00Z</date><string>a&amp;<![CDATA[<b>]]></string><string/><data>
            AAECAwQFBgcICQoL
            DA0ODw==</data>
            """
        #expect(try xml("<array>\(words)</array>").tables[0].content() == [
            "1 n:7", "2 n:31", "3 n:-16", "4 n:18446744073709551616", "5 n:0.5", "6 n:1000", "7 b:true", "8 b:false", "9 t:2025-11-30T23:10:00Z", "10 t:a&<b>", "11 t:",
            "12 t:00010203-0405-0607-0809-0a0b0c0d0e0f",
        ])
        let none = "<integer>seven</integer><integer/><real>nan</real><real>1e999</real><date>2025-13-01T00:00:00Z</date><data>AAEC</data><data>\(Data(count: 40).base64EncodedString())</data>"
        #expect(try xml("<array>\(none)</array>").tables[0].content() == [
            "1 e:seven", "2 e:", "3 e:nan", "4 e:inf", "5 e:2025-13-01T00:00:00Z", "6 e:0x000102", "7 e:40 bytes that are no text",
        ])
        let objects: [[UInt8]] = [
            PropertyListSamples.list(Array(1...9)), [0x00], [0x22, 0x3F, 0, 0, 0], [0x23, 0x7F, 0xF0, 0, 0, 0, 0, 0, 0], [0x33, 0x41, 0xC0, 0, 0, 0, 0, 0, 0],
            [0x33, 0x7F, 0xF0, 0, 0, 0, 0, 0, 0], [0x14] + [UInt8](repeating: 0xFF, count: 16), [0x10, 0xFF], [0x13] + [UInt8](repeating: 0xFF, count: 8), [0x62, 0xD8, 0x3D, 0xDE, 0x00],
        ]
        #expect(try contents(folder.write(PropertyListSamples.binary(objects), "l.plist")) == [
            "1 -", "2 n:0.5", "3 e:inf", "4 t:2018-01-05T18:48:32Z", "5 e:a date inf seconds after 2001", "6 n:-1", "7 n:255", "8 n:-1", "9 t:😀",
        ])
    }

    @Test("A value that is none, deep in a row, makes its cell an error, because a part of it could pass for a value") func errorsWithinRows() throws {
        let row = "<dict><key>a</key><dict><key>b</key><array><data>AAEC</data></array></dict><key>c</key><array><string>x</string></array></dict>"
        #expect(try xml("<array>\(row)</array>").tables[0].content() == [#"1 e:{"b":["0x000102"]} t:["x"]"#])
    }

    @Test("Data is JSON where it begins as such and is text", arguments: [
        (#" {"a": 1}"#, "1 n:1"), ("{}", nil), (#"["x"]"#, "1 t:x"), (#"{\rtf1}"#, "1 e:0x7B5C727466317D"), ("[", "1 e:0x5B"), ("7", "1 e:0x37"), ("[\u{7}]", "1 e:0x5B075D"),
    ]) func dataIsJSON(_ text: String, row: String?) throws {
        let table = try xml("<dict><key>k</key><data>\(Data(text.utf8).base64EncodedString())</data></dict>").tables.first
        #expect(try table?.content().first == row)
    }

    @Test func dataThatIsBrokenOffEndsTheReading() throws {
        for (text, code) in [(#"[{"a": "#, "IMPORT-BROKEN"), (#"[{"a": 1, "a": 2}]"#, "IMPORT-BROKEN"), ("[1] 2", "IMPORT-BROKEN"), (String(repeating: "[", count: 300), "TABLE-TOO-LARGE")] {
            let failure = try refused("<dict><key>habits</key><data>\(Data(text.utf8).base64EncodedString())</data></dict>")
            #expect(failure.code == code && failure.place?.file != nil)
            if code == "IMPORT-BROKEN" { #expect(failure.arguments["reason"]?.contains("“habits”") == true, "\(failure.arguments)") }
        }
        // The levels around data count.
        let nested = Data((String(repeating: "[", count: 150) + String(repeating: "]", count: 150)).utf8).base64EncodedString()
        let around = String(repeating: "<array>", count: 60), behind = String(repeating: "</array>", count: 60)
        #expect(try refused("\(around)<data>\(nested)</data>\(behind)").arguments["limit"] == "jsonDepth 200")
    }

    @Test("A value where none may be, or none where one must be, is refused", arguments: [
        "<dict><key>a</key></dict>", "<dict><key>a</key><key>b</key></dict>", "<dict><string>a</string></dict>", "<dict><key>a</key><true/><key>a</key><true/></dict>",
        "<key>a</key>", "<true/><true/>", "", "<array>x</array>", "<array><b/></array>", "<string><true/></string>", "<data>?</data>", "<array>", "<array><key>a</key></array>",
    ]) func brokenXML(_ value: String) throws {
        let failure = try refused(value)
        #expect(["TABLE-DAMAGED", "IMPORT-BROKEN"].contains(failure.code) && failure.place?.file != nil)
    }

    @Test func entitiesAndTooManyLevelsAreRefused() throws {
        let laughs = "<!DOCTYPE plist [<!ENTITY a 'ha'><!ENTITY b '&a;&a;'>]><plist><string>&b;</string></plist>"
        #expect(try refused(Array(laughs.utf8)).code == "TABLE-DAMAGED")
        let deep = try refused(String(repeating: "<array>", count: 100_000))
        #expect(deep.code == "TABLE-TOO-LARGE")
        var limits = TableLimits()
        try limits.set("propertyListBytes", to: "100")
        #expect(try refused(Array("<plist><string>\(String(repeating: "x", count: 100))</string></plist>".utf8), limits).arguments["name"] == "propertyListBytes")
    }

    @Test func objectsOfAProgramAreTold() throws {
        #expect(try refused(PropertyListSamples.binary([PropertyListSamples.list([1]), [0x80, 1]])).code == "TABLE-KEYED-ARCHIVE")
        #expect(try refused("<dict><key>CF$UID</key><integer>1</integer></dict>").code == "TABLE-KEYED-ARCHIVE")
    }

    @Test("The kind is known by the content", arguments: [
        ("<plist/>", "plist"), ("<?xml version='1.0'?><!-- <a> --><!DOCTYPE plist PUBLIC 'x' 'y'>\n<plist version='1.0'><array/></plist>", "plist"),
        ("<?xml version='1.0'?><plists><a>1</a></plists>", "xml"), ("<a><plist>1</plist></a>", "xml"),
    ]) func recognition(_ text: String, kind: String) throws {
        for bytes in [Array(text.utf8), Array("\u{FEFF}\(text)".utf8), Array(text.replacing("?>", with: " encoding='utf-16'?>").data(using: .utf16) ?? Data())] {
            let head = try FileHead(path: folder.write(bytes, "l"))
            #expect(TableFiles.all.first { $0.recognises(head) }?.kind == kind)
        }
    }

    @Test func alsoInUTF16() throws {
        let text = "<?xml version='1.0' encoding='utf-16'?><plist><dict><key>ñ</key><array><string>😀</string></array></dict></plist>"
        let table = try TableFiles.open(path: folder.write(Array(try #require(text.data(using: .utf16))), "l.plist")).tables[0]
        #expect(try table.name == "ñ" && table.content() == ["1 t:😀"])
    }
}
