/// The code page for a table's language driver.
///
/// Source: "Code Pages Supported by Visual FoxPro" and the list of dBase's language drivers.
enum DBFCodePages {
    /// Name of the code page; nil for an unknown driver. Drivers of two-byte pages have names that
    /// no `CodePage` has.
    static func name(_ driver: UInt8) -> String? {
        switch driver {
        case 0x01, 0x09, 0x0B, 0x0D, 0x0F, 0x11, 0x15, 0x18, 0x19, 0x1B: "cp437"
        case 0x02, 0x0A, 0x0E, 0x10, 0x12, 0x14, 0x16, 0x1A, 0x1D, 0x25, 0x37: "cp850"
        case 0x03, 0x57, 0x58, 0x59: "cp1252"
        case 0x04: "mac-roman"
        case 0x08, 0x17, 0x66: "cp865"
        case 0x13, 0x7B: "cp932"
        case 0x1C, 0x6C: "cp863"
        case 0x1F, 0x22, 0x23, 0x40, 0x64, 0x87: "cp852"
        case 0x24: "cp860"
        case 0x26, 0x65: "cp866"
        case 0x67: "cp861"
        case 0x6A, 0x86: "cp737"
        case 0x6B, 0x88: "cp857"
        case 0x4D, 0x7A: "cp936"
        case 0x4E, 0x79: "cp949"
        case 0x4F, 0x78: "cp950"
        case 0xC8: "cp1250"
        case 0xC9: "cp1251"
        case 0xCA: "cp1254"
        case 0xCB: "cp1253"
        case 0xCC: "cp1257"
        default: nil
        }
    }
}
