/// The table that `meters --format csv` prints, and that `import-kv` reads again.
package enum MeterSheet {
    package static let columns = [
        "mac", "address", "name", "unit", "type", "updated", "last seen", "last seen by", "lock", "locked by",
        "locked since", "locked until", "rows", "waiting", "what waits",
    ]

    /// By how many of the first columns it is recognized: nobody else has both the address and what is stored as such.
    static let telling = 4
}
