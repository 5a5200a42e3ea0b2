/// Bounds on sheets that are read as forms: they are held in memory, one at a time.
struct FormLimits: Sendable {
    /// Filled cells of a sheet, and cells that merged ranges cover.
    var cells = 200_000
    /// Bytes of a sheet's texts.
    var bytes = 32 << 20
    /// Forms on one sheet.
    var forms = 10_000
    /// Pictures and links of a sheet.
    var photos = 10_000
    /// Bytes of one picture.
    var pictureBytes: UInt64 = 64 << 20
    /// Bytes of all pictures of a workbook that are taken out of it.
    var allPictureBytes: UInt64 = 4 << 30
}
