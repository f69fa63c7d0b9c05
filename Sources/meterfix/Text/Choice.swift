internal import ArgumentParser

/// A word out of a few, as the value of an option.
protocol Choice: ExpressibleByArgument, CaseIterable, RawRepresentable where RawValue == String {}

extension Choice {
    /// ArgumentParser's own goes through a key path, which takes longer to make than all the rest of the option.
    static var allValueStrings: [String] { allCases.map { $0.rawValue } }
}
