internal import JSONReading
package import Model

/// The other side of an exchange by packages: it takes whole batches, and answers with packages of
/// its own, later. What is pushed is on its way; the caller puts a batch together at the end.
package final class PackageRemote: Remote {
    package let actor: Actor
    /// The folder for what is sent.
    package let address: String
    package let reach: PushReach?
    private let pack: Pack

    /// - Parameter takesFiles: whether rows with a file go too, with it.
    package init(_ address: String, pack: Pack, actor: Actor, takesFiles: Bool = true) {
        (self.address, self.pack, self.actor) = (address, pack, actor)
        let entities = pack.entities.filter { !$0.isCore && (takesFiles || $0.field(of: .path) == nil) }
        reach = PushReach(remote: address, entities: Set(entities.map(\.name)))
    }

    package func push(_ items: [PushItem]) -> [PushOutcome] {
        items.map { PushOutcome(itemID: $0.id, result: isKnownThere($0) ? .confirmed(version: $0.queuedAt) : .sent) }
    }

    /// Whether a row says itself that the other side has it, as the events of a device that sent
    /// them before: it does not travel again.
    private func isKnownThere(_ item: PushItem) -> Bool {
        guard let entity = pack.entity(item.entity), let acknowledgement = Acknowledgement(entity, in: pack), let payload = item.payload else { return false }
        return acknowledgement.isStated(entity.values(ofPayload: payload))
    }
}
