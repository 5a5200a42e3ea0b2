import Model
import Replica

/// What handing records over asks of an export or report: that the pack lets it, and that the records are approved.
struct Handover {
    var name: String
    var record: String
    var delivers: Bool
    /// Whether it is made for the client alone.
    var isPackage: Bool
    /// Whether records are to be marked.
    var marks: Bool

    init(_ export: ExportDefinition, marks: Bool) {
        (name, record, delivers, isPackage, self.marks) = (export.name, export.record, export.delivers, false, marks)
    }

    init(_ report: ReportDefinition, marks: Bool) {
        (name, record, delivers, isPackage, self.marks) = (report.name, report.record, report.delivers, report.delivery != nil, marks)
    }

    /// The selection of a document that hands records over: approved ones, where the pack knows states of approval.
    ///
    /// A client's package holds other records only where they are asked for by their state, and then says that it is a draft.
    func selection(_ stated: SelectionRequest, _ session: CommandSession) throws -> SelectionRequest {
        let states = session.pack.record(record).flatMap { session.pack.entity($0.root) }?.states
        if marks {
            let known = session.pack.exports.filter(\.delivers).map(\.name) + session.pack.reports.filter(\.delivers).map(\.name)
            guard delivers, states?.exported != nil else { throw HandoverFailure.noDelivery(name, known: known) }
        }
        guard delivers, marks || isPackage, let approved = states?.approved, !approved.isEmpty else { return stated }
        var selection = stated
        if stated.states.isEmpty { selection.states = approved }
        if marks, let other = stated.states.first(where: { !approved.contains($0) }) { throw HandoverFailure.notApproved(other, known: approved) }
        return selection
    }

    /// Whether a client's package holds records that nobody approved.
    static func isDraft(_ definition: ReportDefinition, _ selection: SelectionRequest, _ pack: Pack) -> Bool {
        guard definition.delivers, let root = pack.record(definition.record)?.root, let approved = pack.entity(root)?.states?.approved else { return false }
        return !approved.isEmpty && definition.delivery != nil && !selection.states.allSatisfy(approved.contains)
    }
}

/// Why records are not handed over.
enum HandoverFailure: Failure, Hashable {
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
