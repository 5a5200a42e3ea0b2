/// The header of a DBF file: dBase II to 7, FoxBASE, FoxPro and Visual FoxPro.
///
/// Source: "dBase File Format" (dBase IV and 7 level), "Table File Structure" of Visual FoxPro's
/// help, and dBase II's manual.
struct DBFHeader {
    enum Layout { case dBaseII, dBaseIII, dBase7 }

    let version: UInt8
    let layout: Layout
    let statedRecords: Int
    let headerLength: Int
    let recordLength: Int
    /// Number of the language driver; 0 where none is stated.
    let languageDriver: UInt8
    let isEncrypted: Bool
    let fields: [DBFField]

    static let versions: Set<UInt8> = [0x02, 0x03, 0x04, 0x05, 0x30, 0x31, 0x32, 0x43, 0x63, 0x83, 0x8B, 0x8C, 0xCB, 0xF5, 0xFB]
    static let mostFields = 2046

    var isVisualFoxPro: Bool { 0x30...0x32 ~= version }

    /// Reads the header from the file's first bytes (at most 64 KiB, and what dBase 7 stores after
    /// it); the error is a reason in English.
    init(_ bytes: [UInt8]) throws(DBFDamage) {
        guard let version = bytes.first, Self.versions.contains(version) else { throw DBFDamage("it does not begin as a table does") }
        self.version = version
        if version == 0x02 {
            guard let records = bytes.little16(1), let length = bytes.little16(6) else { throw DBFDamage("its header is cut off") }
            layout = .dBaseII
            statedRecords = records
            headerLength = 521
            recordLength = length
            languageDriver = 0
            isEncrypted = false
            fields = try DBFField.list(bytes, layout: .dBaseII, end: 520, recordLength: length, version: version)
            return
        }
        guard bytes.count >= 32, let records = bytes.little32(4), let header = bytes.little16(8), let length = bytes.little16(10) else {
            throw DBFDamage("its header is cut off")
        }
        guard header >= 33, bytes.count >= header else { throw DBFDamage("its header says it has \(header) bytes") }
        statedRecords = records
        headerLength = header
        recordLength = length
        languageDriver = bytes[29]
        isEncrypted = bytes[15] == 1 && !(0x30...0x32 ~= version)
        // dBase 7 shares its version number with older versions; its descriptors are longer.
        do {
            fields = try DBFField.list(bytes, layout: .dBaseIII, end: header, recordLength: length, version: version)
            layout = .dBaseIII
        } catch {
            guard version & 7 == 4, let long = try? DBFField.list(bytes, layout: .dBase7, end: header, recordLength: length, version: version) else {
                throw error
            }
            fields = long
            layout = .dBase7
        }
    }
}
