package termtext

import (
	"unicode"
	"unicode/utf8"
)

const (
	// maxMarks is how many marks, selectors and skin tones one letter or emoji may
	// have. Hebrew with its cantillation has 5, Burmese 6.
	maxMarks = 6
	// maxJoins is how many joiners one emoji, or viramas one conjunct, may
	// have: a family has 3, the Sanskrit kārtsnya 4.
	maxJoins = 4
	// maxRepeats is how many equal parts of a Korean syllable may follow each other.
	maxRepeats = 2
	// maxCluster is the maximum size of one letter with all of these, in bytes.
	maxCluster = 64
)

// cluster is what a terminal draws as one letter, as far as it was read.
type cluster struct {
	base                    rune // carries the marks; 0 at the beginning of a line
	marks, joins            uint8
	repeats, jamo           uint8
	joined                  bool // the next letter belongs to this cluster
	prefix, selected, toned bool
	linked                  bool // the last character was a virama
}

// begin starts a cluster with the next letter.
func (c *cluster) begin(r rune) {
	if !c.joined {
		*c = cluster{base: r}
		return
	}
	c.base, c.joined, c.selected, c.toned, c.linked, c.jamo, c.repeats = r, false, false, false, false, 0, 0
}

// add returns the fate of a character beyond ASCII; rest is the text after it.
func (c *cluster) add(r rune, rest string) fate {
	switch kindOf(r) {
	case letter:
		c.begin(r)
		return kept
	case controls:
		c.begin('x')
		return escaped
	case lineEnd:
		c.begin(' ')
		return blank
	case nothing:
		c.begin(utf8.RuneError)
		return replaced
	case mark:
		return c.mark(r)
	case selector:
		return c.selector(r, rest)
	case tone:
		return c.tone()
	case joiner:
		return c.joiner(r, rest)
	case prefix:
		return c.before(r)
	case jamo:
		return c.syllable(r)
	}
	return dropped
}

func (c *cluster) mark(r rune) fate {
	switch {
	case c.base == 0:
		return dropped
	case virama(r):
		if c.joins == maxJoins {
			return dropped
		}
		c.joins++
		c.joined, c.linked = true, true
		return kept
	case c.marks == maxMarks:
		return dropped
	}
	c.marks++
	c.linked = false
	return kept
}

func (c *cluster) selector(r rune, rest string) fate {
	if c.selected || c.marks == maxMarks || !c.selects(r, rest) {
		return dropped
	}
	c.marks++
	c.selected = true
	return kept
}

// selects reports whether a base has the variant that a selector selects.
func (c *cluster) selects(r rune, rest string) bool {
	switch {
	case r == 0xfe0e, r == 0xfe0f:
		next, _ := utf8.DecodeRuneInString(rest)
		return emoji(c.base) || next == 0x20e3 && (c.base >= '0' && c.base <= '9' || c.base == '#' || c.base == '*')
	case r >= 0x180b && r <= 0x180f:
		return unicode.Is(unicode.Mongolian, c.base)
	case r >= 0xe0100:
		return unicode.Is(unicode.Han, c.base)
	}
	return c.base >= utf8.RuneSelf && !emoji(c.base) || emoji(c.base) && c.base < 0x3000
}

func (c *cluster) tone() fate {
	if !emoji(c.base) || c.toned || c.marks == maxMarks {
		return dropped
	}
	c.marks++
	c.toned = true
	return kept
}

func (c *cluster) joiner(r rune, rest string) fate {
	next, _ := utf8.DecodeRuneInString(rest)
	switch {
	case c.joins == maxJoins:
		return dropped
	case r == 0x200d && emoji(c.base) && emoji(next):
	case joins(c.base) && joins(next) && (unicode.IsLetter(next) || virama(next)):
	case r == 0x200d && c.linked: // a chillu of Malayalam, at the end of a word
		c.linked = false
	default:
		return dropped
	}
	c.joins++
	c.joined = r == 0x200d
	return kept
}

// before adds a character that is drawn with the letter after it.
func (c *cluster) before(r rune) fate {
	if c.prefix && c.joined {
		return dropped
	}
	*c = cluster{base: r, prefix: true, joined: true}
	return kept
}

// syllable adds a part of a Korean syllable: to the syllable before it if possible.
func (c *cluster) syllable(r rune) fate {
	part := jamoOf(r)
	switch was := c.jamoBefore(); {
	case was == 0 || part < was || part == trail && was == lead:
		c.begin(r)
	case part == was:
		if c.repeats == maxRepeats {
			return dropped
		}
		c.repeats++
	default:
		c.repeats = 0
	}
	c.base, c.jamo = r, part
	return kept
}

const (
	lead uint8 = iota + 1
	vowel
	trail
)

// jamoBefore is the last part of the current syllable.
func (c *cluster) jamoBefore() uint8 {
	switch {
	case c.base < 0xac00 || c.base > 0xd7a3:
		return c.jamo
	case (c.base-0xac00)%28 == 0:
		return vowel
	}
	return trail
}

func jamoOf(r rune) uint8 {
	switch {
	case r <= 0x115f, r >= 0xa960 && r <= 0xa97c:
		return lead
	case r <= 0x11a7, r >= 0xd7b0 && r <= 0xd7c6:
		return vowel
	}
	return trail
}
