bonjour , les <func.coll> <kind> contrôleurs </kind> de la <org.ent> <name> SNCF </name> </org.ent> </func.coll> reprennent le travail <time.date.abs> <week> lundi </week> <day> 8 </day> <month> mai </month> </time.date.abs> .
&euh le <func.ind> <kind> maire </kind> de <loc.adm.town><name> Tours </name></loc.adm.town> </func.ind> , <pers.ind> <name.first> Odile </name.first> <name.last> Vasseur </name.last> </pers.ind> , n' a rien dit .

<org.adm> <loc.adm.town> <name> Nantes </name> </loc.adm.town> </org.adm> a voté contre , <amount> <val> douze </val> <object> voix </object> </amount> contre *neuf .
la grève dure <time.date.rel> <time-modifier> depuis </time-modifier> <amount> <val> trois </val> <unit> jours </unit> </amount> </time.date.rel> .
