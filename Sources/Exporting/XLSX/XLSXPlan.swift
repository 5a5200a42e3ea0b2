package import Model
package import OutputFiles
import Spreadsheets

/// The plan of one data sheet: an export's sheet, or the part of it that fits into one sheet of
/// Excel.
struct DataSheetPlan {
    var name: String
    var columns: [ColumnPlan]
    /// The number of rows below the header.
    var rows: Int
    /// The number of columns on the left that stay visible: those of the key, at most 3.
    var frozen = 0
    /// The empty column in which people say what becomes of a row; nil: the sheet is only read.
    var action: ColumnPlan?

    /// All columns of the sheet; the rows have only the first of them.
    var shownColumns: [ColumnPlan] { columns + (action.map { [$0] } ?? []) }
}

/// The plan of a workbook, made before libxlsxwriter starts: names, headers, styles, widths, lists.
struct XLSXPlan {
    let cover: Cover
    let coverName: String
    /// The data sheets of each of the export's sheets: one, or several if it exceeds Excel's number
    /// of rows.
    let parts: [[DataSheetPlan]]
    /// Lists that are too long for a validation, each in a column of a hidden sheet.
    let lists: [[String]]
    let listsName: String
    /// The name of the sheet for texts that are too long for a cell; the sheet is made only if
    /// there are such texts.
    let longTextsName: String
    private(set) var findings: [Finding] = []
    private var names: SheetNames

    init(_ document: ExportDocument, limits: XLSXLimits) throws(OutputFailure) {
        let words = XLSXWords(document)
        cover = document.cover
        names = SheetNames(limit: limits.sheetName)
        coverName = names.take(words.cover)

        var parts: [[DataSheetPlan]] = []
        var lists = ListCollector()
        for sheet in document.sheets {
            guard !sheet.columns.isEmpty else { throw .noColumns(sheet: sheet.title) }
            guard sheet.columns.count <= limits.columns else {
                throw .tooManyColumns(sheet: sheet.title, count: sheet.columns.count, limit: limits.columns)
            }
            let columns = ColumnPlan.plan(sheet, words: words, lists: &lists)
            let perSheet = limits.rows - 1
            let count = max(1, (sheet.rowCount + perSheet - 1) / perSheet)
            var planned: [DataSheetPlan] = []
            for part in 0..<count {
                planned.append(
                    DataSheetPlan(
                        name: names.take(sheet.title, part: part + 1), columns: columns.data,
                        rows: min(perSheet, sheet.rowCount - part * perSheet),
                        frozen: min(sheet.columns.prefix(while: \.isOfKey).count, 3), action: columns.action))
            }
            if let first = planned.first, first.name != sheet.title {
                findings.append(Self.note("SHEET-RENAMED", first.name, ["name": sheet.title, "sheet": first.name]))
            }
            if let first = planned.first, count > 1 {
                findings.append(
                    Self.note(
                        "SHEET-SPLIT", first.name,
                        [
                            "sheet": first.name, "rows": String(sheet.rowCount), "limit": String(perSheet),
                            "sheets": String(count),
                        ]))
            }
            parts.append(planned)
        }
        self.parts = parts
        self.lists = lists.lists
        listsName = names.take(words.lists)
        longTextsName = names.take(words.longTexts)
    }

    var sheets: [DataSheetPlan] { parts.flatMap { $0 } }

    /// The position of the first data sheet in the workbook, after the cover.
    static let firstDataSheet = 1

    /// Plans the sheets for a number of pieces of long texts.
    func longTextSheets(pieces: Int, words: XLSXWords, limits: XLSXLimits) -> [DataSheetPlan] {
        var names = names
        var unused = ListCollector()
        let columns = ColumnPlan.plan(words.longTextColumns, words: words, lists: &unused)
        let perSheet = limits.rows - 1
        return stride(from: 0, to: pieces, by: perSheet).enumerated().map { part, start in
            DataSheetPlan(
                name: part == 0 ? longTextsName : names.take(words.longTexts, part: part + 1), columns: columns,
                rows: min(perSheet, pieces - start))
        }
    }

    private static func note(_ code: String, _ sheet: String, _ arguments: [String: String]) -> Finding {
        Finding(code, place: Place(sheet: sheet), arguments: arguments)
    }
}

/// Where a workbook has the rows of each of a document's sheets, and under which headings.
package struct BookLayout {
    package struct Sheet {
        /// The names of the workbook's sheets: several if the rows exceed one.
        package var names: [String]
        package var headings: [String]
    }

    package let sheets: [Sheet]

    /// Throws `OutputFailure` if a sheet has no columns, or too many for a workbook.
    package init(_ document: ExportDocument) throws(OutputFailure) {
        sheets = try XLSXPlan(document, limits: .excel).parts.map { parts in
            Sheet(names: parts.map(\.name), headings: parts.first?.columns.map(\.header) ?? [])
        }
    }
}

/// The lists of values that go into the hidden sheet, each once.
struct ListCollector {
    private(set) var lists: [[String]] = []
    private var places: [[String]: Int] = [:]

    mutating func place(of list: [String]) -> Int {
        if let known = places[list] { return known }
        places[list] = lists.count
        lists.append(list)
        return lists.count - 1
    }
}

/// The program's own texts in a workbook, in the document's language.
struct XLSXWords {
    let language: Language
    let cover: String
    let longTexts: String
    let lists: String
    let yes: String
    let no: String
    let longTextColumns: [SheetColumn]

    init(_ document: ExportDocument) {
        language = document.language
        func word(_ key: String, _ spanish: String, _ english: String, _ italian: String) -> String {
            document.texts.textIfAny(key, in: document.language)
                ?? document.language.choose((spanish, english, italian))
        }
        cover = word("sheet.cover", "Portada", "Cover", "Copertina")
        longTexts = word("sheet.long_texts", "Textos largos", "Long texts", "Testi lunghi")
        lists = word("sheet.lists", "Listas", "Lists", "Elenchi")
        yes = word("word.yes", "Sí", "Yes", "Sì")
        no = word("word.no", "No", "No", "No")
        longTextColumns = [
            SheetColumn(
                name: "sheet", label: word("sheet.long_texts.sheet", "Hoja", "Sheet", "Foglio"), kind: .text,
                expectedWidth: 31),
            SheetColumn(
                name: "cell", label: word("sheet.long_texts.cell", "Celda", "Cell", "Cella"), kind: .text,
                expectedWidth: 10),
            SheetColumn(name: "part", label: word("sheet.long_texts.part", "Parte", "Part", "Parte"), kind: .integer),
            SheetColumn(
                name: "text", label: word("sheet.long_texts.text", "Texto", "Text", "Testo"), kind: .text,
                expectedWidth: 32_767),
        ]
    }
}
