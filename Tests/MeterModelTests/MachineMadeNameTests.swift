import MeterModel
import Testing

struct MachineMadeNameTests {
    @Test(
        "a platform is not a name",
        arguments: [
            "iPad", "ipad", "IPAD", " iPad ", "iPhone", "iPod touch", "Mac", "MacBook", "MacBook Air", "MacBook Pro",
            "iMac", "iMac Pro", "Mac mini", "Mac Pro", "Mac Studio", "Apple Watch", "Apple TV", "iPad Air", "iPad mini",
            "iPad Pro",
        ])
    func platform(name: String) { #expect(MachineMadeName(name) == .platform) }

    @Test(
        "a model identifier is not a name",
        arguments: ["iPhone14,2", "iPad13,18", "Mac15,3", "MacBookPro18,4", "macmini9,1", "Watch6,18", "AppleTV14,1"])
    func modelIdentifier(name: String) { #expect(MachineMadeName(name) == .modelIdentifier) }

    @Test(
        "a UUID is not a name",
        arguments: ["6F9619FF-8B86-D011-B42D-00C04FC964FF", "6f9619ff-8b86-d011-b42d-00c04fc964ff"])
    func uuid(name: String) { #expect(MachineMadeName(name) == .uuid) }

    @Test(
        "an address is not a name",
        arguments: ["A4:C1:38:0B:7E:21", "a4c1380b7e21", "A4-C1-38-0B-7E-21", "a4c1.380b.7e21", "\tA4C1380B7E21\n"])
    func address(name: String) { #expect(MachineMadeName(name) == .address) }

    @Test("a host name is not a name", arguments: ["Anas-MacBook.local", " mac-mini.LOCAL\n", "a.local", "büro.local"])
    func host(name: String) { #expect(MachineMadeName(name) == .hostName) }

    @Test(
        "a hardware type is not a name",
        arguments: ["UM24C", "UM25C", "UM34C", "TC66C", "um24", "Um25", "UM34", "tc66", " TC66C "])
    func meterType(name: String) { #expect(MachineMadeName(name) == .meterType) }

    @Test("white space is not a name", arguments: [" ", "\t\n", "\u{A0}\u{2003}"])
    func blank(name: String) { #expect(MachineMadeName(name) == .blank) }

    @Test(
        "what a user may have typed is left alone",
        arguments: [
            "", ".local", "local", "Bench .local", "Ana's Mac.local", "Anas-Mac.locale", "TC66C kitchen", "UM25D",
            "Kitchen", "Ana's iPad", "iPad charger", "iPads", "Macintosh", "Big Mac", "iPhone14", "iPhone14,",
            "iPhone,2", "iPhone14,2,1", "Simulator", "6F9619FF-8B86-D011-B42D-00C04FC964F",
            "6F9619FF8B86-D011-B42D-00C04FC964FF-", "A4:C1:38:0B:7E", "Încărcător birou", "电源",
        ])
    func typedByUser(name: String) { #expect(MachineMadeName(name) == nil) }
}
