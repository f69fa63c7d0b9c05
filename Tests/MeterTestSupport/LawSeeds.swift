import Foundation

/// The seeds of a law's random stores: a few, or as many as `METERFIX_LAWS` says for a thorough run.
package enum LawSeeds {
    private static let asked = ProcessInfo.processInfo.environment["METERFIX_LAWS"].flatMap(Int.init)

    /// Whether everything is to be tried, and not only a share of it.
    package static let isThorough = (asked ?? 1) > 1

    package static func first(_ count: Int) -> [UInt64] { (1...UInt64(max(1, asked ?? count))).map { $0 } }
}
