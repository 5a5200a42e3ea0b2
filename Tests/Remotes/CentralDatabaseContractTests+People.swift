import Model
import Testing
import Workbench

@testable import Remotes

/// Who is let in, and what each may see.
extension CentralDatabaseContractTests {
    @Test(arguments: CentralWay.allCases) func whoeverMayWorkIsKnown(_ way: CentralWay) throws {
        let scene = try Scene(way), actor = try scene.connect("CAMPO@example.pe").actor
        #expect(actor.id == Scene.person && actor.role.name == "CAMPO" && actor.fullName == "Campo")
        // A login has an id, which the profile must have.
        #expect(try scene.refusal("nobody@example.pe") == (way.isWeb ? "REMOTE-PROFILE" : "REMOTE-PERSON"))
        let former = "excampo@example.pe"
        #expect(throws: RemoteFailure.inactive(email: former, status: "INACTIVO")) { try scene.connect(former) }
        try scene.central("UPDATE profiles SET status = 'SUSPENDIDO' WHERE id = '\(Scene.person)'")
        #expect(throws: RemoteFailure.inactive(email: Scene.field, status: "SUSPENDIDO")) { try scene.connect() }
        let reader = Scene.reader
        try scene.central("UPDATE profiles SET role = 'NADIE' WHERE email = '\(reader)'")
        #expect(throws: RemoteFailure.unknownRole(email: reader, role: "NADIE")) { try scene.connect(reader) }
    }

    @Test(arguments: CentralWay.allCases) func theDatabaseOfAnotherSystemIsNamed(_ way: CentralWay) throws {
        let scene = try Scene(way)
        try scene.central("ALTER TABLE calicatas RENAME TO instances")
        #expect(try scene.refusal("nobody@example.pe") == "REMOTE-SYSTEM", "whoever asks")
    }

    /// Values of the field would stay here, and those of others would not come.
    @Test(arguments: CentralWay.allCases) func aColumnWithTheFormerNameOfItsFieldIsNamed(_ way: CentralWay) throws {
        let scene = try Scene(way)
        var pack = scene.pack, pits = try scene.entity("calicatas")
        let table = try #require(pack.entities.firstIndex(of: pits))
        let field = try #require(pits.fields.firstIndex { $0.name == "shoring" })
        (pits.fields[field].name, pits.fields[field].formerNames) = ("support", ["shoring"])
        pack.entities[table] = pits
        #expect(try scene.refusal(pack: pack) == "REMOTE-FORMER-COLUMN")
        try scene.central("ALTER TABLE calicatas RENAME COLUMN shoring TO support")
        let fields = try scene.connect(pack: pack).withSnapshot { look in look.fields(of: pits) }
        #expect(fields.contains(field))
    }

    @Test(arguments: CentralWay.allCases) func rowSecurityHides(_ way: CentralWay) throws {
        let scene = try Scene(way), remote = try scene.connect(), pits = try scene.entity("calicatas")
        try scene.addOther()
        try scene.add(pit: 1)
        try scene.add(pit: 2, to: Scene.other)
        try remote.withSnapshot { look in
            #expect(try look.projects() == [Scene.project])
            #expect(try scene.codes(look, in: nil) == ["C-01"] && scene.codes(look, in: Scene.other).isEmpty)
            #expect(try look.versions(of: pits, in: nil).keys.sorted() == [Scene.pit(1)])
            let (proof, later) = try look.proof(of: pits, in: nil)
            #expect(proof.rows + later.count == 1)
        }
        let seen = try scene.connect(Scene.administrator).withSnapshot { look in try look.projects() }
        #expect(seen == [Scene.project, Scene.other])
    }

    @Test(arguments: CentralWay.allCases)
    func aMembershipThatIsLostHidesAndANewOneShowsAll(_ way: CentralWay) throws {
        let scene = try Scene(way), remote = try scene.connect(), seen = try scene.row(scene.add(pit: 1), remote)
        try scene.leaveProject()
        try scene.add(pit: 2)
        let lost = try remote.withSnapshot { look in (try look.projects(), try scene.codes(look)) }
        #expect(lost == ([], []))
        // What is hidden is neither gone nor contested.
        let items = [scene.change(seen, ["title": "mine"]), scene.removal(seen), scene.made(3)]
        #expect(try remote.push(items).map(\.result.word) == ["rls", "rls", "rls"])
        try scene.rejoinProject()
        let back = try remote.withSnapshot { look in (try look.projects(), try scene.codes(look)) }
        #expect(back == ([Scene.project], ["C-01", "C-02"]))
        #expect(try remote.push(items[0]).word == "confirmed")
    }

    /// A sync's own entry, for example: its author sends it, and no colleague sees it.
    @Test(arguments: CentralWay.allCases) func anEntryOfNoProjectIsItsAuthorsAlone(_ way: CentralWay) throws {
        let scene = try Scene(way), remote = try scene.connect(), logs = try scene.entity("activity_logs")
        let values: [String: Scene.Value] = [
            "actor_id": "\(Scene.person)", "action": "sync", "details": #"{"sent":1}"#, "created_at": "2026-01-01T00:00:00Z",
        ]
        let id = Scene.part(1), entry = scene.item(.insert, values, id: id, entity: logs.name)
        let version = try #require(remote.push(entry).version)
        #expect(try remote.push(entry) == .confirmed(version: version))
        for (email, isSeen) in [(Scene.field, true), (Scene.reader, false), (Scene.administrator, true)] {
            let found = try scene.connect(email).withSnapshot { look in try look.versions(of: logs, in: nil)[id] }
            #expect(found == (isSeen ? version : nil), "\(email)")
        }
    }
}
