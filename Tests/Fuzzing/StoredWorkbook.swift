/// A workbook of one sheet as an archive whose entries are stored, with sound checksums, whatever its parts hold.
enum StoredWorkbook {
    private static let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    private static let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    private static let package = "http://schemas.openxmlformats.org/package/2006/relationships"

    private static let frame: [(name: String, text: String)] = [
        ("_rels/.rels", "<Relationships xmlns=\"\(package)\"><Relationship Id=\"r\" Type=\"\(office)/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"),
        ("xl/workbook.xml", "<workbook xmlns=\"\(main)\" xmlns:r=\"\(office)\"><sheets><sheet name=\"S\" sheetId=\"1\" r:id=\"r1\"/></sheets></workbook>"),
        (
            "xl/_rels/workbook.xml.rels",
            "<Relationships xmlns=\"\(package)\"><Relationship Id=\"r1\" Type=\"\(office)/worksheet\" Target=\"worksheets/sheet1.xml\"/>"
                + "<Relationship Id=\"r2\" Type=\"\(office)/sharedStrings\" Target=\"sharedStrings.xml\"/>"
                + "<Relationship Id=\"r3\" Type=\"\(office)/styles\" Target=\"styles.xml\"/></Relationships>"
        ),
    ]

    static func bytes(_ parts: [(name: String, bytes: [UInt8])]) -> [UInt8] {
        var out: [UInt8] = [], directory: [UInt8] = []
        let entries = frame.map { ($0.name, Array($0.text.utf8)) } + parts.map { ($0.name, $0.bytes) }
        for (name, content) in entries {
            let offset = out.count
            // Version, flags, method 0, time, day, checksum, both sizes, lengths of name and extra field.
            let common = little(20, 2) + little(0, 2) + little(0, 2) + little(0, 2) + little(0x5021, 2) + little(Int(checksum(content)), 4)
                + little(content.count, 4) + little(content.count, 4) + little(name.utf8.count, 2) + little(0, 2)
            out += [0x50, 0x4B, 3, 4] + common + Array(name.utf8) + content
            directory += [0x50, 0x4B, 1, 2] + little(20, 2) + common + little(0, 2) + little(0, 2) + little(0, 2) + little(0, 4) + little(offset, 4) + Array(name.utf8)
        }
        let end = [0x50, 0x4B, 5, 6] + little(0, 4) + little(entries.count, 2) + little(entries.count, 2) + little(directory.count, 4) + little(out.count, 4) + little(0, 2)
        return out + directory + end
    }

    private static func little(_ value: Int, _ size: Int) -> [UInt8] { (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var value = UInt32.max
        for byte in bytes {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
        return ~value
    }
}
