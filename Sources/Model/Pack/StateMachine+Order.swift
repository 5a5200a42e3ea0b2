extension StateMachine {
    /// Whether a record in this state is nearer to its end than one in the first state.
    ///
    /// A state from which records only go back, to the first state among others, serves for
    /// corrections (`OBSERVADO`): a record may go there with errors.
    package func isFurther(_ state: String) -> Bool {
        guard state != initial else { return false }
        let exits = transitions.filter { $0.from == state }.map(\.to)
        return !exits.contains(initial) || exits.contains { steps(to: $0) > steps(to: state) }
    }

    /// The least number of transitions from the first state to another; `Int.max` where the state
    /// cannot be reached.
    private func steps(to state: String) -> Int {
        var (reached, newest, steps): (Set<String>, Set<String>, Int) = ([initial], [initial], 0)
        while !newest.isEmpty {
            if newest.contains(state) { return steps }
            newest = Set(transitions.filter { newest.contains($0.from) }.map(\.to)).subtracting(reached)
            reached.formUnion(newest)
            steps += 1
        }
        return .max
    }
}
