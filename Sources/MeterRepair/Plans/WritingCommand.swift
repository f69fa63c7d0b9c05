/// The commands that change a store by a plan, by the names users type.
package enum WritingCommand: String, Sendable, CaseIterable {
    case rebuild
    case importKV = "import-kv"
    case migrate
    case apply
    case restoreRecord = "restore-record"
    case unlock
    case set
    case fix
    case delete
}
