package signatures

import (
	"regexp"
	"strconv"
	"sync"

	"github.com/traintop/traintop/train"
)

// row is one known text and its cause.
type row struct {
	// name is stable: hits in the store and tests refer to rows by it.
	name string
	// cause is "" for a text that is known to be harmless: it silences rows of
	// no greater weight on the same line.
	cause train.Cause
	in    Where
	// anchors are literals; every text that the row matches contains one of
	// them. One pass over a line searches for those of all rows and decides
	// which patterns are tried; none is shorter than minAnchor.
	anchors []string
	// pattern is a regular expression on the line, "" if the anchor is enough.
	// Its capture goes into Match.Captures.
	pattern string
	// weight orders the matches of one text, 1..99; the bands are below.
	weight  int
	symptom bool
	// origin names the component and versions that print the text.
	origin string
}

// Bands of weights. A text of a higher band is more specific about why a job failed
// than any of a lower one.
const (
	exact   = 80 // names the broken thing in the component's own message
	own     = 60 // a rank's own error
	general = 40 // an error of any kind: an exception, an exit code
	lost    = 20 // the consequence of another rank's end
	wrapper = 10 // reports only that something below it failed
)

// MinSpecific is the least weight of a text that shows more than that something
// failed.
const MinSpecific = lost

// rule is a compiled row.
type rule struct {
	row
	part     part
	compiled func() *regexp.Regexp // nil without a pattern
}

// list is the whole table with its anchors, built once when first used.
type list struct {
	rules   []rule
	anchors *anchors
	byName  map[string]*rule
	// places are the indexes of rows in the table.
	places map[string]int
}

// table builds the list when first used: a program that reads no log does not pay for it.
var table = sync.OnceValue(func() *list { return newList(rows()) })

// rows returns all rows. Their order decides between equal weights.
func rows() []row {
	var all []row
	for _, some := range [][]row{
		schedulingTexts, clauseRows(), claimTexts, admissionTexts, queueTexts, imageTexts, mountTexts, startTexts, endTexts,
		structureTexts, documentTexts, kernelTexts, cudaTexts, ncclTexts, distributedTexts, reportRows(), launcherTexts, frameFactRows(), pythonTexts,
		deathTexts, translatedTexts, codeRows(),
	} {
		all = append(all, some...)
	}
	return all
}

func newList(rows []row) *list {
	l := &list{rules: make([]rule, len(rows)), byName: make(map[string]*rule, len(rows)), places: make(map[string]int, len(rows))}
	var words []anchor
	for i, r := range rows {
		l.rules[i].row, l.rules[i].part = r, partOf(r.name)
		if r.pattern != "" {
			l.rules[i].compiled = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(r.pattern) })
		}
		for _, word := range r.anchors {
			words = append(words, anchor{text: word, rule: uint16(i)})
		}
		l.byName[r.name], l.places[r.name] = &l.rules[i], i
	}
	l.anchors = newAnchors(words)
	return l
}

// match matches one rule with a text that contains one of its anchors.
func (r *rule) match(text []byte) (captures []string, found bool) {
	if r.compiled == nil {
		return nil, true
	}
	at := r.compiled().FindSubmatchIndex(text)
	if at == nil {
		return nil, false
	}
	for i := 2; i < len(at); i += 2 {
		capture := ""
		if at[i] >= 0 {
			capture = string(text[at[i]:at[i+1]])
		}
		captures = append(captures, capture)
	}
	return captures, true
}

// rank is the rank that a match names in the pattern's group "rank", or in "rank2" where
// a pattern has two alternatives.
func (r *rule) rank(captures []string) (rank int, named bool) {
	if r.compiled == nil {
		return -1, false
	}
	for i, name := range r.compiled().SubexpNames() {
		if name != "rank" && name != "rank2" || captures[i-1] == "" {
			continue
		}
		if n, err := strconv.Atoi(captures[i-1]); err == nil {
			return n, true
		}
	}
	return -1, false
}
