import Testing
@testable import Patterns

@Test func placeholderToBeReplaced() { #expect(Bool(true)) }
