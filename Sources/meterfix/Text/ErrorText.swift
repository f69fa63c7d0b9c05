internal import Answer
internal import CoreDataStore

/// What stopped a command, where the answer has to be a page all the same.
enum ErrorText {
    /// - Parameter store: the store as the user gave it, where the error may be about another file.
    static func blocks(_ error: StoreError, store: String? = nil) -> [Block] {
        let store = store ?? error.path
        let message = error.path == store ? error.message : "\(error.path): \(error.message)"
        return [.heading("\(store)"), .note(.error, "\(message)")]
            + (error.hint.map { [.paragraph("hint: \($0)")] } ?? [])
    }
}
