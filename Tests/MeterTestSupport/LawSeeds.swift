import Foundation

/// The seeds of a law's random stores: a few, or as many as `METERFIX_LAWS` says for a thorough run.
package enum LawSeeds {
    package static func first(_ count: Int) -> [UInt64] {
        let asked = ProcessInfo.processInfo.environment["METERFIX_LAWS"].flatMap(Int.init)
        return (1...UInt64(max(1, asked ?? count))).map { $0 }
    }
}
