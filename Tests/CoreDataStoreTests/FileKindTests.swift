import CoreDataStore
import Testing

@Suite("what a file is that somebody took for a store")
struct FileKindTests {
    private func name(_ text: String) -> String? { FileKind(of: Array(text.utf8))?.name }

    @Test("is told by its contents")
    func formats() {
        #expect(FileKind(of: [0xFF, 0xD8, 0xFF, 0xE1])?.name == "a JPEG picture")
        #expect(name("\0\0\0\u{24}ftypheic\0\0\0\0") == "a HEIC photo")
        #expect(name("\0\0\0\u{18}ftypmif1\0\0\0\0") == "a HEIC photo")
        #expect(name("\0\0\0\u{1C}ftypavif\0\0\0\0") == "an AVIF picture")
        #expect(name("\0\0\0\u{14}ftypqt  \0\0\0\0") == "a video")
        #expect(name("RIFF\u{10}\0\0\0WEBPVP8 ") == "a WebP picture")
        #expect(name("RIFF\u{10}\0\0\0WAVEfmt ") == nil)
        #expect(name("%PDF-1.7\n") == "a PDF document")
        #expect(name("bplist00\u{1}") == "a binary property list")
        #expect(name("<?xml version=\"1.0\"?>") == "an XML file")
        #expect(name("\n <!DOCTYPE html><html>") == "an HTML page")
        #expect(name("PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;") == "SQL statements")
        #expect(name(" {\"MeterNames\": {}}") == "a JSON file")
        #expect(name("Hello,\nhere is the store.\n") == "a text file")
        #expect(name("Delivered-To: help@example.com\r\nReceived: by") == "a mail")
        #expect(name("1742\nReturn-Path: <ana@example.com>\n") == "a mail")
        #expect(name("1742\nKitchen\n") == "a text file")
        #expect(name("From Ana:\nhere is the store") == "a text file")
        #expect(
            FileKind(of: [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1])?.name.hasPrefix("an Outlook mail") == true)
        #expect(FileKind(of: [0xFF, 0xFE, 0x48, 0x00])?.name == "a text file in UTF-16")
        #expect(FileKind(of: [0x37, 0x7F, 0x06, 0x82])?.name == "the -wal file of a store")
        #expect(FileKind(of: [0x18, 0xE2, 0x2D, 0x00])?.name == "the -shm file of a store")
    }

    @Test("says where what is wanted may be in it")
    func archives() {
        #expect(FileKind(of: [0x50, 0x4B, 0x03, 0x04])?.isArchive == true)
        #expect(FileKind(of: [0x1F, 0x8B, 0x08])?.isArchive == true)
        #expect(FileKind(of: [0xFF, 0xD8, 0xFF])?.isArchive == false)
    }

    @Test("is not told of bytes that could be anything; a text may be cut in the middle of a character")
    func unknown() {
        #expect(FileKind(of: []) == nil)
        #expect(FileKind(of: [0, 1, 2, 3]) == nil)
        #expect(FileKind(of: Array("text with \u{7} in it".utf8)) == nil)
        #expect(FileKind(of: [0x61, 0xE4, 0x62]) == nil)
        #expect(FileKind(of: Array("Küche, Büro, €".utf8.dropLast()))?.name == "a text file")
    }
}
