package tools

import (
	"bytes"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/traintop/traintop/sources/metrics/readings"
)

// Names and values in quotes: JSON of rocm-smi and nvtop that was cut or damaged, or is
// in a program, and what a program logged of npu-smi. The names are the tools', and no
// bracket has to fit another.
//
//	…clock speed:": "(1090Mhz)", "Average Graphics Package Power (W)": "128.0", "GPU use (%)": "100",
//	info: {'Temperature(C)': '38', 'NPU Real-time Power(W)': '91.8', 'NPU ID': '1'}
var quotedPair = regexp.MustCompile(`\\?["']([^"'\\\n]{1,60})\\?["']\s*:\s*(?:\\?"([^"\\\n]*)\\?"|'([^'\n]*)'|(-?\d[\d_]*(?:\.\d+)?|null|None|true|false)\b|(?:\[\s*)?\{)`)

// pairGroup is the text between two brackets.
type pairGroup struct {
	card   string // the number of the card that its name gives
	within string // the name of the object or the list before it
	values map[string]any
	keys   []string // in their order
}

// mostPairs bounds the names of a text that are looked at.
const mostPairs = 1 << 16

// pairGroups returns the names and values of each object. One without brackets ends where a
// name is repeated.
func pairGroups(text string) []pairGroup {
	var groups []pairGroup
	open, within := pairGroup{values: map[string]any{}}, ""
	end := func(card string) {
		if len(open.values) > 0 && len(groups) < maxRows {
			groups = append(groups, open)
		}
		open = pairGroup{card: card, within: within, values: map[string]any{}}
	}
	from := 0
	for _, at := range quotedPair.FindAllStringSubmatchIndex(text, mostPairs) {
		if strings.ContainsAny(text[from:at[0]], "{}") {
			end("")
		}
		from = at[1]
		key := text[at[2]:at[3]]
		if text[at[1]-1] == '{' {
			card := ""
			if found := rocmCard.FindStringSubmatch(key); found != nil {
				card = found[1]
			}
			within = key
			end(card)
			continue
		}
		if _, met := open.values[key]; met {
			end("")
		}
		open.keys = append(open.keys, key)
		for _, value := range [...]int{4, 6, 8} {
			if at[value] >= 0 {
				open.values[key] = text[at[value]:at[value+1]]
			}
		}
	}
	end("")
	return groups
}

// The tools whose names a group has.
const (
	pairsOfNone = iota
	pairsOfROCm
	pairsOfNVTop
	pairsOfFacts
)

// tool returns the tool whose names a group has: enough of them that a program's own do not
// pass for them.
func (g *pairGroup) tool() int {
	has := func(names ...string) (n int) {
		for _, name := range names {
			if _, is := g.values[name]; is {
				n++
			}
		}
		return n
	}
	rocm := 0
	for _, k := range rocmKeys {
		rocm += min(1, has(k.keys...))
	}
	facts, numbered := 0, false
	for key := range g.values {
		name := strings.ToLower(factUnit.ReplaceAllString(key, ""))
		numbered = numbered || factNumber.MatchString(name)
		if _, is := factQuantities[name]; is && name != strings.ToLower(key) {
			facts++
		}
	}
	const enough = 3
	switch {
	case rocm >= enough:
		return pairsOfROCm
	case has("device_name") == 1 && has("gpu_clock", "mem_clock", "power_draw", "gpu_util", "temp") >= enough:
		return pairsOfNVTop
	case facts >= enough && numbered:
		return pairsOfFacts
	}
	return pairsOfNone
}

// signsOfPairs are parts of names, of which a text needs one.
var signsOfPairs = []string{"(C)", "(W)", "(%)", "device_name"}

func isPairs(h *head) bool {
	if !slices.ContainsFunc(signsOfPairs, func(sign string) bool { return bytes.Contains(h.text, []byte(sign)) }) {
		return false
	}
	for _, g := range pairGroups(string(h.text)) {
		if g.tool() != pairsOfNone {
			return true
		}
	}
	return false
}

func readPairs(text string, a *readings.Answer, origin readings.Origin) error {
	for _, g := range pairGroups(text) {
		switch g.tool() {
		case pairsOfROCm:
			keepRow(a, rocmReading(a, g.values, g.card, origin))
		case pairsOfNVTop:
			if len(a.Readings) < maxRows {
				a.Readings = append(a.Readings, nvtopReading(a, g.values, "", origin))
			}
		case pairsOfFacts:
			readPairFacts(g.values, a, origin)
		}
	}
	return nil
}

// readPairFacts reads the facts of one device, whose number may be anywhere among them.
func readPairFacts(values map[string]any, a *readings.Answer, origin readings.Origin) {
	f := &factReader{answer: a, origin: origin}
	text := func(key string) string { s, _ := values[key].(string); return s }
	keys := slices.Sorted(maps.Keys(values))
	for _, key := range keys {
		if name := strings.ToLower(key); factNumber.MatchString(name) && isNumber(text(key)) {
			f.begin(text(key))
		}
	}
	if f.open == nil {
		return
	}
	for _, key := range keys {
		if !factNumber.MatchString(strings.ToLower(key)) {
			f.fact(key, text(key), 0)
		}
	}
	f.end()
}
