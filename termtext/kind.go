package termtext

import "unicode"

// kind is a row of the table in the package's comment.
type kind uint8

const (
	letter   kind = iota
	controls      // C1; kindOf never gets C0 and DEL
	hidden
	lineEnd
	nothing // a noncharacter
	mark
	selector
	tone
	joiner
	prefix // drawn together with the letter after it
	jamo   // a part of a Korean syllable
)

// Forbidden reports whether a character may never reach a terminal, whatever is beside it.
func Forbidden(r rune) bool {
	if r < ' ' || r == 0x7f {
		return true
	}
	switch kindOf(r) {
	case controls, hidden, lineEnd, nothing:
		return true
	}
	return false
}

// kindOf has a fast path for the characters that logs are full of: Latin, punctuation,
// lines and blocks, Chinese, Japanese and Korean.
func kindOf(r rune) kind {
	switch {
	case r < 0xa0:
		if r < 0x7f {
			return letter
		}
		return controls
	case r < 0x300 && r != 0xad, r >= 0x2010 && r <= 0x2027, r >= 0x2190 && r <= 0x2bff,
		r >= 0x3041 && r <= 0x3096, r >= 0x309b && r <= 0x3163, r >= 0x3400 && r <= 0xa48c, r >= 0xac00 && r <= 0xd7a3:
		return letter
	}
	return rareKind(r)
}

func rareKind(r rune) kind {
	switch {
	case r == 0x2028, r == 0x2029:
		return lineEnd
	case r == 0x200c, r == 0x200d:
		return joiner
	case invisible(r):
		return hidden
	case r >= 0xfdd0 && r <= 0xfdef, r&0xfffe == 0xfffe:
		return nothing
	case r >= 0xfe00 && r <= 0xfe0f, r >= 0x180b && r <= 0x180f, r >= 0xe0100 && r <= 0xe01ef:
		return selector
	case r >= 0x1f3fb && r <= 0x1f3ff:
		return tone
	case r >= 0x1100 && r <= 0x11ff, r >= 0xa960 && r <= 0xa97c, r >= 0xd7b0 && r <= 0xd7fb:
		return jamo
	case unicode.Is(unicode.Cf, r), unicode.Is(prefixes, r):
		return prefix
	case unicode.Is(unicode.M, r), unicode.Is(extends, r):
		return mark
	}
	return letter
}

// invisible reports whether a character has no width and no shape, or reverses the direction
// of writing: Unicode 16's Default_Ignorable_Code_Point and format characters (Cf),
// except joiners, variation selectors and those that are drawn (U+0600 and similar).
func invisible(r rune) bool {
	switch {
	case r < 0x2000:
		return r == 0xad || r == 0x34f || r == 0x61c || r == 0x115f || r == 0x1160 || r == 0x17b4 || r == 0x17b5 || r == 0x180e
	case r < 0x3000:
		return r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2060 && r <= 0x206f
	case r < 0x10000:
		return r == 0x3164 || r == 0xfeff || r == 0xffa0 || r >= 0xfff0 && r <= 0xfffb
	case r < 0xe0000:
		return r >= 0x13430 && r <= 0x1343f || r >= 0x1bca0 && r <= 0x1bca3 || r >= 0x1d173 && r <= 0x1d17a
	}
	return r <= 0xe00ff || r >= 0xe01f0 && r <= 0xe0fff
}

// prefixes are letters that are drawn with the next one (Unicode 16,
// Grapheme_Cluster_Break=Prepend), in addition to those of the category Cf.
var prefixes = &unicode.RangeTable{
	R16: []unicode.Range16{{Lo: 0x0d4e, Hi: 0x0d4e, Stride: 1}},
	R32: []unicode.Range32{
		{Lo: 0x111c2, Hi: 0x111c3, Stride: 1}, {Lo: 0x113d1, Hi: 0x113d1, Stride: 1}, {Lo: 0x1193f, Hi: 0x1193f, Stride: 1}, {Lo: 0x11941, Hi: 0x11941, Stride: 1},
		{Lo: 0x11a3a, Hi: 0x11a3a, Stride: 1}, {Lo: 0x11a84, Hi: 0x11a89, Stride: 1}, {Lo: 0x11d46, Hi: 0x11d46, Stride: 1}, {Lo: 0x11f02, Hi: 0x11f02, Stride: 1},
	},
}

// extends are letters that are drawn with the previous one: Thai and Lao vowels,
// half-width voiced marks of Japanese.
var extends = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0x0e33, Hi: 0x0e33, Stride: 1}, {Lo: 0x0eb3, Hi: 0x0eb3, Stride: 1}, {Lo: 0xff9e, Hi: 0xff9f, Stride: 1},
}}

// emoji reports whether a character may be part of an emoji (Unicode 16,
// Extended_Pictographic is within these).
func emoji(r rune) bool {
	switch {
	case r >= 0x1f000 && r <= 0x1faff && (r < 0x1f1e6 || r > 0x1f1ff), r >= 0x2190 && r <= 0x2bff:
		return true
	}
	switch r {
	case 0xa9, 0xae, 0x203c, 0x2049, 0x2122, 0x2139, 0x3030, 0x303d, 0x3297, 0x3299:
		return true
	}
	return false
}

// joins reports whether a letter belongs to a script in which joiners change the look of
// words.
func joins(r rune) bool {
	return r >= 0x600 && unicode.In(r, unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Nko, unicode.Mandaic, unicode.Adlam,
		unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu,
		unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar, unicode.Tibetan)
}

// virama reports whether a mark joins the consonants beside it to one letter (Unicode 16,
// Indic_Conjunct_Break=Linker, and Khmer's and Burmese's).
func virama(r rune) bool {
	switch r {
	case 0x94d, 0x9cd, 0xa4d, 0xacd, 0xb4d, 0xbcd, 0xc4d, 0xccd, 0xd4d, 0xdca, 0x1039, 0x17d2, 0x1a60, 0xa9c0, 0x1b44, 0x1bab, 0xaaf6,
		0x10a3f, 0x11133, 0x113d0, 0x1193e, 0x11a47, 0x11a99, 0x11f42:
		return true
	}
	return false
}
