import Answer

extension Medium {
    /// One answer as a whole, with what is before and after it.
    func page(_ blocks: [Block], title: String) -> String {
        var page = beginning(title: title)
        write(blocks) { page += $0 }
        return page + ending
    }
}
