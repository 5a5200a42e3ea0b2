internal import Model

/// The words of a description that are not texts of the pack.
enum DescriptionWord: CaseIterable {
    case version, languages, environments, timeZone, privacy, roles, may, sees, records, parts, state, date, place, texts, edits, deletes, entities, field, type,
        unit
    case rules, exports, reports, imports, jobs, vocabularies, required, requiredWhen, unique, values, formats, columns, steps, label, notes, key,
        states, core
    case severity, planned, assumed, fingerprint, numberings

    func text(in language: Language) -> String {
        language.choose(words)
    }

    private var words: (String, String, String) {
        switch self {
        case .version: ("Versión", "Version", "Versione")
        case .languages: ("Idiomas", "Languages", "Lingue")
        case .environments: ("Entornos", "Environments", "Ambienti")
        case .timeZone: ("Zona horaria", "Time zone", "Fuso orario")
        case .privacy: ("Clases de privacidad", "Privacy classes", "Classi di riservatezza")
        case .roles: ("Roles", "Roles", "Ruoli")
        case .may: ("puede", "may", "può")
        case .sees: ("ve", "sees", "vede")
        case .records: ("Registros", "Records", "Schede")
        case .parts: ("partes", "parts", "parti")
        case .state: ("estado", "state", "stato")
        case .date: ("fecha", "date", "data")
        case .place: ("lugar", "place", "luogo")
        case .edits: ("editan", "edited by", "modificano")
        case .deletes: ("borran", "deleted by", "eliminano")
        case .texts: ("textos", "texts", "testi")
        case .entities: ("Tablas", "Tables", "Tabelle")
        case .field: ("Campo", "Field", "Campo")
        case .type: ("Tipo", "Type", "Tipo")
        case .unit: ("Unidad", "Unit", "Unità")
        case .rules: ("Reglas", "Rules", "Regole")
        case .exports: ("Exportaciones", "Exports", "Esportazioni")
        case .reports: ("Informes", "Reports", "Relazioni")
        case .imports: ("Importaciones de archivos ajenos", "Imports of foreign files", "Importazioni di file altrui")
        case .jobs: ("Tareas", "Jobs", "Lavori")
        case .vocabularies: ("Vocabularios", "Vocabularies", "Vocabolari")
        case .required: ("obligatorio", "required", "obbligatorio")
        case .requiredWhen: ("obligatorio si", "required when", "obbligatorio se")
        case .unique: ("único", "unique", "unico")
        case .values: ("valores", "values", "valori")
        case .formats: ("formatos", "formats", "formati")
        case .columns: ("columnas", "columns", "colonne")
        case .steps: ("pasos", "steps", "passi")
        case .label: ("Etiqueta", "Label", "Etichetta")
        case .notes: ("Notas", "Notes", "Note")
        case .key: ("clave", "key", "chiave")
        case .states: ("estados", "states", "stati")
        case .core: ("común a todos los paquetes", "the same in every pack", "comune a tutti i pacchetti")
        case .severity: ("Gravedad", "Severity", "Gravità")
        case .planned: ("prevista", "planned", "prevista")
        case .assumed: ("supuesta por Fichero", "assumed by Fichero", "ipotizzata da Fichero")
        case .fingerprint: ("Huella", "Fingerprint", "Impronta")
        case .numberings: ("Numeraciones", "Numberings", "Numerazioni")
        }
    }
}
