internal import Foundation

/// The sanitizer that `Scripts/sanitize` runs the tests under.
package enum Sanitizer {
    /// Everything is several times slower then, and the sanitizer's library has to be the first of the program's.
    package static let isOn = ProcessInfo.processInfo.environment["METERFIX_SANITIZER"] != nil
}
