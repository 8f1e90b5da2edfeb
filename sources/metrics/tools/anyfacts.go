package tools

import (
	"regexp"
	"slices"
	"strings"

	"github.com/traintop/traintop/sources/metrics/readings"
)

// Facts of devices in any form: below a line with the number of a device, or behind it in
// the same line. A heading above facts belongs to their names: "Power" above "Usage : 71 W".
//
//	GPU 0: NVIDIA A10                     [GPU 1] util=45%, mem=8.1/24.0 GB, temp=62C
//	  Temperature: 55 C                   device=0 temp=61 power=65.2 mem_used=10211MiB

// deviceBegins matches the number of a device at the beginning of its facts.
var deviceBegins = regexp.MustCompile(`^[^A-Za-z0-9]*(?i:gpu|card|npu|xpu|dcu|mlu|gcu|hpu|tpu|ppu|device|accelerator|cuda)(?: ?(?i:id|index|device))?[ _#:=-]{0,3}\[?(\d{1,3})\]?(?:[^A-Za-z0-9.%]|$)`)

// numberWords end the name of a fact that may be the number of a device.
var numberWords = []string{"id", "index", "idx", "gpu", "npu", "device", "card", "minor", "number", "#"}

// mayNumber reports whether the first fact of a line may be the number of a device. Every line
// of a log is asked.
func mayNumber(line string) bool {
	end := strings.IndexAny(line, ":=")
	if end < 0 {
		return false
	}
	name := strings.ToLower(strings.TrimRight(line[:end], " \t\"'*`]"))
	return slices.ContainsFunc(numberWords, func(word string) bool { return strings.HasSuffix(name, word) })
}

