import Testing
@testable import Recording

@Test func placeholderToBeReplaced() { #expect(Bool(true)) }
