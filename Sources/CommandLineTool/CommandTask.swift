package import ArgumentParser

/// A command of the program, in a file `NameCommand.swift` of its own. The list of commands
/// (`CommandList`) is made from the files' names when the program is built; help, completion and
/// man pages are made from the list.
package protocol FicheroCommand: ParsableCommand {
    /// The heading under which the help lists it.
    static var task: CommandTask { get }
}

/// What people do with the program, in the order of their work: the headings of its help.
package enum CommandTask: String, CaseIterable {
    case setUp = "Set up"
    case bringIn = "Bring records in"
    case change = "Change records"
    case check = "Check"
    case handOver = "Hand over"
    case look = "Look"

    /// Its commands by their names.
    var group: CommandGroup { CommandGroup(name: rawValue, subcommands: CommandList.all.filter { $0.task == self }) }
}
