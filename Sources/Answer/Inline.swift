/// Text within a block, in runs of one style each.
///
/// Whatever is in it is text: no renderer takes a part of it for markup, and each makes its control characters visible.
package struct Inline: Sendable {
    package struct Run: Sendable {
        package let text: String
        package let style: Style
    }

    package enum Style: Sendable, Equatable {
        case plain
        case strong
        case faint
        /// To be typed or pasted as it is.
        case code
        case tone(Tone)
    }

    package private(set) var runs: [Run]

    package init(_ text: String, _ style: Style = .plain) { runs = text.isEmpty ? [] : [Run(text: text, style: style)] }

    /// The text without its styles.
    package var text: String { runs.map(\.text).joined() }

    package static func strong(_ text: String) -> Inline { Inline(text, .strong) }
    package static func code(_ text: String) -> Inline { Inline(text, .code) }
    package static func tone(_ tone: Tone, _ text: String) -> Inline { Inline(text, .tone(tone)) }

    package static func + (left: Inline, right: Inline) -> Inline {
        var sum = left
        sum.runs += right.runs
        return sum
    }
}

/// Whether something is well or how bad it is.
package enum Tone: String, Sendable {
    case good, note, warning, error
}

extension Inline: ExpressibleByStringInterpolation {
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var inline = Inline("")

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) { inline = inline + Inline(literal) }

        /// Words in a style of their own.
        package mutating func appendInterpolation(_ part: Inline) { inline = inline + part }

        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            inline = inline + Inline(value.description)
        }
    }

    package init(stringLiteral value: String) { self.init(value) }

    package init(stringInterpolation: StringInterpolation) { self = stringInterpolation.inline }
}
