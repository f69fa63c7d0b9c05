/// All samples, in the order of their table.
package enum SampleShelf {
    package static let samples = customers + fileChecks + mirrorChecks + addressChecks + recordChecks + foreign

    package static func sample(_ name: String) -> Sample? { samples.first { $0.name == name } }
}
