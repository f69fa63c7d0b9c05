import MeterStore
import Testing

@Suite("the names of the app's model")
struct ModelNameTests {
    @Test("name their version", arguments: 1...12)
    func own(version: Int) {
        #expect(USBMeterModel.version(of: USBMeterModel.identifier(of: version)) == version)
    }

    @Test(
        "are not these",
        arguments: [
            "", "USB_Mete", "USB_Meter ", "USB_Meter  2", "USB_Meter 2 ", "USB_Meter2", "USB_Meter -2", "USB_Meter +2",
            "USB_Meter 1234567890", "USB_Meter ٢", "usb_meter 2", "USB_Meter 2.0", "USB_Meter\u{301} 2",
        ])
    func foreign(name: String) {
        #expect(USBMeterModel.version(of: name) == nil)
    }
}
