/// What Core Data 27 adds to a store, as far as strings in its binary show it; the names are inferred.
extension StoreFixture {
    private static let index = "Z_DeviceSettings_fullText"

    /// SQL that makes a full-text index over the names of the meters. Its tokenizer is Core Data's own, so that no other
    /// program can read it, nor change a row of the table.
    package static let fullTextIndex = """
        CREATE VIRTUAL TABLE \(index) USING fts5(meterName, content='');
        INSERT INTO \(index) (rowid, meterName) SELECT Z_PK, ZMETERNAME FROM ZDEVICESETTINGS;
        \(fullTextTriggers);
        PRAGMA writable_schema = ON;
        UPDATE sqlite_master SET
        sql = replace(sql, 'content=''''', 'content='''', contentless_delete=1, tokenize = ''_CoreDataTokenizer''')
        WHERE name = '\(index)'
        """

    /// SQL that makes the triggers of that index, without which they stop every change.
    package static let fullTextTriggers = """
        CREATE TRIGGER IF NOT EXISTS \(index)_INSERT AFTER INSERT ON ZDEVICESETTINGS FOR EACH ROW BEGIN \
        INSERT INTO \(index) (rowid, meterName) VALUES (NEW.Z_PK, NEW.ZMETERNAME); END;
        CREATE TRIGGER IF NOT EXISTS \(index)_DELETE AFTER DELETE ON ZDEVICESETTINGS FOR EACH ROW BEGIN \
        DELETE FROM \(index) WHERE rowid = OLD.Z_PK; END;
        CREATE TRIGGER IF NOT EXISTS \(index)_UPDATE AFTER UPDATE ON ZDEVICESETTINGS FOR EACH ROW BEGIN \
        DELETE FROM \(index) WHERE rowid = OLD.Z_PK; \
        INSERT INTO \(index) (rowid, meterName) VALUES (NEW.Z_PK, NEW.ZMETERNAME); END
        """

    /// SQL that makes the mirror's tables those of its metadata model V19.
    package static let mirrorOfCoreData27 = """
        ALTER TABLE ANSCKMIRROREDRELATIONSHIP ADD COLUMN ZISRESOLVABLE INTEGER;
        ALTER TABLE ANSCKIMPORTPENDINGRELATIONSHIP ADD COLUMN ZISRESOLVABLE INTEGER;
        CREATE INDEX Z_NSCKMirroredRelationship_isPendingIndex
        ON ANSCKMIRROREDRELATIONSHIP (ZISPENDING COLLATE BINARY ASC);
        CREATE INDEX Z_NSCKImportPendingRelationship_isResolvableIndex
        ON ANSCKIMPORTPENDINGRELATIONSHIP (ZISRESOLVABLE COLLATE BINARY ASC);
        CREATE INDEX Z_NSCKRecordMetadata_RecordNameWithRecordZoneIndex
        ON ANSCKRECORDMETADATA (ZCKRECORDNAME COLLATE BINARY ASC, ZRECORDZONE COLLATE BINARY ASC)
        """
}
