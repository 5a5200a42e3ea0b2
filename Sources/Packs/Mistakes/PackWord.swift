internal import Model

/// The words in messages about packs, in three languages: kinds of names, and kinds of values.
enum PackWord: String, CaseIterable {
    // Kinds of values.
    case text, wholeNumber, number, boolean, list, mapping, nothing, date, pattern, expression, path
    // Kinds of names.
    case entity, field, vocabulary, value, role, privacyClass, record, numbering, export, sheet, rule, job, test, state,
        importMapping, lookup
    case language, environment, finding, placeholder, option, format, permission, report, query, section, column,
        textKey
    // Kinds of fields that something requires.
    case reference, dateField, timeField, textField, numberField, jsonField, schemaField, stateField, photoName,
        openField

    /// The arguments of mistakes whose values are such words.
    static let argumentNames: Set<String> = ["kind", "expected", "found"]

    func text(in language: Language) -> String {
        language.choose(words)
    }

    static func hint(in language: Language) -> String {
        switch language {
        case .spanish: "¿Quería decir «{nearest}»?"
        case .english: "Did you mean “{nearest}”?"
        case .italian: "Intendeva «{nearest}»?"
        }
    }

    private var words: (String, String, String) {
        switch self {
        case .text: ("un texto", "a text", "un testo")
        case .wholeNumber: ("un número entero", "a whole number", "un numero intero")
        case .number: ("un número", "a number", "un numero")
        case .boolean: ("true o false", "true or false", "true o false")
        case .list: ("una lista", "a list", "un elenco")
        case .mapping: ("claves con valores", "keys with values", "chiavi con valori")
        case .nothing: ("nada", "nothing", "niente")
        case .date: ("una fecha AAAA-MM-DD", "a date YYYY-MM-DD", "una data AAAA-MM-GG")
        case .pattern: ("un patrón", "a pattern", "un modello")
        case .expression: ("una expresión", "an expression", "un'espressione")
        case .path: ("una ruta de campos", "a path of fields", "un percorso di campi")
        case .entity: ("entidad", "entity", "entità")
        case .field: ("campo", "field", "campo")
        case .vocabulary: ("vocabulario", "vocabulary", "vocabolario")
        case .value: ("valor", "value", "valore")
        case .role: ("rol", "role", "ruolo")
        case .privacyClass: ("clase de privacidad", "privacy class", "classe di riservatezza")
        case .record: ("registro", "record", "scheda")
        case .numbering: ("numeración", "numbering", "numerazione")
        case .export: ("exportación", "export", "esportazione")
        case .sheet: ("hoja", "sheet", "foglio")
        case .rule: ("regla", "rule", "regola")
        case .importMapping: ("correspondencia de importación", "import mapping", "corrispondenza di importazione")
        case .lookup: ("tabla de palabras", "lookup", "tabella di parole")
        case .job: ("tarea", "job", "lavoro")
        case .test: ("prueba", "test", "prova")
        case .state: ("estado", "state", "stato")
        case .language: ("idioma", "language", "lingua")
        case .environment: ("entorno", "environment", "ambiente")
        case .finding: ("hallazgo del programa", "finding of the program", "rilievo del programma")
        case .placeholder: ("marcador", "placeholder", "segnaposto")
        case .option: ("opción", "option", "opzione")
        case .format: ("formato", "format", "formato")
        case .permission: ("permiso", "permission", "permesso")
        case .report: ("informe", "report", "relazione")
        case .query: ("consulta", "query", "interrogazione")
        case .section: ("sección", "section", "sezione")
        case .column: ("columna", "column", "colonna")
        case .textKey: ("clave de texto", "text key", "chiave di testo")
        case .reference:
            (
                "un campo que refiere a «{target}»", "a field that refers to “{target}”",
                "un campo che rinvia a «{target}»"
            )
        case .dateField:
            ("un campo de tipo date o datetime", "a field of type date or datetime", "un campo di tipo date o datetime")
        case .timeField: ("un campo de tipo datetime", "a field of type datetime", "un campo di tipo datetime")
        case .textField: ("un campo de tipo text", "a field of type text", "un campo di tipo text")
        case .numberField:
            (
                "un campo de tipo integer o decimal", "a field of type integer or decimal",
                "un campo di tipo integer o decimal"
            )
        case .jsonField: ("un campo de tipo json", "a field of type json", "un campo di tipo json")
        case .schemaField:
            (
                "un campo json con «schema» de ese alcance", "a json field with a “schema” of that scope",
                "un campo json con «schema» di quell'ambito"
            )
        case .stateField: ("un campo con vocabulario", "a field with a vocabulary", "un campo con vocabolario")
        case .openField:
            ("un campo sin datos personales", "a field without personal data", "un campo senza dati personali")
        case .photoName:
            (
                "un campo de texto con el nombre del archivo", "a text field with the file's name",
                "un campo di testo con il nome del file"
            )
        }
    }
}
