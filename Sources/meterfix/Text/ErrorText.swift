internal import Answer
internal import CoreDataStore

/// What stopped a command, where the answer has to be a page all the same.
enum ErrorText {
    /// - Parameter store: the store as the user gave it, where the error may be about another file.
    static func blocks(_ error: StoreError, store: String? = nil) -> [Block] {
        let (store, message) = error.told(of: store)
        return [.heading("\(store)"), .note(.error, "\(message)")]
            + (error.hint.map { [.paragraph("hint: \($0)")] } ?? [])
    }
}

extension StoreError {
    /// The store, and the message with the file that it is about if that is another one.
    /// - Parameter store: as the user gave it; nil for the file that the error is about.
    func told(of store: String?) -> (store: String, message: String) {
        guard let store, store != path else { return (path, message) }
        return (store, "\(path): \(message)")
    }
}
