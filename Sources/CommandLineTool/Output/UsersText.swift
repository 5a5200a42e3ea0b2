import Model
import Replica

/// Users and their roles, for people.
struct UsersText {
    private let session: CommandSession

    init(_ session: CommandSession) {
        self.session = session
    }

    func list(_ people: [Person]) -> String {
        var table = TextTable(["email", "name", "role", "state", "projects"].map { session.text("cli.users." + $0) }, Array(repeating: .left, count: 5))
        for person in people {
            table.add([person.email, person.name ?? "", person.role, person.status, person.projects.map(\.code).joined(separator: ", ")])
        }
        return table.text
    }
}
