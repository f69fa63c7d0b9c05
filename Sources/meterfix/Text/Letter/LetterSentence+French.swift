extension LetterSentence {
    /// With plain spaces where French has narrow ones that do not break.
    var french: LetterTemplate {
        switch self {
        case .titleStorm, .titleRecovered, .leadStorm, .storm, .stormUploaded, .stormReceived, .recovered: english
        case .wordStop: "Stop : n’ouvrez pas l’app"
        case .wordIncomplete: "Fichier incomplet"
        case .wordDamaged: "Fichier endommagé"
        case .wordEmpty: "Aucun compteur"
        case .wordForeign: "Mauvais fichier"
        case .wordNewerApp: "Pas encore réparable"
        case .wordRepairNeeded: "Réparation nécessaire"
        case .wordRepaired: "Réparé"
        case .wordLook: "Un point à vérifier"
        case .wordFine: "Tout est en ordre"

        case .titleAllDeletedByCloud: "iCloud a supprimé tous les compteurs de ce fichier"
        case .titleMostDeletedByCloud: "iCloud a supprimé la plupart des compteurs de ce fichier"
        case .titleAllDeletedByApp: "USB Meter a supprimé tous les compteurs de ce fichier"
        case .titleMostDeletedByApp: "USB Meter a supprimé la plupart des compteurs de ce fichier"
        case .titlePlaceLost: "Si l’on ouvre USB Meter, des modifications sont perdues sur cet appareil"
        case .titleOtherAccount: "Cet appareil est connecté à un autre compte iCloud"
        case .titleDataDeleted: "Les données d’USB Meter ont été supprimées dans iCloud"
        case .titleIncomplete: "Une partie de ce fichier manque"
        case .titleDamaged: "Ce fichier est endommagé"
        case .titleEmpty: "Il n’y a aucun compteur dans ce fichier"
        case .titleForeign: "Ce n’est pas le fichier des compteurs"
        case .titleNewerApp: "Ce fichier vient probablement d’une version plus récente d’USB Meter"
        case .titleDuplicates:
            .counted(
                one: "{number} compteur sur {meters} est enregistré plusieurs fois",
                many: "{number} compteurs sur {meters} sont enregistrés plusieurs fois")
        case .titleAllDuplicates:
            .counted(
                one: "Le compteur est enregistré plusieurs fois",
                many: "Les {number} compteurs sont tous enregistrés plusieurs fois")
        case .titleDisorder:
            .counted(
                one: "{number} entrée doit être remise en ordre",
                many: "{number} entrées doivent être remises en ordre")
        case .titleOnce:
            .counted(
                one: "Le compteur est enregistré une fois",
                many: "Chacun des {number} compteurs est enregistré une fois")
        case .titleUnknownMeters:
            .counted(
                one: "{number} entrée ne dit pas à quel compteur elle appartient",
                many: "{number} entrées ne disent pas à quels compteurs elles appartiennent")

        case .leadDeleted:
            .counted(
                one: "{number} entrée a été supprimée {day}.",
                many: "{number} entrées ont été supprimées d’un coup {day}.")
        case .leadLastCopy:
            "Un autre appareil a peut-être la dernière copie. Elle y sera perdue aussi, dès qu’USB Meter aura accès au réseau."
        case .leadPlaceLost:
            "L’appareil a perdu le fil de l’échange avec iCloud. Ce qu’iCloud n’a pas encore n’est que dans ce fichier."
        case .leadOtherAccount: "Dès qu’on ouvre USB Meter, il supprime les compteurs sur cet appareil."
        case .leadDataDeleted: "Chaque appareil sur lequel on ouvre USB Meter supprime ses compteurs."
        case .leadSendAgain: "Il nous faut encore une fois le fichier, avec toutes ses parties."
        case .leadRightFile: "Il nous faut le fichier d’un appareil qui a les compteurs."
        case .leadNewerApp: "Il pourra être réparé dès que nous connaîtrons cette version. Rien n’a été modifié."
        case .leadImpossible: "Ce fichier ne peut pas être réparé tel quel."
        case .leadReady: "Une réparation est prête, et elle garde chaque compteur."
        case .leadFirstCloud: "D’abord, l’échange avec iCloud doit fonctionner de nouveau."
        case .leadFirstDecisions:
            .counted(
                one: "D’abord, il faut répondre à une question.",
                many: "D’abord, il faut répondre à {count} questions.")
        case .leadUnchanged: "Rien n’a encore été modifié."
        case .leadRepaired: "La réparation a été faite {day}."
        case .leadPutBack: "Le fichier retourne maintenant sur l’appareil d’où il vient."
        case .leadArrived: "La réparation est arrivée dans iCloud."
        case .leadNothingToRepair: "Il n’y a rien à réparer."
        case .leadPoints:
            .counted(
                one: "La lettre a un point à vérifier.", many: "La lettre a {count} points à vérifier.")
        case .leadCloud: "Mais l’échange avec iCloud échoue."

        case .greeting: "Bonjour,"
        case .regards: "Cordialement,"
        case .signature: "L’assistance d’USB Meter"
        case .thanks: "Merci pour votre fichier."

        case .allDeletedByCloud:
            "{Day}, iCloud a demandé à USB Meter de supprimer tous ses compteurs sur cet appareil."
        case .mostDeletedByCloud:
            "{Day}, iCloud a demandé à USB Meter de supprimer la plupart de ses compteurs sur cet appareil."
        case .allDeletedByApp: "{Day}, USB Meter a supprimé tous ses compteurs sur cet appareil."
        case .mostDeletedByApp: "{Day}, USB Meter a supprimé la plupart de ses compteurs sur cet appareil."
        case .deletedByReset:
            "Ses données ont probablement été supprimées dans iCloud, ou un autre compte a été connecté."
        case .deletedHope: "Il y a une chance de les récupérer : un autre appareil les a peut-être encore."
        case .placeLost:
            "Cet appareil a perdu le fil de l’échange avec iCloud. Si l’on ouvre USB Meter maintenant, ce qu’iCloud n’a pas encore est perdu ici."
        case .otherAccount:
            "Cet appareil est connecté à un autre compte iCloud qu’avant. Si l’on ouvre USB Meter maintenant, il supprime vos compteurs sur cet appareil."
        case .dataDeleted:
            "Les données d’USB Meter ont été supprimées dans iCloud. Chaque appareil sur lequel on ouvre USB Meter supprime aussi vos compteurs."

        case .incomplete: "Une partie du fichier manque, et probablement vos dernières modifications avec elle."
        case .onlyOfThisPart: "Ce qui suit n’est vrai que de la partie que nous avons."
        case .damaged: "Le fichier est endommagé, probablement pendant l’envoi. Nous n’avons rien modifié."
        case .empty: "Il n’y a aucune entrée d’un compteur dans ce fichier."
        case .formerUnknown: "Il n’a pas d’historique qui puisse dire s’il y en a eu une."
        case .formerNone: "Son historique n’en mentionne aucune non plus."
        case .formerDeleted:
            .counted(
                one: "Son historique dit qu’une entrée a été supprimée.",
                many: "Son historique dit que {count} entrées ont été supprimées.")
        case .formerDeletedOn:
            .counted(
                one: "Son historique dit qu’une entrée a été supprimée {day}.",
                many: "Son historique dit que {count} entrées ont été supprimées, la dernière {day}.")
        case .foreign:
            "Il n’y a aucun compteur dans ce fichier. Il appartient à une autre app, ou à une autre partie d’USB Meter."
        case .newerApp:
            "Votre fichier vient probablement d’une version d’USB Meter plus récente que celles que nous savons réparer. Vous n’avez rien à faire ; nous vous écrirons."

        case .nothingWrong: "Vos compteurs sont en ordre."
        case .onceEach:
            .counted(
                one: "Votre compteur est enregistré une fois.",
                many: "Chacun de vos {count} compteurs est enregistré une fois.")
        case .nothingToDo: "Vous n’avez rien à faire."
        case .unknownMeters:
            .counted(
                one: "Ce fichier a une entrée, et elle ne dit pas à quel compteur elle appartient.",
                many: "Ce fichier a {count} entrées, et aucune ne dit à quel compteur elle appartient.")
        case .duplicatesNamed:
            .counted(
                one: "Un de vos compteurs est enregistré {often} : {names}.",
                many: "{Count} de vos compteurs sont enregistrés {often} : {names}.")
        case .duplicatesUnnamed:
            .counted(
                one: "Un de vos compteurs est enregistré {often}. Il n’a pas de nom.",
                many: "{Count} de vos compteurs sont enregistrés {often}. Aucun d’eux n’a de nom.")
        case .comeAndGo:
            .counted(
                one: "C’est pourquoi son nom et son unité apparaissent et disparaissent.",
                many: "C’est pourquoi leurs noms et leurs unités apparaissent et disparaissent.")
        case .levelled: "D’ici là, aucun nom et aucune unité ne manquent dans l’app."
        case .noLoss: "Nous pouvons réparer cela, et aucun compteur ne sera perdu."
        case .toOrder:
            .counted(
                one: "Une entrée doit être remise en ordre.",
                many: "{Count} entrées doivent être remises en ordre.")
        case .othersToOrder:
            .counted(
                one: "Une autre entrée sera remise en ordre.", many: "{Count} autres entrées seront remises en ordre.")
        case .duplicates:
            .counted(
                one: "Un de vos compteurs est enregistré plusieurs fois.",
                many: "{Count} de vos compteurs sont enregistrés plusieurs fois.")
        case .impossible: "Ce fichier ne peut pas être réparé tel quel ; la raison est écrite plus bas."
        case .mergedNamed:
            .counted(
                one: "Un compteur était enregistré {often} et ne l’est plus qu’une fois : {names}.",
                many: "{Count} compteurs étaient enregistrés {often}, et chacun ne l’est plus qu’une fois : {names}.")
        case .mergedUnnamed:
            .counted(
                one: "Un compteur était enregistré {often} et ne l’est plus qu’une fois. Il n’a pas de nom.",
                many:
                    "{Count} compteurs étaient enregistrés {often}, et chacun ne l’est plus qu’une fois. Aucun d’eux n’a de nom."
            )
        case .nothingLost: "Aucun compteur n’a été perdu."
        case .namesBack:
            .counted(
                one: "Un compteur a retrouvé son ancien nom : {names}.",
                many: "{Count} compteurs ont retrouvé leurs anciens noms : {names}.")
        case .filledNamed:
            .counted(
                one: "L’app montre de nouveau le nom et l’unité d’un compteur : {names}.",
                many: "L’app montre de nouveau les noms et les unités de {count} compteurs : {names}.")
        case .filledUnnamed:
            .counted(
                one: "L’app montre de nouveau l’unité d’un compteur. Il n’a pas de nom.",
                many: "L’app montre de nouveau les unités de {count} compteurs. Aucun d’eux n’a de nom.")
        case .gone:
            .counted(
                one: "Un compteur qui a été réparé n’est plus dans ce fichier.",
                many: "{Count} compteurs qui ont été réparés ne sont plus dans ce fichier.")
        case .newFormat: "Le fichier a été mis au format plus récent de l’app."
        case .ordered:
            .counted(
                one: "Une entrée a été remise en ordre.", many: "{Count} entrées ont été remises en ordre.")
        case .othersOrdered:
            .counted(
                one: "Une autre entrée a été remise en ordre.",
                many: "{Count} autres entrées ont été remises en ordre.")
        case .nothingChanged: "La dernière réparation n’a rien trouvé à modifier dans vos compteurs."
        case .repairedOn: "Nous avons fait cette réparation {day}."
        case .forgotten: "Vos compteurs ont été réparés {day} ; on ne sait plus ce qui a été modifié."
        case .arrived:
            "La réparation est arrivée dans iCloud ; vous pouvez ouvrir USB Meter sur vos autres appareils."

        case .twice: "deux fois"
        case .times: "{number} fois"
        case .twiceOrMore: "deux fois ou plus"
        case .moreNames: .counted(one: "{number} autre", many: "{number} autres")
        case .unnamed: .counted(one: "un sans nom", many: "{count} sans nom")
        case .noName: "un compteur sans nom"
        case .address: "le compteur {address}"
        case .onDay: "le {date}"
        case .onUnknownDay: "à une date inconnue"
        case .untilDate: "jusqu’au {date}"
        case .untilFarDate: "jusqu’à une date lointaine"

        case .tag: "Une chose à faire"
        case .tagNow: "Une chose à faire, maintenant"
        case .doAirplane: "Activez le mode Avion sur vos autres appareils"
        case .doAirplaneText:
            "Faites-le d’abord, et n’y ouvrez pas USB Meter. Sur un Mac, désactivez le Wi-Fi. Sans réseau, rien ne peut être supprimé sur ces appareils."
        case .doClosed: "N’ouvrez pas USB Meter"
        case .doClosedText: "Laissez-le fermé sur tous vos appareils jusqu’à ce que nous vous écrivions."
        case .doSend: "Envoyez le fichier encore une fois, avec toutes ses parties"
        case .doSendText:
            "Fermez USB Meter, et envoyez tous les fichiers dont le nom commence par « {file} »."
        case .doRightFile: "Vérifiez que c’est le bon fichier"
        case .doRightFileText:
            "Vient-il d’un appareil qui a vos compteurs ? Envoyez aussi le fichier du même nom qui finit par « -wal »."
        case .doForeign: "Envoyez le fichier avec vos compteurs"
        case .doPutBack: "Remettez le fichier à sa place, et n’ouvrez USB Meter que sur cet appareil"
        case .doPutBackText:
            "C’est l’appareil d’où vous avez envoyé le fichier. Laissez-y USB Meter ouvert jusqu’à ce que nous vous écrivions de nouveau. D’ici là, laissez-le fermé sur tous vos autres appareils."
        case .doAnswer: .counted(one: "Répondez à une question", many: "Répondez à {count} questions")
        case .doCheck: .counted(one: "Vérifiez un point", many: "Vérifiez {count} points")

        case .cloudFails: "L’échange avec iCloud échoue."
        case .cloudFailsSince: "L’échange avec iCloud échoue depuis le {date}."
        case .doRoom: "Faites de la place dans iCloud"
        case .cloudFull:
            "Votre espace iCloud est plein, et vos appareils ne peuvent pas échanger leurs modifications. Vous voyez ce qui prend la place dans Réglages, sous votre nom puis iCloud. D’ici là, ne supprimez pas USB Meter."
        case .doLookForRoom: "Vérifiez si votre espace iCloud est plein"
        case .cloudSomeRefused:
            "iCloud n’a pas accepté certaines entrées. Tant que cela dure, ne supprimez pas USB Meter."
        case .doSignIn: "Connectez-vous à iCloud, et autorisez USB Meter à l’utiliser"
        case .cloudNotSignedIn:
            "USB Meter n’a pas de compte iCloud sur cet appareil. Connectez-vous avec le même compte qu’avant ; un autre compte supprimerait les compteurs ici."
        case .doAnswerCloud: "Répondez à ce qu’iCloud demande"
        case .cloudAsks:
            "iCloud attend une réponse de vous, peut-être votre mot de passe. Ouvrez les réglages de l’appareil pour la donner."
        case .doNetwork: "Vérifiez que l’appareil a accès au réseau"
        case .cloudUnreachable: "L’appareil n’a pas pu joindre iCloud."
        case .doOpen: "Ouvrez USB Meter et laissez-le ouvert"
        case .cloudStartsAgain:
            "USB Meter doit échanger de nouveau toutes ses données avec iCloud. Cela demande un bon réseau et du temps."
        case .cloudInterrupted:
            "USB Meter a été fermé pendant l’échange avec iCloud. Quelques minutes suffisent."
        case .doQuit: "Quittez USB Meter et ouvrez-le de nouveau"
        case .cloudTwice: "USB Meter était connecté deux fois à iCloud en même temps."
        case .doCloud: "Regardez iCloud dans les réglages de chaque appareil"
        case .cloudUnknown: "Chaque appareil est-il connecté à iCloud, et y a-t-il de la place ?"
        case .cloudRefused:
            "iCloud n’accepte pas ce qu’USB Meter envoie, et nous seuls pouvons le corriger. D’ici là, ne supprimez pas USB Meter."
        case .cloudSettled:
            "La dernière fois, iCloud n’a pas tout accepté ; USB Meter réessaie de lui-même."

        case .alsoAnswer:
            .counted(
                one: "Répondez aussi à une question, s’il vous plaît.",
                many: "Répondez aussi à {count} questions, s’il vous plaît.")
        case .alsoCheck:
            .counted(
                one: "Vérifiez aussi un point, s’il vous plaît.",
                many: "Vérifiez aussi {count} points, s’il vous plaît.")
        case .replyOne: "Une réponse comme « 1 oui » suffit."
        case .replyMany: "Une réponse comme « 1 oui, 2 non » suffit."
        case .noReply: "Si tout est juste, vous n’avez pas à répondre."
        case .labelYes: "{number} oui"
        case .labelNo: "{number} non"
        case .askName: "Un compteur a {count} noms. Est-ce que {value} est le bon ?"
        case .askUnit: "{Meter} est réglé sur {count} unités. Est-ce que {value} est la bonne ?"
        case .askField: "{Meter} a {count} valeurs pour {field}. Est-ce que {value} est la bonne ?"
        case .stays: "Cela reste {value}."
        case .becomes: "Cela devient {others}."
        case .tellWhich: "Dites-nous laquelle de ces valeurs : {others}."
        case .checkName: "Un compteur avait {count} noms. Nous avons gardé {value}. Est-ce juste ?"
        case .checkUnit: "{Meter} était réglé sur {count} unités. Nous avons gardé {value}. Est-ce juste ?"
        case .checkField:
            "{Meter} avait {count} valeurs pour {field}. Nous avons gardé {value}. Est-ce juste ?"
        case .nothingChanges: "Rien ne change."
        case .becomesAgain: "Cela redevient {others}. Nous l’avons encore."
        case .tellWhichAgain: "Dites-nous laquelle de ces valeurs : {others}. Nous les avons encore."
        case .askOtherDevice: "Y a-t-il un appareil sur lequel USB Meter n’a pas été ouvert depuis ?"
        case .askOtherDeviceYes: "Dites-nous lequel. Nous y sauvons vos compteurs."
        case .askOtherDeviceNo: "Nous les cherchons dans nos sauvegardes et dans ce qui reste de ce fichier."
        case .askPurge: "Quelqu’un a-t-il supprimé les données d’USB Meter dans les réglages d’iCloud ?"
        case .askPurgeYes: "Alors nous connaissons la cause."
        case .askPurgeNo: "Nous cherchons la cause avant de récupérer quoi que ce soit."
        case .moreQuestions:
            .counted(
                one:
                    "Pour un autre nom ou une autre unité, nous gardons la valeur la plus récente ; elle est plus bas.",
                many:
                    "Pour {number} autres noms et unités, nous gardons la valeur la plus récente ; elles sont plus bas."
            )

        case .nameSettled:
            .counted(
                one: "Un compteur s’appelle maintenant {value} ; son autre nom {others} a été écarté.",
                many: "Un compteur s’appelle maintenant {value} ; ses autres noms {others} ont été écartés.")
        case .unitSettled:
            .counted(
                one: "{Meter} est maintenant réglé sur {value} ; {others} a été écarté.",
                many: "{Meter} est maintenant réglé sur {value} ; {others} ont été écartés.")
        case .fieldSettled:
            .counted(
                one: "{Meter} a maintenant {value} comme {field} ; {others} a été écarté.",
                many: "{Meter} a maintenant {value} comme {field} ; {others} ont été écartés.")
        case .nameNone:
            .counted(
                one: "{Meter} n’a plus de nom ; {others} a été écarté.",
                many: "{Meter} n’a plus de nom ; {others} ont été écartés.")
        case .unitNone:
            .counted(
                one: "{Meter} n’a plus d’unité ; {others} a été écarté.",
                many: "{Meter} n’a plus d’unité ; {others} ont été écartés.")
        case .fieldNone:
            .counted(
                one: "{Meter} n’a plus de {field} ; {others} a été écarté.",
                many: "{Meter} n’a plus de {field} ; {others} ont été écartés.")
        case .rejects:
            .counted(
                one: "Une valeur parmi les anciens noms et unités n’a pas pu être utilisée.",
                many: "{Count} valeurs parmi les anciens noms et unités n’ont pas pu être utilisées.")
        case .reserved:
            "{Meter} est réservé pour {device} {until}, probablement parce qu’une horloge était fausse."
        case .reservedByUnknown:
            "{Meter} est réservé {until}, probablement parce qu’une horloge était fausse."
        case .freedWithRepair: "Nous le libérerons avec la réparation."
        case .canFree: "Nous pouvons le libérer."
        case .meterUnknown:
            .counted(
                one: "Une entrée ne dit pas à quel compteur elle appartient.",
                many: "{Count} entrées ne disent pas à quels compteurs elles appartiennent.")
        case .meterUnknownNamed:
            .counted(
                one: "Une entrée ne dit pas à quel compteur elle appartient : {names}.",
                many: "{Count} entrées ne disent pas à quels compteurs elles appartiennent : {names}.")
        case .nameNotTyped:
            .counted(
                one: "Un compteur a un nom qui ne dit pas lequel c’est.",
                many: "{Count} compteurs ont des noms qui ne disent pas lesquels ce sont.")
        case .nameNotTypedNamed:
            .counted(
                one: "Un compteur a un nom qui ne dit pas lequel c’est : {names}.",
                many: "{Count} compteurs ont des noms qui ne disent pas lesquels ce sont : {names}.")
        case .nameShared: "Plusieurs compteurs ont le même nom."
        case .nameSharedNamed: "Plusieurs compteurs ont le même nom : {names}."
        case .unitUnknown:
            .counted(
                one: "L’unité de température d’un compteur est incompréhensible.",
                many: "Les unités de température de {count} compteurs sont incompréhensibles.")
        case .unitUnknownNamed:
            .counted(
                one: "L’unité de température d’un compteur est incompréhensible : {names}.",
                many: "Les unités de température de {count} compteurs sont incompréhensibles : {names}.")
        case .dateWrong:
            .counted(
                one: "Un compteur a une date impossible. L’horloge de chaque appareil est-elle à l’heure ?",
                many: "{Count} compteurs ont des dates impossibles. L’horloge de chaque appareil est-elle à l’heure ?")
        case .dateWrongNamed:
            .counted(
                one: "Un compteur a une date impossible : {names}. L’horloge de chaque appareil est-elle à l’heure ?",
                many:
                    "{Count} compteurs ont des dates impossibles : {names}. L’horloge de chaque appareil est-elle à l’heure ?"
            )
        case .deviceName:
            "Un appareil porte seulement le nom de son modèle, comme « iPad ». Un nom à lui le distinguerait des autres."
        case .forSupport:
            .counted(
                one: "Un point plus bas est pour nous ; nous pouvons l’expliquer.",
                many: "{Count} points plus bas sont pour nous ; nous pouvons les expliquer.")
        case .moreNotes:
            .counted(
                one: "Un autre point se trouve plus bas.", many: "{Count} autres points se trouvent plus bas.")
        }
    }
}
