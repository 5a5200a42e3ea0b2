internal import Foundation

/// The two that drawings need.
func sine(_ angle: Double) -> Double { sin(angle) }
func cosine(_ angle: Double) -> Double { cos(angle) }
