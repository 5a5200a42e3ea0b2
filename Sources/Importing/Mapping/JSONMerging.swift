import JSONReading

extension JSONValue {
    /// Merges two objects, including nested ones; where both have a member that is not an object,
    /// the first one is kept.
    func merged(with other: JSONValue) -> JSONValue {
        guard case .object(var members) = self, case .object(let others) = other else { return self }
        for member in others {
            if let index = members.firstIndex(where: { $0.key == member.key }) {
                members[index] = .init(key: member.key, value: members[index].value.merged(with: member.value))
            } else {
                members.append(member)
            }
        }
        return .object(members)
    }
}
