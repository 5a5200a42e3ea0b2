/// Why a workbook cannot be read, in English.
enum XLSDamage: Error {
    case damaged(String)
    case encrypted
    case tooLarge(String)
    /// The file may be intact, but this reader does not know its form.
    case unknownForm(String)
}
