/// A field of a row and two values of it: before and after a change, then and now, or on one side and on the other.
package struct FieldDelta: Hashable, Sendable {
    package let field: RecordLayout.Field
    package let before: FieldValue
    package let after: FieldValue

    package init(_ field: RecordLayout.Field, before: FieldValue, after: FieldValue) {
        self.field = field
        self.before = before
        self.after = after
    }
}
