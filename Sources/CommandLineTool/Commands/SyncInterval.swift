import ArgumentParser

/// The time between two syncs as it is typed: `15m` or `2h`, from a minute to a day.
struct SyncInterval: ExpressibleByArgument, Equatable {
    let minutes: Int

    init?(argument: String) {
        guard let unit = ["m": 1, "h": 60][argument.last ?? " "], let count = Int(argument.dropLast()), (1...1440).contains(count), count * unit <= 1440
        else { return nil }
        minutes = count * unit
    }

    var duration: Duration { .seconds(minutes * 60) }
}
