extension LetterSentence {
    var romanian: LetterTemplate {
        switch self {
        case .titleStorm, .titleRecovered, .leadStorm, .storm, .stormUploaded, .stormReceived, .recovered: english
        case .wordStop: "Stop: nu deschideți aplicația"
        case .wordIncomplete: "Fișier incomplet"
        case .wordDamaged: "Fișier deteriorat"
        case .wordEmpty: "Niciun contor"
        case .wordForeign: "Fișier greșit"
        case .wordNewerApp: "Nu poate fi încă reparat"
        case .wordRepairNeeded: "Este nevoie de o reparație"
        case .wordRepaired: "Reparat"
        case .wordLook: "Ceva de verificat"
        case .wordFine: "Totul este în ordine"

        case .titleAllDeletedByCloud: "iCloud a șters toate contoarele din acest fișier"
        case .titleMostDeletedByCloud: "iCloud a șters cele mai multe contoare din acest fișier"
        case .titleAllDeletedByApp: "USB Meter a șters toate contoarele din acest fișier"
        case .titleMostDeletedByApp: "USB Meter a șters cele mai multe contoare din acest fișier"
        case .titlePlaceLost: "Dacă deschideți USB Meter, pe acest dispozitiv se pierd modificări"
        case .titleOtherAccount: "Acest dispozitiv este conectat la alt cont iCloud"
        case .titleDataDeleted: "Datele USB Meter au fost șterse din iCloud"
        case .titleIncomplete: "O parte din acest fișier lipsește"
        case .titleDamaged: "Acest fișier este deteriorat"
        case .titleEmpty: "În acest fișier nu este niciun contor"
        case .titleForeign: "Acesta nu este fișierul cu contoarele"
        case .titleNewerApp: "Acest fișier este probabil de la o versiune mai nouă de USB Meter"
        case .titleDuplicates:
            .counted(
                one: "{number} contor din {meters} este salvat de mai multe ori",
                few: "{number} contoare din {meters} sunt salvate de mai multe ori",
                many: "{number} de contoare din {meters} sunt salvate de mai multe ori")
        case .titleAllDuplicates:
            .counted(
                one: "Contorul este salvat de mai multe ori",
                few: "Toate cele {number} contoare sunt salvate de mai multe ori",
                many: "Toate cele {number} de contoare sunt salvate de mai multe ori")
        case .titleDisorder:
            .counted(
                one: "{number} intrare trebuie pusă în ordine",
                few: "{number} intrări trebuie puse în ordine",
                many: "{number} de intrări trebuie puse în ordine")
        case .titleOnce:
            .counted(
                one: "Contorul este salvat o singură dată",
                few: "Fiecare dintre cele {number} contoare este salvat o singură dată",
                many: "Fiecare dintre cele {number} de contoare este salvat o singură dată")
        case .titleUnknownMeters:
            .counted(
                one: "{number} intrare nu spune cărui contor îi aparține",
                few: "{number} intrări nu spun cărui contor îi aparțin",
                many: "{number} de intrări nu spun cărui contor îi aparțin")

        case .leadDeleted:
            .counted(
                one: "{number} intrare a fost ștearsă {day}.",
                few: "{number} intrări au fost șterse deodată {day}.",
                many: "{number} de intrări au fost șterse deodată {day}.")
        case .leadLastCopy:
            "Poate că alt dispozitiv are ultima copie. Și acolo se pierde, imediat ce USB Meter are acces la rețea."
        case .leadPlaceLost:
            "Dispozitivul a pierdut firul schimbului cu iCloud. Ce nu are încă iCloud se află doar în acest fișier."
        case .leadOtherAccount: "Imediat ce USB Meter este deschis, șterge contoarele de pe acest dispozitiv."
        case .leadDataDeleted: "Fiecare dispozitiv pe care este deschis USB Meter își șterge contoarele."
        case .leadSendAgain: "Avem nevoie încă o dată de fișier, cu toate părțile lui."
        case .leadRightFile: "Avem nevoie de fișierul de pe un dispozitiv cu contoarele."
        case .leadNewerApp: "Poate fi reparat imediat ce cunoaștem acea versiune. Nimic nu a fost modificat."
        case .leadImpossible: "Acest fișier nu poate fi reparat așa cum este."
        case .leadReady: "O reparație este pregătită și păstrează fiecare contor."
        case .leadFirstCloud: "Mai întâi, schimbul cu iCloud trebuie să funcționeze din nou."
        case .leadFirstDecisions:
            .counted(
                one: "Mai întâi, trebuie un răspuns la o întrebare.",
                few: "Mai întâi, trebuie un răspuns la {count} întrebări.",
                many: "Mai întâi, trebuie un răspuns la {count} de întrebări.")
        case .leadUnchanged: "Nimic nu a fost modificat încă."
        case .leadRepaired: "Reparația a fost făcută {day}."
        case .leadPutBack: "Fișierul se întoarce acum pe dispozitivul de pe care a venit."
        case .leadArrived: "Reparația a ajuns în iCloud."
        case .leadNothingToRepair: "Nu este nimic de reparat."
        case .leadPoints:
            .counted(
                one: "Scrisoarea are un punct de verificat.",
                few: "Scrisoarea are {count} puncte de verificat.",
                many: "Scrisoarea are {count} de puncte de verificat.")
        case .leadCloud: "Dar schimbul cu iCloud eșuează."

        case .greeting: "Bună ziua,"
        case .regards: "Cu stimă,"
        case .signature: "Echipa de asistență USB Meter"
        case .thanks: "Vă mulțumim pentru fișier."

        case .allDeletedByCloud:
            "{Day}, iCloud i-a cerut aplicației USB Meter să șteargă toate contoarele de pe acest dispozitiv."
        case .mostDeletedByCloud:
            "{Day}, iCloud i-a cerut aplicației USB Meter să șteargă cele mai multe contoare de pe acest dispozitiv."
        case .allDeletedByApp: "{Day}, USB Meter a șters toate contoarele de pe acest dispozitiv."
        case .mostDeletedByApp: "{Day}, USB Meter a șters cele mai multe contoare de pe acest dispozitiv."
        case .deletedByReset:
            "Probabil datele sale au fost șterse din iCloud sau a fost conectat alt cont."
        case .deletedHope: "Există o șansă de a le recupera: poate că alt dispozitiv le are încă."
        case .placeLost:
            "Acest dispozitiv a pierdut firul schimbului cu iCloud. Dacă deschideți acum USB Meter, aici se pierde ce nu are încă iCloud."
        case .otherAccount:
            "Acest dispozitiv este conectat la alt cont iCloud decât înainte. Dacă deschideți acum USB Meter, vă șterge contoarele de pe acest dispozitiv."
        case .dataDeleted:
            "Datele USB Meter au fost șterse din iCloud. Fiecare dispozitiv pe care este deschis USB Meter vă șterge și el contoarele."

        case .incomplete: "O parte din fișier lipsește și, probabil, odată cu ea ultimele modificări."
        case .onlyOfThisPart: "Ce urmează este adevărat doar pentru partea pe care o avem."
        case .damaged: "Fișierul este deteriorat, probabil pe drumul spre noi. Nu am modificat nimic."
        case .empty: "În acest fișier nu este nicio intrare a unui contor."
        case .formerUnknown: "Nu are un istoric care să spună dacă a fost vreodată una."
        case .formerNone: "Nici istoricul lui nu pomenește vreuna."
        case .formerDeleted:
            .counted(
                one: "Istoricul lui spune că o intrare a fost ștearsă.",
                few: "Istoricul lui spune că {count} intrări au fost șterse.",
                many: "Istoricul lui spune că {count} de intrări au fost șterse.")
        case .formerDeletedOn:
            .counted(
                one: "Istoricul lui spune că o intrare a fost ștearsă {day}.",
                few: "Istoricul lui spune că {count} intrări au fost șterse, ultima {day}.",
                many: "Istoricul lui spune că {count} de intrări au fost șterse, ultima {day}.")
        case .foreign:
            "În acest fișier nu sunt contoare. Aparține altei aplicații sau altei părți din USB Meter."
        case .newerApp:
            "Fișierul este probabil de la o versiune de USB Meter mai nouă decât putem repara astăzi. Nu trebuie să faceți nimic; vă vom scrie."

        case .nothingWrong: "Contoarele dumneavoastră sunt în ordine."
        case .onceEach:
            .counted(
                one: "Contorul dumneavoastră este salvat o singură dată.",
                few: "Fiecare dintre cele {count} contoare este salvat o singură dată.",
                many: "Fiecare dintre cele {count} de contoare este salvat o singură dată.")
        case .nothingToDo: "Nu trebuie să faceți nimic."
        case .unknownMeters:
            .counted(
                one: "Acest fișier are o intrare și ea nu spune cărui contor îi aparține.",
                few: "Acest fișier are {count} intrări și niciuna nu spune cărui contor îi aparține.",
                many: "Acest fișier are {count} de intrări și niciuna nu spune cărui contor îi aparține.")
        case .duplicatesNamed:
            .counted(
                one: "Un contor este salvat {often}: {names}.",
                few: "{Count} contoare sunt salvate {often}: {names}.",
                many: "{Count} de contoare sunt salvate {often}: {names}.")
        case .duplicatesUnnamed:
            .counted(
                one: "Un contor este salvat {often}. Nu are nume.",
                few: "{Count} contoare sunt salvate {often}. Niciunul nu are nume.",
                many: "{Count} de contoare sunt salvate {often}. Niciunul nu are nume.")
        case .comeAndGo:
            .counted(
                one: "De aceea numele și unitatea lui apar și dispar.",
                many: "De aceea numele și unitățile lor apar și dispar.")
        case .levelled: "Până atunci, în aplicație nu lipsește niciun nume și nicio unitate."
        case .noLoss: "Putem repara aceasta și niciun contor nu se va pierde."
        case .toOrder:
            .counted(
                one: "O intrare trebuie pusă în ordine.",
                few: "{Count} intrări trebuie puse în ordine.",
                many: "{Count} de intrări trebuie puse în ordine.")
        case .othersToOrder:
            .counted(
                one: "Încă o intrare va fi pusă în ordine.",
                few: "Alte {count} intrări vor fi puse în ordine.",
                many: "Alte {count} de intrări vor fi puse în ordine.")
        case .duplicates:
            .counted(
                one: "Un contor este salvat de mai multe ori.",
                few: "{Count} contoare sunt salvate de mai multe ori.",
                many: "{Count} de contoare sunt salvate de mai multe ori.")
        case .impossible: "Acest fișier nu poate fi reparat așa cum este; motivul este scris mai jos."
        case .mergedNamed:
            .counted(
                one: "Un contor era salvat {often} și este acum salvat o singură dată: {names}.",
                few: "{Count} contoare erau salvate {often} și fiecare este acum salvat o singură dată: {names}.",
                many: "{Count} de contoare erau salvate {often} și fiecare este acum salvat o singură dată: {names}."
            )
        case .mergedUnnamed:
            .counted(
                one: "Un contor era salvat {often} și este acum salvat o singură dată. Nu are nume.",
                few:
                    "{Count} contoare erau salvate {often} și fiecare este acum salvat o singură dată. Niciunul nu are nume.",
                many:
                    "{Count} de contoare erau salvate {often} și fiecare este acum salvat o singură dată. Niciunul nu are nume."
            )
        case .nothingLost: "Niciun contor nu s-a pierdut."
        case .namesBack:
            .counted(
                one: "Un contor are din nou numele vechi: {names}.",
                few: "{Count} contoare au din nou numele vechi: {names}.",
                many: "{Count} de contoare au din nou numele vechi: {names}.")
        case .filledNamed:
            .counted(
                one: "Aplicația arată din nou numele și unitatea unui contor: {names}.",
                few: "Aplicația arată din nou numele și unitățile a {count} contoare: {names}.",
                many: "Aplicația arată din nou numele și unitățile a {count} de contoare: {names}.")
        case .filledUnnamed:
            .counted(
                one: "Aplicația arată din nou unitatea unui contor. Nu are nume.",
                few: "Aplicația arată din nou unitățile a {count} contoare. Niciunul nu are nume.",
                many: "Aplicația arată din nou unitățile a {count} de contoare. Niciunul nu are nume.")
        case .gone:
            .counted(
                one: "Un contor care a fost reparat nu mai este în acest fișier.",
                few: "{Count} contoare care au fost reparate nu mai sunt în acest fișier.",
                many: "{Count} de contoare care au fost reparate nu mai sunt în acest fișier.")
        case .newFormat: "Fișierul a fost adus la formatul mai nou al aplicației."
        case .ordered:
            .counted(
                one: "O intrare a fost pusă în ordine.",
                few: "{Count} intrări au fost puse în ordine.",
                many: "{Count} de intrări au fost puse în ordine.")
        case .othersOrdered:
            .counted(
                one: "Încă o intrare a fost pusă în ordine.",
                few: "Alte {count} intrări au fost puse în ordine.",
                many: "Alte {count} de intrări au fost puse în ordine.")
        case .nothingChanged: "Ultima reparație nu a găsit nimic de modificat la contoarele dumneavoastră."
        case .repairedOn: "Am făcut această reparație {day}."
        case .forgotten: "Contoarele au fost reparate {day}; ce s-a modificat nu se mai știe."
        case .arrived:
            "Reparația a ajuns în iCloud; puteți deschide USB Meter pe celelalte dispozitive."

        case .twice: "de două ori"
        case .times: .counted(one: "o dată", few: "de {number} ori", many: "de {number} de ori")
        case .twiceOrMore: "de două sau mai multe ori"
        case .moreNames: .counted(one: "încă {number}", many: "încă {number}")
        case .unnamed: .counted(one: "unul fără nume", many: "{count} fără nume")
        case .noName: "un contor fără nume"
        case .address: "contorul {address}"
        case .onDay: "pe {date}"
        case .onUnknownDay: "la o dată necunoscută"
        case .untilDate: "până pe {date}"
        case .untilFarDate: "până la o dată îndepărtată"

        case .tag: "Un lucru de făcut"
        case .tagNow: "Un lucru de făcut, acum"
        case .doAirplane: "Porniți modul Avion pe celelalte dispozitive"
        case .doAirplaneText:
            "Faceți aceasta mai întâi și nu deschideți USB Meter acolo. Pe un Mac, opriți Wi-Fi. Fără rețea, pe acele dispozitive nu se poate șterge nimic."
        case .doClosed: "Nu deschideți USB Meter"
        case .doClosedText: "Vă rugăm să îl lăsați închis pe toate dispozitivele până când vă scriem."
        case .doSend: "Trimiteți fișierul încă o dată, cu toate părțile lui"
        case .doSendText:
            "Vă rugăm să închideți USB Meter și să trimiteți toate fișierele al căror nume începe cu „{file}”."
        case .doRightFile: "Verificați dacă acesta este fișierul corect"
        case .doRightFileText:
            "Este de pe un dispozitiv cu contoarele dumneavoastră? Trimiteți, vă rugăm, și fișierul cu același nume și cu „-wal” la sfârșit."
        case .doForeign: "Trimiteți fișierul cu contoarele"
        case .doPutBack: "Puneți fișierul la loc și deschideți USB Meter doar pe acel dispozitiv"
        case .doPutBackText:
            "Este dispozitivul de pe care ați trimis fișierul. Lăsați acolo USB Meter deschis până când vă scriem din nou. Până atunci, lăsați-l închis pe toate celelalte dispozitive."
        case .doAnswer:
            .counted(
                one: "Răspundeți la o întrebare", few: "Răspundeți la {count} întrebări",
                many: "Răspundeți la {count} de întrebări")
        case .doCheck:
            .counted(
                one: "Verificați un punct", few: "Verificați {count} puncte", many: "Verificați {count} de puncte")

        case .cloudFails: "Schimbul cu iCloud eșuează."
        case .cloudFailsSince: "Schimbul cu iCloud eșuează din {date}."
        case .doRoom: "Faceți loc în iCloud"
        case .cloudFull:
            "Spațiul iCloud este plin, iar dispozitivele nu își pot transmite modificările. Vedeți ce ocupă loc în Configurări, la numele dumneavoastră și apoi la iCloud. Până când este loc, nu ștergeți USB Meter."
        case .doLookForRoom: "Verificați dacă spațiul iCloud este plin"
        case .cloudSomeRefused: "iCloud nu a acceptat unele intrări. Cât timp este așa, nu ștergeți USB Meter."
        case .doSignIn: "Conectați-vă la iCloud și permiteți-i aplicației USB Meter să îl folosească"
        case .cloudNotSignedIn:
            "USB Meter nu are cont iCloud pe acest dispozitiv. Vă rugăm să vă conectați cu același cont ca înainte; alt cont ar șterge contoarele de aici."
        case .doAnswerCloud: "Răspundeți la ce întreabă iCloud"
        case .cloudAsks:
            "iCloud așteaptă un răspuns de la dumneavoastră, poate parola. Vă rugăm să îl dați în configurările dispozitivului."
        case .doNetwork: "Verificați dacă dispozitivul are rețea"
        case .cloudUnreachable: "Dispozitivul nu a putut ajunge la iCloud."
        case .doOpen: "Deschideți USB Meter și lăsați-l deschis"
        case .cloudStartsAgain:
            "USB Meter trebuie să transmită din nou toate datele către iCloud. Pentru aceasta este nevoie de o rețea bună și de timp."
        case .cloudInterrupted:
            "USB Meter a fost închis în timpul schimbului cu iCloud. Câteva minute sunt de ajuns."
        case .doQuit: "Închideți USB Meter și deschideți-l din nou"
        case .cloudTwice: "USB Meter a fost conectat la iCloud de două ori în același timp."
        case .doCloud: "Verificați iCloud în configurările fiecărui dispozitiv"
        case .cloudUnknown: "Este fiecare dispozitiv conectat la iCloud și este loc acolo?"
        case .cloudRefused:
            "iCloud nu acceptă ce trimite USB Meter și doar noi putem corecta aceasta. Până atunci, vă rugăm să nu ștergeți USB Meter."
        case .cloudSettled:
            "Ultima dată, iCloud nu a acceptat tot; USB Meter încearcă din nou de la sine."

        case .alsoAnswer:
            .counted(
                one: "Vă rugăm să răspundeți și la o întrebare.",
                few: "Vă rugăm să răspundeți și la {count} întrebări.",
                many: "Vă rugăm să răspundeți și la {count} de întrebări.")
        case .alsoCheck:
            .counted(
                one: "Vă rugăm să verificați și un punct.",
                few: "Vă rugăm să verificați și {count} puncte.",
                many: "Vă rugăm să verificați și {count} de puncte.")
        case .replyOne: "Un răspuns precum „1 da” este de ajuns."
        case .replyMany: "Un răspuns precum „1 da, 2 nu” este de ajuns."
        case .noReply: "Unde este corect, nu trebuie să răspundeți."
        case .labelYes: "{number} da"
        case .labelNo: "{number} nu"
        case .askName:
            .counted(
                one: "Un contor are un nume, {value}. Este cel corect?",
                few: "Un contor are {count} nume. Este {value} cel corect?",
                many: "Un contor are {count} de nume. Este {value} cel corect?")
        case .askUnit:
            .counted(
                one: "{Meter} este setat pe o unitate, {value}. Este cea corectă?",
                few: "{Meter} este setat pe {count} unități. Este {value} cea corectă?",
                many: "{Meter} este setat pe {count} de unități. Este {value} cea corectă?")
        case .askField:
            .counted(
                one: "{Meter} are o valoare pentru {field}. Este {value} cea corectă?",
                few: "{Meter} are {count} valori pentru {field}. Este {value} cea corectă?",
                many: "{Meter} are {count} de valori pentru {field}. Este {value} cea corectă?")
        case .stays: "Rămâne {value}."
        case .becomes: "Devine {others}."
        case .tellWhich: "Spuneți-ne care dintre ele: {others}."
        case .checkName:
            .counted(
                one: "Un contor avea un nume. Am păstrat {value}. Este corect?",
                few: "Un contor avea {count} nume. Am păstrat {value}. Este corect?",
                many: "Un contor avea {count} de nume. Am păstrat {value}. Este corect?")
        case .checkUnit:
            .counted(
                one: "{Meter} era setat pe o unitate. Am păstrat {value}. Este corect?",
                few: "{Meter} era setat pe {count} unități. Am păstrat {value}. Este corect?",
                many: "{Meter} era setat pe {count} de unități. Am păstrat {value}. Este corect?")
        case .checkField:
            .counted(
                one: "{Meter} avea o valoare pentru {field}. Am păstrat {value}. Este corect?",
                few: "{Meter} avea {count} valori pentru {field}. Am păstrat {value}. Este corect?",
                many: "{Meter} avea {count} de valori pentru {field}. Am păstrat {value}. Este corect?")
        case .nothingChanges: "Nu se schimbă nimic."
        case .becomesAgain: "Devine din nou {others}. Valoarea o avem încă."
        case .tellWhichAgain: "Spuneți-ne care dintre ele: {others}. Le avem încă."
        case .askOtherDevice: "Există un dispozitiv pe care USB Meter nu a mai fost deschis de atunci?"
        case .askOtherDeviceYes: "Spuneți-ne care. Salvăm contoarele de pe el."
        case .askOtherDeviceNo: "Le căutăm în copiile noastre de siguranță și în ce a rămas din acest fișier."
        case .askPurge: "A șters cineva datele USB Meter în configurările iCloud?"
        case .askPurgeYes: "Atunci cunoaștem cauza."
        case .askPurgeNo: "Căutăm cauza înainte de a recupera ceva."
        case .moreQuestions:
            .counted(
                one: "Pentru încă un nume sau o unitate păstrăm valoarea mai nouă; este mai jos.",
                few: "Pentru alte {number} nume și unități păstrăm valoarea mai nouă; sunt mai jos.",
                many: "Pentru alte {number} de nume și unități păstrăm valoarea mai nouă; sunt mai jos.")

        case .nameSettled:
            .counted(
                one: "Un contor se numește acum {value}; celălalt nume, {others}, a fost lăsat deoparte.",
                many: "Un contor se numește acum {value}; celelalte nume, {others}, au fost lăsate deoparte.")
        case .unitSettled:
            .counted(
                one: "{Meter} este setat acum pe {value}; {others} a fost lăsat deoparte.",
                many: "{Meter} este setat acum pe {value}; {others} au fost lăsate deoparte.")
        case .fieldSettled:
            .counted(
                one: "{Meter} are acum {value} ca {field}; {others} a fost lăsat deoparte.",
                many: "{Meter} are acum {value} ca {field}; {others} au fost lăsate deoparte.")
        case .nameNone:
            .counted(
                one: "{Meter} nu mai are nume; {others} a fost lăsat deoparte.",
                many: "{Meter} nu mai are nume; {others} au fost lăsate deoparte.")
        case .unitNone:
            .counted(
                one: "{Meter} nu mai are unitate; {others} a fost lăsat deoparte.",
                many: "{Meter} nu mai are unitate; {others} au fost lăsate deoparte.")
        case .fieldNone:
            .counted(
                one: "{Meter} nu mai are {field}; {others} a fost lăsat deoparte.",
                many: "{Meter} nu mai are {field}; {others} au fost lăsate deoparte.")
        case .rejects:
            .counted(
                one: "Una dintre valorile vechi, nume și unități, nu a putut fi folosită.",
                few: "{Count} dintre valorile vechi, nume și unități, nu au putut fi folosite.",
                many: "{Count} dintre valorile vechi, nume și unități, nu au putut fi folosite.")
        case .reserved:
            "{Meter} este rezervat pentru {device} {until}, probabil pentru că un ceas mergea greșit."
        case .reservedByUnknown: "{Meter} este rezervat {until}, probabil pentru că un ceas mergea greșit."
        case .freedWithRepair: "Îl vom elibera odată cu reparația."
        case .canFree: "Îl putem elibera."
        case .meterUnknown:
            .counted(
                one: "O intrare nu spune cărui contor îi aparține.",
                few: "{Count} intrări nu spun cărui contor îi aparțin.",
                many: "{Count} de intrări nu spun cărui contor îi aparțin.")
        case .meterUnknownNamed:
            .counted(
                one: "O intrare nu spune cărui contor îi aparține: {names}.",
                few: "{Count} intrări nu spun cărui contor îi aparțin: {names}.",
                many: "{Count} de intrări nu spun cărui contor îi aparțin: {names}.")
        case .nameNotTyped:
            .counted(
                one: "Un contor are un nume care nu spune care este.",
                few: "{Count} contoare au nume care nu spun care sunt.",
                many: "{Count} de contoare au nume care nu spun care sunt.")
        case .nameNotTypedNamed:
            .counted(
                one: "Un contor are un nume care nu spune care este: {names}.",
                few: "{Count} contoare au nume care nu spun care sunt: {names}.",
                many: "{Count} de contoare au nume care nu spun care sunt: {names}.")
        case .nameShared: "Mai multe contoare au același nume."
        case .nameSharedNamed: "Mai multe contoare au același nume: {names}."
        case .unitUnknown:
            .counted(
                one: "Unitatea de temperatură a unui contor nu poate fi înțeleasă.",
                few: "Unitățile de temperatură a {count} contoare nu pot fi înțelese.",
                many: "Unitățile de temperatură a {count} de contoare nu pot fi înțelese.")
        case .unitUnknownNamed:
            .counted(
                one: "Unitatea de temperatură a unui contor nu poate fi înțeleasă: {names}.",
                few: "Unitățile de temperatură a {count} contoare nu pot fi înțelese: {names}.",
                many: "Unitățile de temperatură a {count} de contoare nu pot fi înțelese: {names}.")
        case .dateWrong:
            .counted(
                one: "Un contor are o dată care nu poate fi corectă. Este corect ceasul fiecărui dispozitiv?",
                few: "{Count} contoare au date care nu pot fi corecte. Este corect ceasul fiecărui dispozitiv?",
                many: "{Count} de contoare au date care nu pot fi corecte. Este corect ceasul fiecărui dispozitiv?")
        case .dateWrongNamed:
            .counted(
                one: "Un contor are o dată care nu poate fi corectă: {names}. Este corect ceasul fiecărui dispozitiv?",
                few:
                    "{Count} contoare au date care nu pot fi corecte: {names}. Este corect ceasul fiecărui dispozitiv?",
                many:
                    "{Count} de contoare au date care nu pot fi corecte: {names}. Este corect ceasul fiecărui dispozitiv?"
            )
        case .deviceName:
            "Un dispozitiv se numește doar ca modelul lui, de exemplu „iPad”. Un nume propriu l-ar deosebi de celelalte."
        case .forSupport:
            .counted(
                one: "Un punct de mai jos este pentru noi; îl putem explica.",
                few: "{Count} puncte de mai jos sunt pentru noi; le putem explica.",
                many: "{Count} de puncte de mai jos sunt pentru noi; le putem explica.")
        case .moreNotes:
            .counted(
                one: "Încă un punct se află mai jos.", few: "Alte {count} puncte se află mai jos.",
                many: "Alte {count} de puncte se află mai jos.")
        }
    }
}
