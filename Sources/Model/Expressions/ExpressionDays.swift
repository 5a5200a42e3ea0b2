/// An instant that is compared with a day counts for the day that the office's clock shows then.
///
/// Stored instants are in UTC. As texts, 23:30 in UTC would be of the wrong day where the office is
/// already in the next one.
extension Expression {
    /// The same expression with `office_day` around instants that are compared with days.
    package func byOfficeDays(over entity: Entity, in pack: Pack) -> Expression {
        func again(_ part: Expression) -> Expression { part.byOfficeDays(over: entity, in: pack) }
        switch self {
        case .text, .number, .boolean, .null, .field: return self
        case .not(let inner): return .not(again(inner))
        case .negative(let inner): return .negative(again(inner))
        case .isNull(let inner, let negated): return .isNull(again(inner), negated: negated)
        case .call(let function, let arguments): return .call(function, arguments.map(again))
        case .binary(let operation, let left, let right):
            guard operation.compares else { return .binary(operation, again(left), again(right)) }
            let sides = [left, right].asDays(over: entity, in: pack).map(again)
            return .binary(operation, sides[0], sides[1])
        case .isIn(let inner, let items, let negated):
            let sides = ([inner] + items).asDays(over: entity, in: pack).map(again)
            return .isIn(sides[0], Array(sides.dropFirst()), negated: negated)
        }
    }

    /// Whether the value is a day or an instant; nil for any other value.
    fileprivate func moment(over entity: Entity, in pack: Pack) -> Moment? {
        switch self {
        case .text(let text): return Timestamp.isDate(text) ? .day : nil
        case .field(let path):
            switch pack.field(at: path, from: entity)?.type {
            case .date: return .day
            case .datetime: return .instant
            default: return nil
            }
        case .call(.today, _), .call(.officeDay, _): return .day
        case .call(.coalesce, let arguments):
            let moments = Set(arguments.map { $0.moment(over: entity, in: pack) })
            return moments.count == 1 ? moments.first ?? nil : nil
        default: return nil
        }
    }
}

private enum Moment { case day, instant }

extension [Expression] {
    /// The sides of a comparison: where one is a day, the instants among the others as days.
    fileprivate func asDays(over entity: Entity, in pack: Pack) -> [Expression] {
        let moments = map { $0.moment(over: entity, in: pack) }
        guard moments.contains(.day), moments.contains(.instant) else { return self }
        return zip(self, moments).map { side, moment in moment == .instant ? .call(.officeDay, [side]) : side }
    }
}

extension Expression.Operator {
    fileprivate var compares: Bool {
        switch self {
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: true
        case .and, .or, .plus, .minus, .times, .dividedBy: false
        }
    }
}
