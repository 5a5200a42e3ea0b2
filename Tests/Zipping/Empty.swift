import Testing
@testable import Zipping

@Test func placeholderToBeReplaced() { #expect(Bool(true)) }
