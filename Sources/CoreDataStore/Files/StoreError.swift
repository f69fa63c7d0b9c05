/// Why a command stops. Nothing has been changed when one is thrown.
public struct StoreError: Error, Hashable, Sendable {
    /// The kind of error; each has its own exit code.
    public enum Kind: Sendable, CaseIterable {
        /// No such file.
        case notFound
        /// Not a database, or a damaged one.
        case damaged
        /// A database, but not one this command can work on.
        case unsuitable
        /// Stale: changed since a plan was made for it, or since the change that is to be undone.
        case stale
        /// Another process has it.
        case inUse
        case permissionDenied
        /// An I/O error, or no space left.
        case inputOutput
        /// An output that cannot be created.
        case cannotCreate
        /// The user asked to stop.
        case interrupted
        /// Our own mistake.
        case internalFault
    }

    public let kind: Kind
    /// The path it is about.
    public let path: String
    /// What is wrong: lower case, no full stop.
    public let message: String
    /// What to do about it.
    public let hint: String?

    package init(_ kind: Kind, at path: String, _ message: String, hint: String? = nil) {
        self.kind = kind
        self.path = path
        self.message = message
        self.hint = hint
    }
}
