"""AnCast++: relations of sentences and triples across them."""
