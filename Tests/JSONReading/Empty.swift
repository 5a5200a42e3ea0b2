import Testing
@testable import JSONReading

@Test func placeholderToBeReplaced() { #expect(Bool(true)) }
