/// Bits in the archive of a property, seen in real stores.
enum PropertyBits {
    // In `_P`.
    static let optional: Int64 = 2
    static let readOnly: Int64 = 4
    static let transient: Int64 = 8
    static let ordered: Int64 = 0x400
    /// Set in every plain property of real stores, fewer of them with validation rules or user info; what they mean is
    /// not known.
    static let always: Int64 = 0xF1
    // In `NSFlagsKey`.
    static let externalStorage: Int64 = 4
    static let preservedAfterDeletion: Int64 = 0x10
}
