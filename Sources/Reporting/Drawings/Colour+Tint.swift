import Canvas
import Model

extension Colour {
    /// Pale enough for texts to be read on it.
    init(_ tint: Tint) {
        switch tint {
        case .grey: self.init(grey: 0.94)
        case .blue: self.init(red: 0.84, green: 0.91, blue: 0.98)
        case .green: self.init(red: 0.87, green: 0.95, blue: 0.85)
        case .darkGreen: self.init(red: 0.66, green: 0.83, blue: 0.68)
        case .yellow: self.init(red: 0.99, green: 0.95, blue: 0.76)
        case .orange: self.init(red: 0.99, green: 0.87, blue: 0.72)
        case .red: self.init(red: 0.97, green: 0.82, blue: 0.79)
        case .violet: self.init(red: 0.90, green: 0.86, blue: 0.96)
        }
    }
}
