ID	Text	Pronoun	Pronoun-offset	A	A-offset	A-coref	B	B-offset	B-coref	URL
market-1	Zoë met Eve at the market, and she sold the boat.	she	31	Zoë	0	TRUE	Eve	8	FALSE	https://example.org/market-1
market-2	Derick asked Tom whether he could mend the window.	he	25	Derick	0	FALSE	Tom	13	TRUE	https://example.org/market-2
market-3	Ann and Kathleen watched while a stranger took her hat.	her	47	Ann	0	FALSE	Kathleen	8	FALSE	https://example.org/market-3
market-4	Tom told Derick that his brother had left.	his	21	Tom	0	TRUE	Derick	9	FALSE	https://example.org/market-4
