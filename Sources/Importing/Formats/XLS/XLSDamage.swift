/// Why a workbook cannot be read, in English.
enum XLSDamage: Error {
    case damaged(String)
    case encrypted
    case tooLarge(String)
    /// The file may be in order, but this reader does not know the form.
    case unknownForm(String)
}
