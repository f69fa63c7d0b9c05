import MeterInspect
import Testing

/// In these tests meterfix knows these migrations and no others.
struct KnownMigrations: SuiteTrait, TestTrait, TestScoping {
    let migrations: [Migration]
    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await Migration.$all.withValue(migrations, operation: function)
    }
}

extension Trait where Self == KnownMigrations {
    static func migrations(_ migrations: [Migration]) -> KnownMigrations { KnownMigrations(migrations: migrations) }
}
