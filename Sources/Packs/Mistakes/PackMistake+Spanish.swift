extension PackMistake.Code {
    /// Spanish words; every argument is filled in by `PackMistake.message(in:)`.
    var spanish: PackMistake.Words {
        switch self {
        case .missingFile:
            .init(
                "Falta «{name}».{hint}",
                "Añádalo, o corrija el nombre del paquete o del archivo.")
        case .unknownFile:
            .init(
                "Nadie lee «{name}»: un paquete no conoce tal archivo.{hint}",
                "Cámbiele el nombre, muévalo o elimínelo; los nombres terminan en .yaml.")
        case .notUTF8:
            .init(
                "El archivo no es texto UTF-8.",
                "Guárdelo como UTF-8 sin marca de orden de bytes.")
        case .tooBig:
            .init(
                "El paquete supera un límite: {limit}.",
                "Divida el archivo o anide menos.")
        case .yaml:
            .init(
                "Esto no es YAML: {problem}.",
                "Revise la sangría, las comillas y los corchetes aquí y justo encima.")
        case .anchor:
            .init(
                "No se admiten anclas, alias ni etiquetas (&, *, !).",
                "Escriba los valores completos, o ponga entre comillas el texto que empiece por uno de esos signos.")
        case .unknownKey:
            .init(
                "Aquí no existe la clave «{key}».{hint}",
                "Se conocen aquí: {known}.")
        case .missingKey:
            .init(
                "Falta la clave «{key}».",
                "Añádala aquí.")
        case .duplicateKey:
            .init(
                "La clave «{key}» ya está en la línea {line}.",
                "Conserve una de las dos.")
        case .wrongType:
            .init(
                "«{key}» debe ser {expected}, pero aquí hay {found}.",
                "Escriba {expected}.")
        case .badValue:
            .init(
                "«{key}» no puede ser «{value}».{hint}",
                "Se admite: {allowed}.")
        case .badName:
            .init(
                "«{name}» no es un nombre válido.",
                "Escríbalo así: {form}.")
        case .exclusive:
            .init(
                "Aquí debe estar exactamente una de estas claves: {keys}.",
                "Conserve o añada una de ellas.")
        case .duplicateName:
            .init(
                "El nombre «{name}» ({kind}) ya se usa en {other}.",
                "Dele otro nombre, o elimine uno de los dos.")
        case .unknownName:
            .init(
                "No existe «{name}» ({kind}).{hint}",
                "Se conocen: {known}.")
        case .badPath:
            .init(
                "La ruta «{path}» no lleva a ninguna parte: «{entity}» no tiene el campo «{name}».{hint}",
                "Campos de «{entity}»: {known}.")
        case .notReference:
            .init(
                "La ruta «{path}» no puede seguir tras «{name}», que no refiere a ninguna entidad.",
                "Termínela ahí, o ponga «references» en el campo.")
        case .reservedName:
            .init(
                "El nombre «{name}» pertenece a la propia réplica.",
                "Elija otro nombre.")
        case .fileName:
            .init(
                "«{name}» está en «{file}»: los dos nombres deben coincidir.",
                "Cambie el nombre del archivo o carpeta, o corrija el nombre.")
        case .newerFormat:
            .init(
                "El paquete está escrito en el formato {format}; este programa conoce hasta el {known}.",
                "Use un Fichero más nuevo para este paquete.")
        case .badPattern:
            .init(
                "«{pattern}» no es un patrón: {reason} (carácter {position}).",
                "Corrija el patrón (PCRE2), o anteponga \\ a los signos literales.")
        case .unfitKey:
            .init(
                "«{key}» no corresponde a un campo de tipo {type}.",
                "Elimínela, o cambie el tipo a uno de: {allowed}.")
        case .range:
            .init(
                "De {minimum} a {maximum} no hay nada.",
                "El primero no debe ser mayor que el segundo.")
        case .firstField:
            .init(
                "El primer campo de «{entity}» debe ser «id».",
                "Empiece por: {name: id, type: uuid, required: true}.")
        case .wrongField:
            .init(
                "«{path}» no sirve aquí: se necesita {expected}.",
                "Nombre otro campo, o cambie este en «{entity}».")
        case .cycle:
            .init(
                "Las referencias obligatorias forman un círculo: {path}. Ninguna fila podría ser la primera.",
                "Haga opcional una de las referencias.")
        case .columnName:
            .init(
                "La hoja «{sheet}» ya tiene una columna «{name}».",
                "Dé a una de ellas otro «name».")
        case .partWay:
            .init(
                """
                «{entity}» no puede ser parte por «{path}»: lo que está en medio debe ser parte también, y el \
                proyecto debe encontrarse por el mismo camino.
                """,
                "Indique además {needed}.")
        case .sheetEntity:
            .init(
                "«{entity}» no forma parte del registro «{record}».",
                "Elija una de {known}, o indique «rows: referenced» o «rows: project».")
        case .unfitFormat:
            .init(
                "El formato «{format}» no corresponde a la exportación «{export}».",
                "Se admite: {allowed}.")
        case .noExportedState:
            .init(
                """
                «markExported» no puede funcionar: la raíz «{entity}» no conoce el paso a un estado exportado, no se \
                escribe xlsx, o lo que se hace no entrega nada.
                """,
                """
                Elimínela, añada «exported» a los estados de la entidad, xlsx a los formatos, o indique «delivers: \
                true» en la exportación o el informe.
                """
            )
        case .secretSeen:
            .init(
                "El rol «{role}» no puede ver «{class}»: los campos de la última clase nunca salen de la réplica.",
                "Quite la clase de «sees».")
        case .sql:
            .init(
                "Una consulta debe ser una sola sentencia que empiece por SELECT o WITH.",
                "Escriba una sola consulta de lectura sin «;» dentro.")
        case .query:
            .init("SQLite no puede compilar la consulta: {reason}.", "Corríjala, o pruébela con fichero query.")
        case .missingText:
            .init(
                "Falta el texto «{key}» en «{language}».",
                "Añádalo a este archivo.")
        case .unknownText:
            .init(
                "Nada usa el texto «{key}».{hint}",
                "Corrija la clave, o elimine el texto.")
        case .emptyText:
            .init(
                "El texto «{key}» está vacío.",
                "Escriba lo que se ha de leer.")
        case .placeholder:
            .init(
                "Nada rellena el marcador «{placeholder}» de «{key}».{hint}",
                "Se conocen aquí: {known}.")
        case .unlikePlaceholders:
            .init(
                "El texto «{key}» cita aquí {found}, y {expected} en «{other}».",
                "Cite lo mismo en cada idioma, para que a nadie se le diga menos.")
        case .expressionEnd:
            .init(
                "La expresión «{expression}» termina antes de tiempo.",
                "Complétela: falta un valor, un nombre o un paréntesis de cierre.")
        case .expressionUnexpected:
            .init(
                "«{found}» no puede estar en el carácter {position} de «{expression}».",
                "La igualdad es «=», el texto va entre comillas simples, las palabras clave en minúsculas.")
        case .expressionQuote:
            .init(
                "El texto que empieza en el carácter {position} de «{expression}» no termina.",
                "Ciérrelo con una comilla simple; duplique las de dentro.")
        case .expressionFunction:
            .init(
                "No existe la función «{name}».",
                "Se conocen: {known}.")
        case .expressionArguments:
            .init(
                "«{name}» toma {expected} valores.",
                "Dele ese número de valores.")
        case .expressionLimit:
            .init(
                "La expresión es demasiado larga o está demasiado anidada.",
                "Acórtela, por ejemplo con «in (…)».")
        case .expressionField:
            .init(
                "«{entity}» no tiene el campo «{name}» (en «{part}»).{hint}",
                "Campos de «{entity}»: {known}.")
        case .expressionReference:
            .init(
                "«{part}» no puede seguir tras «{name}», que no lleva a una sola fila.",
                "Termine la ruta ahí.")
        case .expressionType:
            .init(
                "«{part}» compara {left} con {right}.",
                """
                Ponga los textos entre comillas simples y los números sin ellas; convierta las progresivas con \
                metres().
                """
            )
        case .expressionOperand:
            .init(
                "«{operator}» toma {expected}, pero «{part}» es {found}.",
                "Dele un valor de ese tipo.")
        case .expressionNull:
            .init(
                "«{part}» nunca es cierto: nada es igual a null.",
                "Escriba «is null» o «is not null».")
        case .expressionDay:
            .init(
                "Aquí no se conoce «{part}»: lo que está aquí no puede cambiar de un día a otro.",
                """
                Pida el día en una regla, en la condición de un campo, en un filtro o en las filas de un informe; en \
                SQL, como :today.
                """
            )
        case .expressionCondition:
            .init(
                "«{expression}» no es una condición, sino {found}.",
                "Compárela con algo, para que sea verdadera o falsa.")
        }
    }
}
