/// Makes a workbook of one sheet as a stored archive. Its parts may have any content.
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
        StoredArchive.bytes(frame.map { ($0.name, Array($0.text.utf8)) } + parts)
    }

    /// A binary workbook, whose book is one of the parts too.
    static func binary(_ parts: [(name: String, bytes: [UInt8])]) -> [UInt8] {
        let relations = frame.filter { $0.name.hasSuffix(".rels") }
        return StoredArchive.bytes(relations.map { relation in
            let text = relation.text.replacing(".xml\"", with: ".bin\"")
            return (relation.name.replacing(".xml", with: ".bin"), Array(text.utf8))
        } + parts)
    }
}
