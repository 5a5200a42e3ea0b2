import Testing
@testable import Validating

@Test func placeholderToBeReplaced() { #expect(Bool(true)) }
