extension PackMistake.Code {
    /// Italian words; every argument is filled in by `PackMistake.message(in:)`.
    var italian: PackMistake.Words {
        switch self {
        case .missingFile:
            .init(
                "Manca «{name}».{hint}",
                "Aggiungerlo, o correggere il nome del pacchetto o del file.")
        case .unknownFile:
            .init(
                "Nessuno legge «{name}»: un pacchetto non conosce tale file.{hint}",
                "Rinominarlo, spostarlo o eliminarlo; i nomi finiscono in .yaml.")
        case .notUTF8:
            .init(
                "Il file non è testo UTF-8.",
                "Salvarlo come UTF-8 senza indicatore dell'ordine dei byte.")
        case .tooBig:
            .init(
                "Il pacchetto supera un limite: {limit}.",
                "Dividere il file o annidare di meno.")
        case .yaml:
            .init(
                "Questo non è YAML: {problem}.",
                "Controllare rientri, virgolette e parentesi qui e subito sopra.")
        case .anchor:
            .init(
                "Ancore, alias ed etichette (&, *, !) non sono ammessi.",
                "Scrivere i valori per intero, o mettere tra virgolette il testo che inizia con uno di questi segni.")
        case .unknownKey:
            .init(
                "Qui non esiste la chiave «{key}».{hint}",
                "Qui sono note: {known}.")
        case .missingKey:
            .init(
                "Manca la chiave «{key}».",
                "Aggiungerla qui.")
        case .duplicateKey:
            .init(
                "La chiave «{key}» è già alla riga {line}.",
                "Tenere una delle due.")
        case .wrongType:
            .init(
                "«{key}» deve essere {expected}, ma qui c'è {found}.",
                "Scrivere {expected}.")
        case .badValue:
            .init(
                "«{key}» non può essere «{value}».{hint}",
                "Sono ammessi: {allowed}.")
        case .badName:
            .init(
                "«{name}» non è un nome valido.",
                "Scriverlo così: {form}.")
        case .exclusive:
            .init(
                "Qui deve esserci esattamente una di queste chiavi: {keys}.",
                "Tenerne o aggiungerne una.")
        case .duplicateName:
            .init(
                "Il nome «{name}» ({kind}) è già usato in {other}.",
                "Dargli un altro nome, o eliminare uno dei due.")
        case .unknownName:
            .init(
                "Non esiste «{name}» ({kind}).{hint}",
                "Sono noti: {known}.")
        case .badPath:
            .init(
                "Il percorso «{path}» non porta da nessuna parte: «{entity}» non ha il campo «{name}».{hint}",
                "Campi di «{entity}»: {known}.")
        case .notReference:
            .init(
                "Il percorso «{path}» non può proseguire dopo «{name}», che non rinvia ad alcuna entità.",
                "Terminarlo lì, o dare al campo «references».")
        case .reservedName:
            .init(
                "Il nome «{name}» appartiene alla replica stessa.",
                "Scegliere un altro nome.")
        case .fileName:
            .init(
                "«{name}» sta in «{file}»: i due nomi devono coincidere.",
                "Rinominare il file o la cartella, o correggere il nome.")
        case .newerFormat:
            .init(
                "Il pacchetto è scritto nel formato {format}; questo programma conosce fino al {known}.",
                "Usare un Fichero più recente per questo pacchetto.")
        case .badPattern:
            .init(
                "«{pattern}» non è un modello: {reason} (carattere {position}).",
                "Correggere il modello (PCRE2), o anteporre \\ ai segni letterali.")
        case .unfitKey:
            .init(
                "«{key}» non si addice a un campo di tipo {type}.",
                "Eliminarla, o cambiare il tipo in uno di: {allowed}.")
        case .range:
            .init(
                "Da {minimum} a {maximum} non c'è nulla.",
                "Il primo non deve superare il secondo.")
        case .firstField:
            .init(
                "Il primo campo di «{entity}» deve essere «id».",
                "Iniziare con: {name: id, type: uuid, required: true}.")
        case .wrongField:
            .init(
                "«{path}» non va bene qui: serve {expected}.",
                "Indicare un altro campo, o cambiare questo in «{entity}».")
        case .cycle:
            .init(
                "I riferimenti obbligatori formano un circolo: {path}. Nessuna riga potrebbe essere la prima.",
                "Rendere facoltativo uno dei riferimenti.")
        case .columnName:
            .init(
                "Il foglio «{sheet}» ha già una colonna «{name}».",
                "Dare a una delle due un altro «name».")
        case .partWay:
            .init(
                """
                «{entity}» non può essere parte per «{path}»: ciò che sta in mezzo deve essere parte anch'esso, e il \
                progetto deve trovarsi per la stessa via.
                """,
                "Indichi anche {needed}.")
        case .sheetEntity:
            .init(
                "«{entity}» non fa parte della scheda «{record}».",
                "Scegliere una di {known}, o indicare «rows: referenced» o «rows: project».")
        case .unfitFormat:
            .init(
                "Il formato «{format}» non si addice all'esportazione «{export}».",
                "Sono ammessi: {allowed}.")
        case .noExportedState:
            .init(
                """
                «markExported» non può funzionare: la radice «{entity}» non conosce il passaggio a uno stato \
                esportato, non si scrive xlsx, o ciò che si produce non consegna nulla.
                """,
                """
                Eliminarla, aggiungere «exported» agli stati dell'entità, xlsx ai formati, o indicare «delivers: \
                true» nell'esportazione o nel rapporto.
                """
            )
        case .secretSeen:
            .init(
                "Il ruolo «{role}» non può vedere «{class}»: i campi dell'ultima classe non escono mai dalla replica.",
                "Togliere la classe da «sees».")
        case .sql:
            .init(
                "Una query deve essere una sola istruzione che inizia con SELECT o WITH.",
                "Scrivere una sola query di lettura senza «;» all'interno.")
        case .query:
            .init("SQLite non può compilare la query: {reason}.", "Correggerla, o provarla con fichero query.")
        case .missingText:
            .init(
                "Manca il testo «{key}» in «{language}».",
                "Aggiungerlo a questo file.")
        case .unknownText:
            .init(
                "Nulla usa il testo «{key}».{hint}",
                "Correggere la chiave, o eliminare il testo.")
        case .emptyText:
            .init(
                "Il testo «{key}» è vuoto.",
                "Scrivere ciò che si deve leggere.")
        case .placeholder:
            .init(
                "Nulla riempie il segnaposto «{placeholder}» di «{key}».{hint}",
                "Qui sono noti: {known}.")
        case .unlikePlaceholders:
            .init(
                "Il testo «{key}» cita qui {found}, e {expected} in «{other}».",
                "Citare lo stesso in ogni lingua, perché a nessuno si dica di meno.")
        case .expressionEnd:
            .init(
                "L'espressione «{expression}» finisce troppo presto.",
                "Completarla: manca un valore, un nome o una parentesi chiusa.")
        case .expressionUnexpected:
            .init(
                "«{found}» non può stare al carattere {position} di «{expression}».",
                "L'uguaglianza è «=», il testo sta tra apici semplici, le parole chiave in minuscolo.")
        case .expressionQuote:
            .init(
                "Il testo che inizia al carattere {position} di «{expression}» non finisce.",
                "Chiuderlo con un apice semplice; raddoppiare quelli interni.")
        case .expressionFunction:
            .init(
                "Non esiste la funzione «{name}».",
                "Sono note: {known}.")
        case .expressionArguments:
            .init(
                "«{name}» prende {expected} valori.",
                "Darle altrettanti valori.")
        case .expressionLimit:
            .init(
                "L'espressione è troppo lunga o troppo annidata.",
                "Accorciarla, per esempio con «in (…)».")
        case .expressionField:
            .init(
                "«{entity}» non ha il campo «{name}» (in «{part}»).{hint}",
                "Campi di «{entity}»: {known}.")
        case .expressionReference:
            .init(
                "«{part}» non può proseguire dopo «{name}», che non porta a una sola riga.",
                "Terminare il percorso lì.")
        case .expressionType:
            .init(
                "«{part}» confronta {left} con {right}.",
                "Mettere i testi tra apici semplici e i numeri senza; convertire le progressive con metres().")
        case .expressionOperand:
            .init(
                "«{operator}» prende {expected}, ma «{part}» è {found}.",
                "Darle un valore di quel tipo.")
        case .expressionNull:
            .init(
                "«{part}» non è mai vero: nulla è uguale a null.",
                "Scrivere «is null» o «is not null».")
        case .expressionDay:
            .init(
                "Qui non si conosce «{part}»: ciò che sta qui non può cambiare da un giorno all’altro.",
                """
                Chiedere il giorno in una regola, nella condizione di un campo, in un filtro o nelle righe di un \
                rapporto; in SQL, come :today.
                """
            )
        case .expressionCondition:
            .init(
                "«{expression}» non è una condizione, ma {found}.",
                "Confrontarla con qualcosa, perché sia vera o falsa.")
        }
    }
}
