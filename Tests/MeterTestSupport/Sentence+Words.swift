package import MeterModel

/// What tests ask of the words of a sentence.
extension Sentence {
    package func contains(_ words: String) -> Bool { description.contains(words) }
    package func hasPrefix(_ words: String) -> Bool { description.hasPrefix(words) }
    package func hasSuffix(_ words: String) -> Bool { description.hasSuffix(words) }
}
