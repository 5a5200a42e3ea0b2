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
            Without a replica it checks every pack in the templates folder.

            Example: fichero doctor --replica fichero.db
            """)

    @OptionGroup var options: CommonOptions

    func run() throws {
        try DoctorRound(options).run()
    }
}
