internal import Foundation

/// The functions of Foundation that drawings need, in one file that imports it.
func sine(_ angle: Double) -> Double { sin(angle) }
func cosine(_ angle: Double) -> Double { cos(angle) }
