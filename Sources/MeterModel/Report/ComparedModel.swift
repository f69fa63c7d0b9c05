/// The app's model that a store was compared with.
package struct ComparedModel: Hashable, Sendable {
    /// As the user gave it.
    package let path: String
    /// The name of the model's version; nil if the file does not say.
    package let version: String?
    /// Whether Core Data opens the store with it as it is.
    package let matches: Bool

    package init(path: String, version: String?, matches: Bool) {
        self.path = path
        self.version = version
        self.matches = matches
    }
}
