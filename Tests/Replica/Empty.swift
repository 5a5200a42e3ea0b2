import Testing
@testable import Replica

@Test func placeholderToBeReplaced() { #expect(Bool(true)) }
