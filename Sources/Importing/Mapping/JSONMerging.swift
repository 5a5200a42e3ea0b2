import JSONReading

extension JSONValue {
    /// Two objects as one, and the objects within them too; where both have a member that is no object, the first counts.
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
