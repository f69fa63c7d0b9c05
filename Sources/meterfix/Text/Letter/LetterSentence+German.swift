extension LetterSentence {
    var german: LetterTemplate {
        switch self {
        case .titleStorm, .titleRecovered, .leadStorm, .storm, .stormUploaded, .stormReceived, .recovered: english
        case .wordStop: "Stopp: Öffnen Sie die App nicht"
        case .wordIncomplete: "Datei unvollständig"
        case .wordDamaged: "Datei beschädigt"
        case .wordEmpty: "Keine Messgeräte"
        case .wordForeign: "Falsche Datei"
        case .wordNewerApp: "Noch nicht reparierbar"
        case .wordRepairNeeded: "Reparatur nötig"
        case .wordRepaired: "Repariert"
        case .wordLook: "Etwas ist zu prüfen"
        case .wordFine: "Alles in Ordnung"

        case .titleAllDeletedByCloud: "iCloud hat alle Messgeräte in dieser Datei gelöscht"
        case .titleMostDeletedByCloud: "iCloud hat die meisten Messgeräte in dieser Datei gelöscht"
        case .titleAllDeletedByApp: "USB Meter hat alle Messgeräte in dieser Datei gelöscht"
        case .titleMostDeletedByApp: "USB Meter hat die meisten Messgeräte in dieser Datei gelöscht"
        case .titlePlaceLost: "Wird USB Meter geöffnet, gehen auf diesem Gerät Änderungen verloren"
        case .titleOtherAccount: "Dieses Gerät ist bei einem anderen iCloud-Account angemeldet"
        case .titleDataDeleted: "Die Daten von USB Meter wurden in iCloud gelöscht"
        case .titleIncomplete: "Ein Teil dieser Datei fehlt"
        case .titleDamaged: "Diese Datei ist beschädigt"
        case .titleEmpty: "In dieser Datei ist kein Messgerät"
        case .titleForeign: "Das ist nicht die Datei mit den Messgeräten"
        case .titleNewerApp: "Diese Datei ist wahrscheinlich von einer neueren Version von USB Meter"
        case .titleDuplicates:
            .counted(
                one: "{number} von {meters} Messgeräten ist mehrfach gespeichert",
                many: "{number} von {meters} Messgeräten sind mehrfach gespeichert")
        case .titleAllDuplicates:
            .counted(
                one: "Das Messgerät ist mehrfach gespeichert",
                many: "Alle {number} Messgeräte sind mehrfach gespeichert")
        case .titleDisorder:
            .counted(
                one: "{number} Eintrag muss in Ordnung gebracht werden",
                many: "{number} Einträge müssen in Ordnung gebracht werden")
        case .titleOnce:
            .counted(
                one: "Das Messgerät ist einmal gespeichert",
                many: "Jedes der {number} Messgeräte ist einmal gespeichert")
        case .titleUnknownMeters:
            .counted(
                one: "{number} Eintrag sagt nicht, zu welchem Messgerät er gehört",
                many: "{number} Einträge sagen nicht, zu welchen Messgeräten sie gehören")

        case .leadDeleted:
            .counted(
                one: "{number} Eintrag wurde {day} gelöscht.",
                many: "{number} Einträge wurden {day} auf einmal gelöscht.")
        case .leadLastCopy:
            "Vielleicht hat ein anderes Gerät die letzte Kopie. Auch dort geht sie verloren, sobald USB Meter mit Netz läuft."
        case .leadPlaceLost:
            "Das Gerät hat im Austausch mit iCloud den Anschluss verloren. Was iCloud noch nicht hat, ist nur in dieser Datei."
        case .leadOtherAccount: "Sobald USB Meter geöffnet wird, löscht es die Messgeräte auf diesem Gerät."
        case .leadDataDeleted: "Jedes Gerät, auf dem USB Meter geöffnet wird, löscht seine Messgeräte."
        case .leadSendAgain: "Wir brauchen die Datei noch einmal, mit allen ihren Teilen."
        case .leadRightFile: "Wir brauchen die Datei von einem Gerät mit den Messgeräten."
        case .leadNewerApp: "Sie kann repariert werden, sobald wir diese Version kennen. Nichts wurde geändert."
        case .leadImpossible: "Diese Datei kann so nicht repariert werden."
        case .leadReady: "Eine Reparatur ist vorbereitet, und sie behält jedes Messgerät."
        case .leadFirstCloud: "Zuerst muss der Austausch mit iCloud wieder funktionieren."
        case .leadFirstDecisions:
            .counted(
                one: "Zuerst ist eine Frage zu beantworten.", many: "Zuerst sind {count} Fragen zu beantworten.")
        case .leadUnchanged: "Noch wurde nichts geändert."
        case .leadRepaired: "Die Reparatur wurde {day} gemacht."
        case .leadPutBack: "Die Datei kommt jetzt zurück auf das Gerät, von dem sie stammt."
        case .leadArrived: "Die Reparatur ist in iCloud angekommen."
        case .leadNothingToRepair: "Es gibt nichts zu reparieren."
        case .leadPoints:
            .counted(
                one: "Im Brief steht ein Punkt, der zu prüfen ist.",
                many: "Im Brief stehen {count} Punkte, die zu prüfen sind.")
        case .leadCloud: "Aber der Austausch mit iCloud schlägt fehl."

        case .greeting: "Guten Tag,"
        case .regards: "Freundliche Grüße"
        case .signature: "Ihr Support von USB Meter"
        case .thanks: "Danke für Ihre Datei."

        case .allDeletedByCloud:
            "{Day} hat iCloud USB Meter auf diesem Gerät angewiesen, alle seine Messgeräte zu löschen."
        case .mostDeletedByCloud:
            "{Day} hat iCloud USB Meter auf diesem Gerät angewiesen, die meisten seiner Messgeräte zu löschen."
        case .allDeletedByApp: "{Day} hat USB Meter auf diesem Gerät alle seine Messgeräte gelöscht."
        case .mostDeletedByApp: "{Day} hat USB Meter auf diesem Gerät die meisten seiner Messgeräte gelöscht."
        case .deletedByReset:
            "Wahrscheinlich wurden seine Daten in iCloud gelöscht, oder ein anderer Account wurde angemeldet."
        case .deletedHope: "Es gibt eine Chance, sie zurückzuholen: Vielleicht hat ein anderes Gerät sie noch."
        case .placeLost:
            "Dieses Gerät hat im Austausch mit iCloud den Anschluss verloren. Wird USB Meter jetzt geöffnet, geht hier verloren, was iCloud noch nicht hat."
        case .otherAccount:
            "Dieses Gerät ist bei einem anderen iCloud-Account angemeldet als bisher. Wird USB Meter jetzt geöffnet, löscht es Ihre Messgeräte auf diesem Gerät."
        case .dataDeleted:
            "Die Daten von USB Meter wurden in iCloud gelöscht. Jedes Gerät, auf dem USB Meter geöffnet wird, löscht Ihre Messgeräte ebenfalls."

        case .incomplete: "Ein Teil der Datei fehlt, und mit ihm wahrscheinlich Ihre letzten Änderungen."
        case .onlyOfThisPart: "Was jetzt folgt, gilt nur für den Teil, den wir haben."
        case .damaged: "Die Datei ist beschädigt, wahrscheinlich auf dem Weg zu uns. Wir haben nichts geändert."
        case .empty: "In dieser Datei ist kein Eintrag zu einem Messgerät."
        case .formerUnknown: "Sie hat keinen Verlauf, der sagen könnte, ob es je einen gab."
        case .formerNone: "Auch ihr Verlauf erwähnt keinen."
        case .formerDeleted:
            .counted(
                one: "Ihr Verlauf sagt, dass ein Eintrag gelöscht wurde.",
                many: "Ihr Verlauf sagt, dass {count} Einträge gelöscht wurden.")
        case .formerDeletedOn:
            .counted(
                one: "Ihr Verlauf sagt, dass ein Eintrag {day} gelöscht wurde.",
                many: "Ihr Verlauf sagt, dass {count} Einträge gelöscht wurden, der letzte {day}.")
        case .foreign:
            "In dieser Datei sind keine Messgeräte. Sie gehört zu einer anderen App oder zu einem anderen Teil von USB Meter."
        case .newerApp:
            "Ihre Datei ist wahrscheinlich von einer neueren Version von USB Meter, als wir heute reparieren können. Sie müssen nichts tun; wir melden uns."

        case .nothingWrong: "Mit Ihren Messgeräten ist alles in Ordnung."
        case .onceEach:
            .counted(
                one: "Ihr Messgerät ist einmal gespeichert.",
                many: "Jedes Ihrer {count} Messgeräte ist einmal gespeichert.")
        case .nothingToDo: "Sie müssen nichts tun."
        case .unknownMeters:
            .counted(
                one: "Diese Datei hat einen Eintrag, und er sagt nicht, zu welchem Messgerät er gehört.",
                many: "Diese Datei hat {count} Einträge, und keiner sagt, zu welchem Messgerät er gehört.")
        case .duplicatesNamed:
            .counted(
                one: "Eines Ihrer Messgeräte ist {often} gespeichert: {names}.",
                many: "{Count} Ihrer Messgeräte sind {often} gespeichert: {names}.")
        case .duplicatesUnnamed:
            .counted(
                one: "Eines Ihrer Messgeräte ist {often} gespeichert. Es hat keinen Namen.",
                many: "{Count} Ihrer Messgeräte sind {often} gespeichert. Keines davon hat einen Namen.")
        case .comeAndGo:
            .counted(
                one: "Darum kommen und verschwinden sein Name und seine Einheit.",
                many: "Darum kommen und verschwinden ihre Namen und Einheiten.")
        case .levelled: "Bis dahin fehlt in der App kein Name und keine Einheit."
        case .noLoss: "Wir können das reparieren, und kein Messgerät geht verloren."
        case .toOrder:
            .counted(
                one: "Ein Eintrag muss in Ordnung gebracht werden.",
                many: "{Count} Einträge müssen in Ordnung gebracht werden.")
        case .othersToOrder:
            .counted(
                one: "Ein weiterer Eintrag wird in Ordnung gebracht.",
                many: "{Count} weitere Einträge werden in Ordnung gebracht.")
        case .duplicates:
            .counted(
                one: "Eines Ihrer Messgeräte ist mehrfach gespeichert.",
                many: "{Count} Ihrer Messgeräte sind mehrfach gespeichert.")
        case .impossible: "Diese Datei kann so nicht repariert werden; der Grund steht weiter unten."
        case .mergedNamed:
            .counted(
                one: "Ein Messgerät war {often} gespeichert und ist jetzt nur einmal gespeichert: {names}.",
                many:
                    "{Count} Messgeräte waren {often} gespeichert, und jedes ist jetzt nur einmal gespeichert: {names}."
            )
        case .mergedUnnamed:
            .counted(
                one: "Ein Messgerät war {often} gespeichert und ist jetzt nur einmal gespeichert. Es hat keinen Namen.",
                many:
                    "{Count} Messgeräte waren {often} gespeichert, und jedes ist jetzt nur einmal gespeichert. Keines davon hat einen Namen."
            )
        case .nothingLost: "Kein Messgerät ging verloren."
        case .namesBack:
            .counted(
                one: "Ein Messgerät hat seinen alten Namen zurück: {names}.",
                many: "{Count} Messgeräte haben ihre alten Namen zurück: {names}.")
        case .filledNamed:
            .counted(
                one: "Die App zeigt wieder Name und Einheit eines Messgeräts: {names}.",
                many: "Die App zeigt wieder die Namen und Einheiten von {count} Messgeräten: {names}.")
        case .filledUnnamed:
            .counted(
                one: "Die App zeigt wieder die Einheit eines Messgeräts. Es hat keinen Namen.",
                many: "Die App zeigt wieder die Einheiten von {count} Messgeräten. Keines davon hat einen Namen.")
        case .gone:
            .counted(
                one: "Ein Messgerät, das repariert wurde, ist nicht mehr in dieser Datei.",
                many: "{Count} Messgeräte, die repariert wurden, sind nicht mehr in dieser Datei.")
        case .newFormat: "Die Datei wurde auf das neuere Format der App gebracht."
        case .ordered:
            .counted(
                one: "Ein Eintrag wurde in Ordnung gebracht.", many: "{Count} Einträge wurden in Ordnung gebracht.")
        case .othersOrdered:
            .counted(
                one: "Ein weiterer Eintrag wurde in Ordnung gebracht.",
                many: "{Count} weitere Einträge wurden in Ordnung gebracht.")
        case .nothingChanged: "Die letzte Reparatur fand an Ihren Messgeräten nichts zu ändern."
        case .repairedOn: "Diese Reparatur haben wir {day} gemacht."
        case .forgotten: "Ihre Messgeräte wurden {day} repariert; was geändert wurde, ist nicht mehr bekannt."
        case .arrived:
            "Die Reparatur ist in iCloud angekommen; Sie dürfen USB Meter auf Ihren anderen Geräten öffnen."

        case .twice: "zweimal"
        case .times: "{number}-mal"
        case .twiceOrMore: "zweimal oder öfter"
        case .moreNames: .counted(one: "{number} weiterer", many: "{number} weitere")
        case .unnamed: .counted(one: "eines ohne Namen", many: "{count} ohne Namen")
        case .noName: "ein Messgerät ohne Namen"
        case .address: "das Messgerät {address}"
        case .onDay: "am {date}"
        case .onUnknownDay: "zu einem unbekannten Zeitpunkt"
        case .untilDate: "bis zum {date}"
        case .untilFarDate: "bis in eine ferne Zukunft"

        case .tag: "Eines ist zu tun"
        case .tagNow: "Eines ist zu tun, jetzt"
        case .doAirplane: "Schalten Sie auf Ihren anderen Geräten den Flugmodus ein"
        case .doAirplaneText:
            "Tun Sie das zuerst, und öffnen Sie USB Meter dort nicht. Auf einem Mac schalten Sie WLAN aus. Ohne Netz kann auf diesen Geräten nichts gelöscht werden."
        case .doClosed: "Öffnen Sie USB Meter nicht"
        case .doClosedText: "Bitte lassen Sie es auf allen Ihren Geräten geschlossen, bis wir Ihnen schreiben."
        case .doSend: "Senden Sie die Datei noch einmal, mit allen ihren Teilen"
        case .doSendText:
            "Bitte schließen Sie USB Meter, und senden Sie alle Dateien, deren Namen mit „{file}“ beginnen."
        case .doRightFile: "Sehen Sie nach, ob das die richtige Datei ist"
        case .doRightFileText:
            "Ist sie von einem Gerät mit Ihren Messgeräten? Bitte senden Sie auch die Datei mit demselben Namen und „-wal“ am Ende."
        case .doForeign: "Senden Sie die Datei mit Ihren Messgeräten"
        case .doPutBack: "Legen Sie die Datei zurück, und öffnen Sie USB Meter nur auf diesem Gerät"
        case .doPutBackText:
            "Das ist das Gerät, von dem Sie die Datei gesendet haben. Lassen Sie USB Meter dort offen, bis wir wieder schreiben. Lassen Sie es so lange auf allen anderen Geräten geschlossen."
        case .doAnswer: .counted(one: "Beantworten Sie eine Frage", many: "Beantworten Sie {count} Fragen")
        case .doCheck: .counted(one: "Prüfen Sie einen Punkt", many: "Prüfen Sie {count} Punkte")

        case .cloudFails: "Der Austausch mit iCloud schlägt fehl."
        case .cloudFailsSince: "Der Austausch mit iCloud schlägt seit dem {date} fehl."
        case .doRoom: "Schaffen Sie Platz in iCloud"
        case .cloudFull:
            "Ihr iCloud-Speicher ist voll; darum können Ihre Geräte ihre Änderungen nicht austauschen. Was den Platz belegt, sehen Sie in den Einstellungen unter Ihrem Namen und dort unter iCloud. Löschen Sie USB Meter nicht, bis Platz ist."
        case .doLookForRoom: "Sehen Sie nach, ob Ihr iCloud-Speicher voll ist"
        case .cloudSomeRefused:
            "iCloud hat einige Einträge nicht angenommen. Löschen Sie USB Meter nicht, solange das so ist."
        case .doSignIn: "Melden Sie sich bei iCloud an, und erlauben Sie USB Meter, es zu benutzen"
        case .cloudNotSignedIn:
            "USB Meter hat auf diesem Gerät keinen iCloud-Account. Bitte melden Sie sich mit demselben Account an wie bisher; ein anderer Account würde die Messgeräte hier löschen."
        case .doAnswerCloud: "Beantworten Sie, was iCloud fragt"
        case .cloudAsks:
            "iCloud erwartet eine Antwort von Ihnen, vielleicht Ihr Passwort. Bitte öffnen Sie die Einstellungen des Geräts, und geben Sie sie."
        case .doNetwork: "Sehen Sie nach, ob das Gerät im Netz ist"
        case .cloudUnreachable: "Das Gerät konnte iCloud nicht erreichen."
        case .doOpen: "Öffnen Sie USB Meter, und lassen Sie es offen"
        case .cloudStartsAgain:
            "USB Meter muss alle seine Daten noch einmal mit iCloud austauschen. Das braucht ein gutes Netz und etwas Zeit."
        case .cloudInterrupted:
            "USB Meter wurde während des Austauschs mit iCloud geschlossen. Ein paar Minuten genügen."
        case .doQuit: "Beenden Sie USB Meter, und öffnen Sie es wieder"
        case .cloudTwice: "USB Meter war zweimal gleichzeitig mit iCloud verbunden."
        case .doCloud: "Sehen Sie auf jedem Gerät in den Einstellungen nach iCloud"
        case .cloudUnknown: "Ist jedes Gerät bei iCloud angemeldet, und ist dort Platz?"
        case .cloudRefused:
            "iCloud nimmt nicht an, was USB Meter sendet, und nur wir können das beheben. Bitte löschen Sie USB Meter bis dahin nicht."
        case .cloudSettled:
            "iCloud hat beim letzten Mal nicht alles angenommen; USB Meter versucht es von selbst wieder."

        case .alsoAnswer:
            .counted(
                one: "Bitte beantworten Sie auch eine Frage.", many: "Bitte beantworten Sie auch {count} Fragen.")
        case .alsoCheck:
            .counted(one: "Bitte prüfen Sie auch einen Punkt.", many: "Bitte prüfen Sie auch {count} Punkte.")
        case .replyOne: "Eine Antwort wie „1 ja“ genügt."
        case .replyMany: "Eine Antwort wie „1 ja, 2 nein“ genügt."
        case .noReply: "Wo es stimmt, müssen Sie nicht antworten."
        case .labelYes: "{number} ja"
        case .labelNo: "{number} nein"
        case .askName: "Ein Messgerät hat {count} Namen. Ist {value} der richtige?"
        case .askUnit: "{Meter} ist auf {count} Einheiten gestellt. Ist {value} die richtige?"
        case .askField: "{Meter} hat {count} Werte für {field}. Ist {value} der richtige?"
        case .stays: "Es bleibt {value}."
        case .becomes: "Es wird {others}."
        case .tellWhich: "Sagen Sie uns, welcher Wert es ist: {others}."
        case .checkName: "Ein Messgerät hatte {count} Namen. Wir haben {value} behalten. Stimmt das?"
        case .checkUnit: "{Meter} war auf {count} Einheiten gestellt. Wir haben {value} behalten. Stimmt das?"
        case .checkField: "{Meter} hatte {count} Werte für {field}. Wir haben {value} behalten. Stimmt das?"
        case .nothingChanges: "Nichts ändert sich."
        case .becomesAgain: "Es wird wieder {others}. Das haben wir noch."
        case .tellWhichAgain: "Sagen Sie uns, welcher Wert es ist: {others}. Wir haben sie noch."
        case .askOtherDevice: "Gibt es ein Gerät, auf dem USB Meter seitdem nicht geöffnet wurde?"
        case .askOtherDeviceYes: "Sagen Sie uns, welches. Wir retten Ihre Messgeräte von dort."
        case .askOtherDeviceNo: "Wir suchen sie in unseren Sicherungen und in dem, was von dieser Datei übrig ist."
        case .askPurge: "Hat jemand in den iCloud-Einstellungen die Daten von USB Meter gelöscht?"
        case .askPurgeYes: "Dann kennen wir die Ursache."
        case .askPurgeNo: "Wir suchen die Ursache, bevor wir etwas zurückholen."
        case .moreQuestions:
            .counted(
                one:
                    "Bei einem weiteren Namen oder einer weiteren Einheit behalten wir den späteren Wert; er steht unten.",
                many: "Bei {number} weiteren Namen und Einheiten behalten wir den späteren Wert; sie stehen unten.")

        case .nameSettled:
            .counted(
                one: "Ein Messgerät heißt jetzt {value}; sein anderer Name {others} wurde verworfen.",
                many: "Ein Messgerät heißt jetzt {value}; seine anderen Namen {others} wurden verworfen.")
        case .unitSettled:
            .counted(
                one: "{Meter} ist jetzt auf {value} gestellt; {others} wurde verworfen.",
                many: "{Meter} ist jetzt auf {value} gestellt; {others} wurden verworfen.")
        case .fieldSettled:
            .counted(
                one: "{Meter} hat jetzt {value} als {field}; {others} wurde verworfen.",
                many: "{Meter} hat jetzt {value} als {field}; {others} wurden verworfen.")
        case .nameNone:
            .counted(
                one: "{Meter} hat jetzt keinen Namen; {others} wurde verworfen.",
                many: "{Meter} hat jetzt keinen Namen; {others} wurden verworfen.")
        case .unitNone:
            .counted(
                one: "{Meter} hat jetzt keine Einheit; {others} wurde verworfen.",
                many: "{Meter} hat jetzt keine Einheit; {others} wurden verworfen.")
        case .fieldNone:
            .counted(
                one: "{Meter} hat jetzt nichts als {field}; {others} wurde verworfen.",
                many: "{Meter} hat jetzt nichts als {field}; {others} wurden verworfen.")
        case .rejects:
            .counted(
                one: "Einer der alten Namen und Einheiten ließ sich nicht verwenden.",
                many: "{Count} der alten Namen und Einheiten ließen sich nicht verwenden.")
        case .reserved:
            "{Meter} ist {until} für {device} reserviert, wahrscheinlich weil eine Uhr falsch ging."
        case .reservedByUnknown: "{Meter} ist {until} reserviert, wahrscheinlich weil eine Uhr falsch ging."
        case .freedWithRepair: "Wir geben es mit der Reparatur frei."
        case .canFree: "Wir können es freigeben."
        case .meterUnknown:
            .counted(
                one: "Ein Eintrag sagt nicht, zu welchem Messgerät er gehört.",
                many: "{Count} Einträge sagen nicht, zu welchen Messgeräten sie gehören.")
        case .meterUnknownNamed:
            .counted(
                one: "Ein Eintrag sagt nicht, zu welchem Messgerät er gehört: {names}.",
                many: "{Count} Einträge sagen nicht, zu welchen Messgeräten sie gehören: {names}.")
        case .nameNotTyped:
            .counted(
                one: "Ein Messgerät hat einen Namen, der nicht sagt, welches es ist.",
                many: "{Count} Messgeräte haben Namen, die nicht sagen, welche es sind.")
        case .nameNotTypedNamed:
            .counted(
                one: "Ein Messgerät hat einen Namen, der nicht sagt, welches es ist: {names}.",
                many: "{Count} Messgeräte haben Namen, die nicht sagen, welche es sind: {names}.")
        case .nameShared: "Mehr als ein Messgerät hat denselben Namen."
        case .nameSharedNamed: "Mehr als ein Messgerät hat denselben Namen: {names}."
        case .unitUnknown:
            .counted(
                one: "Die Temperatureinheit eines Messgeräts ist nicht zu verstehen.",
                many: "Die Temperatureinheiten von {count} Messgeräten sind nicht zu verstehen.")
        case .unitUnknownNamed:
            .counted(
                one: "Die Temperatureinheit eines Messgeräts ist nicht zu verstehen: {names}.",
                many: "Die Temperatureinheiten von {count} Messgeräten sind nicht zu verstehen: {names}.")
        case .dateWrong:
            .counted(
                one: "Ein Messgerät hat ein Datum, das nicht stimmen kann. Geht die Uhr jedes Geräts richtig?",
                many: "{Count} Messgeräte haben Daten, die nicht stimmen können. Geht die Uhr jedes Geräts richtig?")
        case .dateWrongNamed:
            .counted(
                one: "Ein Messgerät hat ein Datum, das nicht stimmen kann: {names}. Geht die Uhr jedes Geräts richtig?",
                many:
                    "{Count} Messgeräte haben Daten, die nicht stimmen können: {names}. Geht die Uhr jedes Geräts richtig?"
            )
        case .deviceName:
            "Ein Gerät heißt nur wie sein Modell, zum Beispiel „iPad“. Ein eigener Name würde es von den anderen unterscheiden."
        case .forSupport:
            .counted(
                one: "Ein Punkt weiter unten ist für uns; wir können ihn erklären.",
                many: "{Count} Punkte weiter unten sind für uns; wir können sie erklären.")
        case .moreNotes:
            .counted(
                one: "Ein weiterer Punkt steht weiter unten.", many: "{Count} weitere Punkte stehen weiter unten.")
        }
    }
}
