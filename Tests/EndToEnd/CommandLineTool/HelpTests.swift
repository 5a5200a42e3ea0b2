import Foundation
import Testing
import Workbench

/// The program speaks the person's language where it explains itself, and says what was probably
/// meant.
@Suite struct HelpTests {
    private func run(_ command: String, language: String, _ variables: [String: String] = [:]) throws -> ProgramRun {
        try ProgramRun.fichero(
            command.split(separator: " ").map(String.init), in: "/tmp",
            environment: ["FICHERO_TEMPLATES": ProgramRun.root + "/Templates", "LANG": language].merging(variables) { $1 })
    }

    @Test(arguments: [
        ("es_PE.UTF-8", "help", "SUBCOMANDOS PARA TRAER REGISTROS:\n  conflicts"), ("es_PE.UTF-8", "", "USO: fichero <subcomando>\n"),
        ("es_PE.UTF-8", "export --help", "USO: fichero export [<opciones>] <nombre>\n"), ("it_IT.UTF-8", "users --help", "  list (predefinito)      Elenca i profili"),
        ("C.UTF-8", "--lang es help export", "USO: fichero export"), ("C.UTF-8", "help export --lang it", "USO: fichero export [<opzioni>] <nome>\n"),
        ("C.UTF-8", "export --lang=it --help", "OPZIONI:\n"), ("es_PE.UTF-8", "help --lang en export", "OVERVIEW: Write data files"),
    ])
    func helpSpeaksThePersonsLanguage(language: String, command: String, words: String) throws {
        let help = try run(command, language: language)
        #expect(help.status == 0 && help.error.isEmpty, "\(help.error)")
        #expect(help.output.contains(words), "\(help.output)")
    }

    @Test func anotherLanguageMayBeAskedForBeforeTheCommand() throws {
        let office = try Office.pits()
        let status = try office.run("--lang", "it", "status")
        let behind = try office.run("status", "--lang", "it")
        #expect(status.status == 0 && status.output == behind.output, "\(status.error)")
    }

    @Test(arguments: [
        ("es", "exprot calicata --format xlsx", "Error: No existe el comando «exprot». ¿Quería decir «export»?\n  Comandos: doctor, init,"),
        ("en", "exprot", "Error: There is no command 'exprot'. Did you mean “export”?\n  Commands: doctor, init,"),
        ("it", "help exprot", "Errore: Il comando «exprot» non esiste. Intendeva «export»?\n"),
        ("es", "rejects rety 5f", "Error: No existe el comando «rety». ¿Quería decir «retry»?\n  Comandos: list, show,"),
        ("es", "export --projct X", "Error: No existe la opción «--projct». ¿Quería decir «--project»?\nUso: fichero export [<opciones>] <nombre>\n"),
        ("en", "export --projct X", "Error: Unknown option '--projct'. Did you mean “--project”?\n"),
        ("es", "export a b c", "Error: Sobran argumentos: b, c.\n"),
        ("it", "export", "Errore: Manca l'argomento «<nome>».\nGuida:  <nome>  L'esportazione, come la elenca `fichero describe`.\n"),
        ("es", "describe --form jsn", "Error: El valor «jsn» no vale para «--form <forma>». ¿Quería decir «json»? Use uno de estos: text, json, markdown.\n"),
        ("es", "draw perfil", "Use uno de estos: strip, log, profile, sketch, plan, chart, plot.\n"),
        ("es", "export a --draft --mark-exported", "Error: --draft no registra nada: quite --mark-exported.\n"),
        ("it", "describe a.csv b.csv", "Errore: Solo --cells prende più file: b.csv.\n"),
        ("es", "init", "Error: Indique con --pack qué paquete de plantillas tendrá la réplica nueva.\n  Paquetes: anagrafica, ingeplus,"),
        ("en", "init", "Error: Say with --pack which pack the new replica is to hold.\n  Packs: anagrafica, ingeplus,"),
    ])
    func aWrongWordIsExplained(language: String, command: String, words: String) throws {
        let wrong = try run(command, language: language)
        #expect(wrong.status == 64 && wrong.error.hasPrefix(words) || wrong.error.contains(words), "\(wrong.error)")
    }

    @Test(arguments: [
        ("export", "  Este paquete tiene: calicatas, "), ("report", "  Este paquete tiene: "), ("run", "  Este paquete tiene: "), ("add", "  Use una de estas: document_nodes,"),
        ("export calicata", "No existe la exportación «calicata». ¿Quería decir «calicatas»?\n"), ("report ficha-calicta", "¿Quería decir «ficha-calicata»?"),
        ("export calicatas --project hyo-2025", "¿Quería decir «HYO-2025»?"), ("edit c1 --set description=x", "¿Quería decir «C-01»?"),
        ("edit C-01 --project HYO-2025 --set descripton=x", "No hay ningún campo «descripton». ¿Quería decir «description»?"), ("report ficha-calicata --record c1 --preview", "¿Quería decir «C-01»?"),
        ("export calicatas --state APROVADO", "¿Quería decir «APROBADO»?"), ("query SELECT+1+FROM+calicata", "¿Quería decir «calicatas»?"),
    ])
    func theNameThatWasMeantIsSuggested(command: String, words: String) throws {
        let office = try Office.pits()
        let arguments = command.split(separator: " ").map { String($0).replacing("+", with: " ") }
        let wrong = try office.run(arguments + ["--lang", "es"])
        #expect(wrong.status != 0 && wrong.error.contains(words), "\(wrong.error)")
    }

    /// Another number is another record, and a far word is no misspelling.
    @Test(arguments: ["edit C-97 --set description=x", "export nada", "status --nada"])
    func nothingIsSuggestedWhereNothingIsAlike(command: String) throws {
        let wrong = try Office.pits().run(command.split(separator: " ").map(String.init))
        #expect(wrong.status != 0 && !wrong.error.contains("Did you mean"), "\(wrong.error)")
    }

    /// The words for a missing folder of packs are those of the program's own.
    @Test func aFolderWithoutPacksIsExplained() throws {
        let place = try TemporaryFolder()
        let empty = try run("doctor --lang es --templates \(place.path)", language: "C.UTF-8")
        #expect(empty.status == 78 && empty.error.contains("No se encontró ninguna carpeta con paquetes de plantillas."), "\(empty.error)")
        let missing = try run("doctor --lang es --pack \(place.path)/pozos", language: "C.UTF-8")
        #expect(missing.status == 78 && missing.error.contains("Falta «pozos»") && !missing.error.contains("kebab"), "\(missing.error)")
    }
}
