import Model
import Replica

/// The conditions for handing records over: the pack allows it for this export or report, and the
/// records are approved.
struct DeliveryConditions {
    var name: String
    var record: String
    var delivers: Bool
    /// Whether it is a package for the client.
    var isPackage: Bool
    /// Whether records are to be marked.
    var marks: Bool

    init(_ export: ExportDefinition, marks: Bool) {
        (name, record, delivers, isPackage, self.marks) = (export.name, export.record, export.delivers, false, marks)
    }

    init(_ report: ReportDefinition, marks: Bool) {
        (name, record, delivers, isPackage, self.marks) = (report.name, report.record, report.delivers, report.delivery != nil, marks)
    }

    /// The selection of a document that hands records over: approved records, if the pack has
    /// states of approval.
    ///
    /// A client's package contains other records only if their state is requested, and then it is
    /// labelled as a draft.
    func selection(_ stated: SelectionRequest, _ session: CommandSession) throws -> SelectionRequest {
        let states = session.pack.record(record).flatMap { session.pack.entity($0.root) }?.states
        if marks {
            let known = session.pack.exports.filter(\.delivers).map(\.name) + session.pack.reports.filter(\.delivers).map(\.name)
            guard delivers, states?.exported != nil else { throw DeliveryFailure.noDelivery(name, known: known) }
        }
        guard delivers, marks || isPackage, let approved = states?.approved, !approved.isEmpty else { return stated }
        var selection = stated
        if stated.states.isEmpty { selection.states = approved }
        if marks, let other = stated.states.first(where: { !approved.contains($0) }) { throw DeliveryFailure.notApproved(other, known: approved) }
        return selection
    }

    /// Whether a client's package contains records that are not approved.
    static func isDraft(_ definition: ReportDefinition, _ selection: SelectionRequest, _ pack: Pack) -> Bool {
        guard definition.delivers, let root = pack.record(definition.record)?.root, let approved = pack.entity(root)?.states?.approved else { return false }
        return !approved.isEmpty && definition.delivery != nil && !selection.states.allSatisfy(approved.contains)
    }
}

/// Why records cannot be handed over.
enum DeliveryFailure: Failure, Hashable {
    case noDelivery(String, known: [String])
    case notApproved(String, known: [String])

    var code: String {
        switch self {
        case .noDelivery: "DELIVERY-NONE"
        case .notApproved: "DELIVERY-STATE"
        }
    }

    var exitCode: Model.ExitCode { .usage }

    var arguments: [String: String] {
        switch self {
        case .noDelivery(let value, let known), .notApproved(let value, let known): ["value": value, "known": known.joined(separator: ", ")]
        }
    }
}
