// Package termtext makes text from outside safe for a terminal. It alone decides which
// characters reach a screen, a table or a message. One table applies to all of them:
//
//	escape sequences                        dropped; colours stay where the form keeps them
//	tab, line feed, carriage return         a space; tab and line feed stay where the form keeps them
//	line and paragraph separator            a space
//	other control characters (C0, DEL, C1)  their number: \x07; dropped where the form is bare
//	bytes that are no UTF-8                 their number: \xff
//	noncharacters (U+FDD0, U+FFFF, ...)     U+FFFD
//	what turns the direction of writing     dropped: U+061C, U+200E, U+202A to U+202E, U+2066 to U+2069
//	what takes no room and has no look      dropped: U+200B, U+2060, U+FEFF, soft hyphen, fillers, tags (U+E0000), annotations
//	marks                                   at most maxMarks on one letter, none without a letter
//	variation selectors, skin tones         one, after a character that has variants
//	joiners (U+200C, U+200D)                between two emoji, or two letters of a script that joins
//
// So Arabic, Hebrew, Persian, Hindi, Thai, Korean, Chinese and emoji look as they should,
// text reads in the order in which it is stored, and no letter is larger than maxCluster
// bytes. JSON drops nothing: EscapeJSON writes as \u202e what the table does not keep.
//
// The package also formats words and numbers that all texts share: lengths of time
// (Duration), amounts of memory (Bytes in sentences, Quantity in tables), plurals (Count,
// Plural, Agree) and ranges of ranks (RankRanges).
package termtext
