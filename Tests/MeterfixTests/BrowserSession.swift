import Testing

/// One browser for all tests of a suite, which ends with it.
struct BrowserSession: SuiteTrait, TestScoping {
    @TaskLocal static var current: BrowserProcess?

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let browser = try BrowserProcess()
        defer { browser.close() }
        try await Self.$current.withValue(browser) { try await function() }
    }

    /// A file, open in the browser.
    static func withPage<Result>(_ path: String, _ body: (BrowserPage) throws -> Result) throws -> Result {
        let page = try BrowserPage.open(path, in: try #require(current))
        defer { page.close() }
        return try body(page)
    }
}

extension Trait where Self == BrowserSession {
    /// The suite has a browser of its own.
    static var browser: Self { Self() }
}
