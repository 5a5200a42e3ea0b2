/// Limits on sheets that are read as forms: they are held in memory, one at a time.
package struct FormLimits: Sendable, Hashable {
    /// Filled cells of a sheet, and cells in merged ranges.
    package var cells = 200_000
    /// Bytes of a sheet's texts.
    package var bytes = 32 << 20
    /// Forms on one sheet.
    package var forms = 10_000
    /// Pictures and links of a sheet.
    package var photos = 10_000
    /// Bytes of one picture.
    package var pictureBytes = 64 << 20
    /// Bytes of all pictures that are extracted from a workbook.
    package var allPictureBytes = 4 << 30
}