// mayBegin reports whether a line may have the number of a device at its beginning.
func mayBegin(line string) bool {
	at := strings.IndexFunc(line, func(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' })
	return at >= 0 && strings.IndexByte("gcnxdmhtpaGCNXDMHTPA", line[at]) >= 0
}

// factsReader reads the facts of one device after the other.
type factsReader struct {
	answer   *readings.Answer
	origin   readings.Origin
	open     *record
	probe    readings.Answer
	headings []detailHeading
	blank    bool
	foreign  int    // lines since the last fact
	model    string // named above the UUID of a device
	uuids    bool   // the text has UUIDs of GPUs
}

// mostForeign is how many other lines may be among the facts of a device.
const mostForeign = 40

func readAnyFacts(text string, a *readings.Answer, origin readings.Origin) error {
	f := &factsReader{answer: a, origin: origin, uuids: strings.Contains(text, "GPU-")}
	number := 0
	for line := range strings.Lines(stripSGR(text)) {
		number++
		if len(line) < longestHead {
			f.line(strings.TrimRight(plainBox(line), " |\r\n"), number)
		}
	}
	f.end()
	return nil
}

func (f *factsReader) line(line string, number int) {
	if strings.TrimSpace(line) == "" {
		f.blank = true
		return
	}
	if (f.open != nil || mayNumber(line) || mayBegin(line)) && learning.MatchString(line) {
		f.end()
		return
	}
	if at := deviceAt(line); at != nil {
		f.begin(line[at[2]:at[3]], number)
		rest := strings.TrimLeft(line[at[3]:], " ]:|,-)#")
		f.open.gpu = f.open.gpu || strings.Contains(strings.ToLower(line[:at[2]]), "gpu") || readings.ParseField(strings.Trim(line[:at[2]], " [=:#-_*")).GPU
		f.rest(rest)
		f.blank = false
		return
	}
	if f.byUUID(line, number) {
		return
	}
	if f.open == nil && !mayNumber(line) {
		return
	}
	line = timeBefore.ReplaceAllString(line, "")
	indent := len(line) - len(strings.TrimLeft(line, " \t"))
	pairs := pairsIn(line)
	if len(pairs) > 0 {
		tag := deviceTag.FindStringSubmatch(pairs[0].value)
		if first := readings.ParseField(pairs[0].name); first.Role == readings.IndexOf && first.Before == 0 && tag != nil && tag[2] == "" {
			f.begin(tag[1], number)
			f.open.gpu = first.GPU
		}
	}
	if f.open == nil {
		return
	}
	for len(f.headings) > 0 && f.headings[len(f.headings)-1].indent >= indent {
		f.headings = f.headings[:len(f.headings)-1]
	}
	took := false
	for _, p := range pairs {
		took = f.fact(p) || took
	}
	if len(pairs) == 0 || len(pairs) == 1 && pairs[0].value == "" { // "Memory" or "memory:"
		f.headings = append(f.headings, detailHeading{indent, strings.Trim(strings.TrimSpace(line), ":*#- ")})
	}
	if f.foreign++; took {
		f.foreign = 0
	}
	if f.foreign > mostForeign {
		f.end()
	}
}

// timeBefore matches the time that a program writes before a line, perhaps behind a word.
var timeBefore = regexp.MustCompile(`^[A-Za-z]{0,8}\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[^\]\s]*\]?[: ]+`)

// byUUID begins a device at its UUID, where nothing numbers it. Its name may be above.
func (f *factsReader) byUUID(line string, number int) bool {
	named := strings.Contains(line, "GPU-")
	if !f.uuids || !named && (f.open != nil || !strings.Contains(line, "ame")) {
		return false
	}
	pairs := pairsIn(timeBefore.ReplaceAllString(line, ""))
	if len(pairs) != 1 {
		return false
	}
	field, value := readings.ParseField(pairs[0].name), pairs[0].value
	switch {
	case field.Before > 0:
	case field.Role == readings.ModelOf && NamesGPU(value) && f.open == nil:
		f.model = value
	case field.Role == readings.UUIDOf && strings.HasPrefix(value, "GPU-") && (f.open == nil || f.open.reading.GPU.UUID != ""):
		model := f.model
		f.begin("", number)
		f.open.gpu, f.open.reading.GPU.UUID = true, value
		f.open.model(model)
		return true
	}
	return false
}

// fact takes a fact by its name, or by its name below the headings above it.
func (f *factsReader) fact(p pairIn) bool {
	field := readings.ParseField(p.name)
	if n := len(f.headings); n > 0 {
		heading := f.headings[n-1].name
		if readings.ParseField(heading).Role == readings.MemoryPair {
			heading = "memory"
		}
		if below := readings.ParseField(heading + " " + p.name); below.Role > readings.NoRole && below.Role <= readings.FreeMemory {
			field = below
		}
	}
	if field.Before > 1 || field.Role == readings.IndexOf {
		return false
	}
	return f.open.add(field, p.value)
}

// rest reads the text behind the number of a device: its name, facts, or both.
func (f *factsReader) rest(text string) {
	pairs := pairsIn(text)
	name := text
	if len(pairs) > 0 {
		name = text[:pairs[0].begin]
	}
	if name = strings.Trim(name, " -|,;:([*"); name != "" {
		if end := strings.IndexAny(name, "|,;("); end > 0 {
			name = strings.TrimSpace(name[:end])
		}
		if gpuNames.MatchString(name) {
			f.open.model(name)
		}
	}
	for _, p := range pairs {
		f.fact(p)
	}
}

func (f *factsReader) begin(index string, number int) {
	f.end()
	f.probe = readings.Answer{}
	f.open = newRecord(&f.probe, f.origin, number)
	f.open.reading.GPU.Index = index
	f.headings, f.foreign, f.model = nil, 0, ""
}

func (f *factsReader) end() {
	if f.open == nil {
		return
	}
	reading, is := f.open.end()
	if g := &reading.GPU; is || strings.HasPrefix(g.UUID, "GPU-") && NamesGPU(g.Model) { // or a list of what there is
		keepRecord(f.answer, reading)
		for _, p := range f.probe.Problems {
			f.answer.AddProblem(p.Line, "%s", p.Text)
		}
	}
	f.open = nil
}

// pairIn is a name and its value in a line.
type pairIn struct {
	begin       int
	name, value string
}

// factPair matches a name and its value, up to a sign that ends them.
var factPair = regexp.MustCompile(`([A-Za-z#%][A-Za-z0-9_.%# ()\[\]/°-]{0,50}?)\s*(?::|=)\s*("[^"]*"|'[^']*'|[^,;|\t"'=]*)`)

// spacedKey matches the beginning of the next pair in the value of one: "61 power=".
var spacedKey = regexp.MustCompile(`\s+[A-Za-z][\w.%/]*\s*$`)

// pairsIn returns the names and values of a line.
func pairsIn(line string) []pairIn {
	if !strings.ContainsAny(line, ":=") {
		return nil // the pattern is slow on a long line
	}
	var pairs []pairIn
	for from := 0; from < len(line) && len(pairs) < mostColumns; {
		at := factPair.FindStringSubmatchIndex(line[from:])
		if at == nil {
			break
		}
		begin, valueEnd := from+at[2], from+at[5]
		value := line[from+at[4] : valueEnd]
		if valueEnd < len(line) && line[valueEnd] == '=' { // the next name is in it
			if key := spacedKey.FindStringIndex(value); key != nil {
				value = value[:key[0]]
				valueEnd = from + at[4] + key[0]
			}
		} else if key := nextKey.FindStringIndex(value); key != nil {
			value, valueEnd = value[:key[0]], from+at[4]+key[0]
		}
		pairs = append(pairs, pairIn{begin, strings.TrimSpace(line[from+at[2] : from+at[3]]), strings.Trim(strings.TrimSpace(value), `"'`)})
		from = max(valueEnd, from+1)
	}
	return pairs
}

// nextKey matches the next pair behind a measured value: "45% temp: 60".
var nextKey = regexp.MustCompile(`\s+(?:[A-Za-z][\w.%/]* ?){1,3}:\s|\s{2,}[A-Za-z]`)

// isAnyFacts recognises such a text that begins with a device.
func isAnyFacts(h *head) bool {
	if len(h.lines) == 0 || !beginsDevice(h.lines[0]) {
		return false
	}
	devices := 0
	for line := range strings.Lines(string(h.text)) {
		if beginsDevice(line) {
			devices++
		}
	}
	a := readings.Answer{}
	_ = readAnyFacts(string(h.text), &a, readings.Origin{})
	return 2*len(a.Readings) >= devices // a log may number anything
}

// deviceAt returns the place of the number of a device at the beginning of a line.
func deviceAt(line string) []int {
	if !mayBegin(line) {
		return nil
	}
	return deviceBegins.FindStringSubmatchIndex(line)
}

// beginsDevice reports whether a line has the number of a device before its facts.
func beginsDevice(line string) bool {
	line = strings.TrimRight(plainBox(stripSGR(line)), " |\r\n")
	if deviceAt(line) != nil {
		return true
	}
	if !mayNumber(line) {
		return false
	}
	pairs := pairsIn(line)
	return len(pairs) > 0 && readings.ParseField(pairs[0].name).Role == readings.IndexOf
}
