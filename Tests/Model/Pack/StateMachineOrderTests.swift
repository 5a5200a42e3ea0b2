import Testing

@testable import Model

/// Some moves of a record's state need a record without errors.
@Suite struct StateMachineOrderTests {
    private static func machine(_ moves: String, initial: String) -> StateMachine {
        let transitions = moves.split(separator: " ").map { move in
            let ends = move.split(separator: ">").map(String.init)
            return StateMachine.Transition(from: ends[0], to: ends[1], roles: [])
        }
        return StateMachine(field: "state", initial: initial, transitions: transitions)
    }

    /// A room that is complete may become empty again. Making it complete is still a step forward.
    @Test func aStateThatAlsoLeadsOnIsFurther() {
        let room = Self.machine("Empty>Complete Complete>Empty Complete>Approved Approved>Complete", initial: "Empty")
        #expect(!room.isFurther("Empty"))
        #expect(room.isFurther("Complete") && room.isFurther("Approved"))
    }

    @Test func aStateThatOnlyLeadsBackIsForMending() {
        let pit = Self.machine(
            "BORRADOR>EN_REVISION EN_REVISION>OBSERVADO EN_REVISION>REVISADO OBSERVADO>EN_REVISION OBSERVADO>BORRADOR REVISADO>APROBADO APROBADO>OBSERVADO ARCHIVADO>OBSERVADO",
            initial: "BORRADOR")
        #expect(!pit.isFurther("OBSERVADO") && !pit.isFurther("BORRADOR"))
        #expect(["EN_REVISION", "REVISADO", "APROBADO", "ARCHIVADO"].allSatisfy(pit.isFurther))
    }
}
