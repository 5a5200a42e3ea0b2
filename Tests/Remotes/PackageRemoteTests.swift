import Model
import Testing
import Workbench

@testable import Remotes

/// What a sync needs of folders for packages, which answer later: nothing is there before they say so.
@Suite struct PackageRemoteTests {
    private let pack: Pack
    private let actor: Actor

    init() throws {
        pack = try ShippedPack.named("anagrafica")
        let role = try #require(pack.role("UFFICIO"))
        actor = Actor(id: ContractScene.person, email: "ufficio@example.it", fullName: nil, role: role)
    }

    private func item(_ operation: PushOperation, _ entity: String, _ values: String, id: String = "item") -> PushItem {
        PushItem(
            id: id, entity: entity, rowID: ContractScene.pit(1), operation: operation, payload: "{\(values)}", base: nil,
            queuedAt: "2026-01-01T00:00:00Z", position: .item(stamp: 1, id: id))
    }

    @Test func whatIsPushedIsOnItsWayHoweverOften() {
        let remote = PackageRemote("/send", pack: pack, actor: actor)
        let items = [
            item(.insert, "rooms", "", id: "a"), item(.update, "rooms", #""name":"x""#, id: "b"),
            item(.delete, "rooms", "", id: "c"),
        ]
        for _ in 1...2 { #expect(remote.push(items) == ["a", "b", "c"].map { PushOutcome(itemID: $0, result: .sent) }) }
    }

    /// A device that sent its events itself says so in their rows.
    @Test func whatTheOtherSideHasAlreadyDoesNotTravel() {
        let remote = PackageRemote("/send", pack: pack, actor: actor)
        let rows = [
            ("events", #""synced":1,"status":"UPLOADED""#, true), ("events", #""synced":1"#, true),
            ("events", #""synced":0"#, false), ("events", #""synced":1,"status":"PENDING""#, false), ("events", "", false), ("rooms", #""synced":1"#, false),
        ]
        for (entity, values, isThere) in rows {
            let item = item(.insert, entity, values)
            let expected: PushOutcome.Result = isThere ? .confirmed(version: item.queuedAt) : .sent
            #expect(remote.push([item]).map(\.result) == [expected], "\(entity) \(values)")
        }
    }

    @Test func onlyRowsOfRecordsTravelAndFilesOnlyWithTheirs() {
        let remote = PackageRemote("/send", pack: pack, actor: actor), all = remote.reach?.entities ?? []
        #expect(remote.address == "/send" && remote.reach?.remote == "/send")
        #expect(all.isSuperset(of: ["rooms", "instances", "photos", "events"]) && !all.contains("profiles"))
        let bare = PackageRemote("/send", pack: pack, actor: actor, takesFiles: false).reach?.entities ?? []
        #expect(bare.contains("rooms") && all.subtracting(bare).contains("photos"))
    }
}
