/// One of the two things that are compared.
package enum ComparisonSide: String, Sendable, CaseIterable {
    case a, b
}
