import Testing
@testable import Model

@Test func placeholderToBeReplaced() { #expect(Bool(true)) }
