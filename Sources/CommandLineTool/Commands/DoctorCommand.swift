import ArgumentParser
import Foundation
import Model
import Packs
import Replica

/// `fichero doctor`: checks packs, configuration and replica, and recommends what to do.
struct DoctorCommand: FicheroCommand {
    static let task = CommandTask.setUp
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check installation, configuration, packs and replica.",
        discussion: """
            Without a replica it checks every pack in the templates folder. SQL of packs is compiled. With --pack it checks that pack \
            alone, and runs the tests that it carries, each on a replica that is made for it.

            Examples:
              fichero doctor --replica fichero.db
              fichero doctor --pack Templates/ingeplus
              fichero doctor --pack Templates/ingeplus --missing-texts
            """)

    @OptionGroup var options: CommonOptions

    @Option(name: .long, help: ArgumentHelp("A pack, by its name or its folder: check it and run its tests.", valueName: "dir"), completion: .directory)
    var pack: String?

    @Flag(name: .long, help: "Print the texts that the pack lacks, as a file ready to fill.")
    var missingTexts = false

    func validate() throws {
        if missingTexts, pack == nil { throw ValidationError("--missing-texts goes with --pack.") }
    }

    func run() throws {
        if let pack { try PackRound(options, pack, onlyTexts: missingTexts).run() } else { try DoctorRound(options).run() }
    }
}
