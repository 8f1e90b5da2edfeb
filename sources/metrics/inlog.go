package metrics

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/sources/metrics/tools"
	"github.com/traintop/traintop/train"
)

// mostBlocks bounds the parts of a note that are looked at.
const mostBlocks = 32

// InLog reads the GPUs that the beginning of a log or of a note shows: the table of
// nvidia-smi, which jobs print before they start, or what tools printed in the parts of
// a note. It reports whether there were any.
func InLog(head []byte) (Answer, bool) {
	a := Answer{Format: tools.SMITable}
	if bytes.Contains(head, []byte("| NVIDIA-SMI ")) && bytes.Contains(head, []byte("Bus-Id")) {
		if err := readText(a.Format, head, &a, Origin{}); err == nil && len(a.Readings) > 0 {
			return a, true
		}
	}
	if a = inNote(head); len(a.Readings) == 0 {
		a = withinText(head)
	}
	if len(a.Readings) == 0 {
		a = byWords(head)
	}
	return a, len(a.Readings) > 0
}

// byWords reads the devices of a text by the words of its columns, names and keys, wherever
// in the text they are.
func byWords(head []byte) Answer {
	text := strings.ToValidUTF8(string(head), "\uFFFD")
	texts := []string{text}
	if strings.Contains(text, `\n`) {
		texts = append(texts, escapedInText.Replace(text))
	}
	for _, read := range texts {
		a := Answer{Format: tools.Devices}
		if tools.ReadAny(read, &a, Origin{}); len(a.Readings) > 0 {
			return a
		}
	}
	return Answer{}
}

// withinText reads what a tool printed within another text, or within a program.
func withinText(head []byte) Answer {
	below := belowFirstLines(head)
	if len(below.Readings) > 0 && !bytes.Contains(head, []byte("`")) {
		return below
	}
	if code := withinCode(head); valuesOf(&code) > valuesOf(&below) { // the first line of a string follows other code
		return code
	}
	return below
}

// valuesOf counts what the readings of an answer know.
func valuesOf(a *Answer) int {
	n := len(a.Readings)
	for i := range a.Readings {
		n += a.Readings[i].Values.Count()
	}
	return n
}

// withinCode reads what a program quotes of a tool.
func withinCode(head []byte) Answer {
	for _, part := range codeParts(head) {
		a := readPart(part)
		if len(a.Readings) == 0 {
			a = inNote(part)
		}
		if len(a.Readings) == 0 {
			a = belowFirstLines(part)
		}
		if len(a.Readings) > 0 {
			return a
		}
	}
	return Answer{}
}

// mostAbove is how many lines may be above what a tool printed: a sentence, the
// command without its prompt, the head of watch(1).
const mostAbove = 3

// belowFirstLines reads what a tool printed below a line or two of other text, or as a
// paragraph of a longer one.
func belowFirstLines(head []byte) Answer {
	above, tried := 0, 0
	blank, titled, commented, labels, structured := false, false, false, false, false
	for line := range bytes.Lines(head) {
		label, isData := len(labelled.Find(line)), isStructured(line)
		begins := blank || titled || above > 0 && above <= mostAbove || !commented && isComment(line) || !labels && label > 0 ||
			!structured && above > 0 && isData || mayHaveBorder(line) && boxPrefix.Match(line)
		titled, commented, labels, structured = endsIn(line, "-=*#_:") && titleLine.Match(line), isComment(line), label > 0, isData
		if blank = len(bytes.TrimSpace(line)) == 0; blank {
			head = head[len(line):]
			continue
		}
		if begins {
			if tried++; tried > mostBlocks {
				break
			}
			for _, part := range partsAt(head, label) {
				if a := readPart(part); len(a.Readings) > 0 {
					return a
				}
			}
		}
		above++
		head = head[len(line):]
	}
	return Answer{}
}

// endsIn reports whether the last character of a line is one of those in which each match
// of an expression ends: lines of logs rarely do, and expressions are slow.
func endsIn(line []byte, last string) bool {
	line = bytes.TrimSpace(line)
	return len(line) > 0 && strings.IndexByte(last, line[len(line)-1]) >= 0
}

// partsAt returns what may be a text of its own at the beginning of another, behind a label
// of some bytes.
func partsAt(head []byte, label int) [][]byte {
	parts := [][]byte{head}
	if paragraph := linesWhile(head, hasText); len(paragraph) < len(head) {
		parts = append(parts, paragraph)
	}
	if isComment(head) {
		parts = append(parts, linesWhile(head, isComment))
	}
	if label > 0 {
		parts = append(parts, linesWhile(head[label:], isPlain))
	}
	for _, part := range [][]byte{boxAfterPrefix(head), headingAfterPrefix(head), stripQuoteSigns(head), lineOfCode(head), jsonAt(head)} {
		if part != nil {
			parts = append(parts, part)
		}
	}
	return parts
}

// titleLine matches a title that a script drew above what a tool printed: "--- GPU ---",
// "GPU usage:".
var titleLine = regexp.MustCompile(`^(?:[-=*#_]{2,} ?\w.* ?[-=*#_]{2,}|.*[^:\s]:)\s*$`)

// labelled matches what a program writes before the first line that a tool printed:
// "[tool_result] ".
var labelled = regexp.MustCompile(`^\[[\w .-]+\] +`)

// isPlain reports whether a line has text and is no drawn title.
func isPlain(line []byte) bool { return hasText(line) && !titleLine.Match(line) }

func hasText(line []byte) bool { return len(bytes.TrimSpace(line)) > 0 }

// isComment reports whether a line is one of a program or a script.
func isComment(line []byte) bool { return bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte("#")) }

// linesWhile returns the lines at the beginning of a text up to the first that is none of is.
func linesWhile(head []byte, is func([]byte) bool) []byte {
	end := 0
	for line := range bytes.Lines(head) {
		if !is(line) {
			break
		}
		end += len(line)
	}
	return head[:end]
}

// readPart reads a part of a text as a text of its own; what cannot be read to its end
// has no GPUs.
func readPart(part []byte) Answer {
	format, clean := detectPart(part)
	if format == NoFormat {
		return Answer{}
	}
	if clean != nil {
		part = cleaned(part, clean)
	}
	a, err := ReadAs(format, bytes.NewReader(part), Origin{})
	if err != nil {
		return Answer{}
	}
	return a
}

// inNote reads the parts of a note, an issue or a snapshot of several commands. Each
// part is a text of its own; what a later one reports about the same GPU is newer.
func inNote(head []byte) Answer {
	all := Answer{}
	for _, part := range partsOf(head) {
		a := readPart(part)
		if len(a.Readings) == 0 {
			a = withinText(part)
		}
		taken := map[int]bool{}
		for i := range a.Readings {
			all.Format = a.Format
			all.Readings = withNewest(all.Readings, &a.Readings[i], taken)
		}
	}
	return all
}

// detectPart returns the format of a part, NoFormat where it has no GPUs.
func detectPart(part []byte) (Format, cleaning) {
	format, clean := detect(part)
	switch format {
	case ServerStatus, ServerText, ResourceAPI, tools.Message:
		return NoFormat, nil
	}
	return format, clean
}

func isFormat(part []byte) bool {
	format, _ := detectPart(part)
	return format != NoFormat
}

// quotesSeveral reports whether a note quotes several tools in blocks of code, of which
// the first alone would decide how the whole text is read.
func quotesSeveral(head []byte) bool {
	formats := map[Format]bool{}
	for _, part := range partsOf(head) {
		if format, _ := detectPart(part); format != NoFormat {
			formats[format] = true
		}
	}
	return len(formats) > 1
}

// withNewest adds a reading; of a GPU that is there already it replaces what it knows. taken
// are the readings of the same part: a tool prints each GPU once, with a name or without.
func withNewest(all []train.GPUReading, r *train.GPUReading, taken map[int]bool) []train.GPUReading {
	for i := range all {
		if before := &all[i]; !taken[i] && before.GPU.Index == r.GPU.Index && before.GPU.MIG == r.GPU.MIG && completes(&before.GPU, &r.GPU) {
			newest := *r
			newest.GPU = before.GPU
			newest.Values.Fill(&before.Values)
			all[i], taken[i] = newest, true
			return all
		}
	}
	if len(all) >= readings.MaxGPUs {
		return all
	}
	taken[len(all)] = true
	return append(all, *r)
}

// completes fills in what only one of two descriptions of a GPU contains. It reports
// false, and changes nothing, where they contradict each other.
func completes(g, other *train.GPU) bool {
	fields := func(g *train.GPU) []*string {
		return []*string{&g.Node, &g.Host, &g.UUID, &g.Bus, &g.Model, &g.Share, &g.Namespace, &g.Pod, &g.Container}
	}
	these, those := fields(g), fields(other)
	for i := range these {
		if *these[i] != *those[i] && *these[i] != "" && *those[i] != "" && !(these[i] == &g.Model && shortens(g.Model, other.Model)) {
			return false
		}
	}
	if g.Model != "" && other.Model != "" && strings.HasSuffix(g.Model, "...") {
		g.Model = other.Model
	}
	for i := range these {
		*these[i] = cmp.Or(*these[i], *those[i])
	}
	return true
}

// shortens reports whether one name is the beginning of another, as nvidia-smi's table cuts it.
func shortens(one, two string) bool {
	first, cut := strings.CutSuffix(one, "...")
	second, cutToo := strings.CutSuffix(two, "...")
	return (cut || cutToo) && (strings.HasPrefix(first, second) || strings.HasPrefix(second, first))
}

// promptLine matches the line of a session in which a person typed a command, or could:
// "(torch) user@node:~/work$ ", "[user@node work]# ", "PS C:\> ", "$ ".
var promptLine = regexp.MustCompile(`^(?:\([\w./-]+\) ?)*(?:[\w.-]+@[\w.-]+[^\s$#>%]*(?: [^\s$#>%]+)? ?[$#>%]|\[[\w.-]+@[\w.-]+ [^\]]*\][$#]|PS [A-Za-z]:[^>]*>|[A-Za-z]:\\[^>]*>|\$)(?:[ \r\n]|$)`)

// sessionParts returns the lines below each prompt of a session.
func sessionParts(head []byte) [][]byte {
	var parts [][]byte
	begin, at := -1, 0
	for line := range bytes.Lines(head) {
		if promptLine.Match(line) {
			if begin >= 0 && len(bytes.TrimSpace(head[begin:at])) > 0 && len(parts) < mostBlocks {
				parts = append(parts, head[begin:at])
			}
			begin = at + len(line)
			if tools.IsQuery(string(line)) {
				begin = at
			}
		}
		at += len(line)
	}
	if begin >= 0 && begin < len(head) && len(parts) < mostBlocks {
		parts = append(parts, head[begin:])
	}
	return parts
}

// isNoteHeading reports whether a line is a heading of a note. Comments of a script have the
// same sign, and are below each other.
func isNoteHeading(lines [][]byte, at int) bool {
	signs := func(i int) int {
		if i < 0 || i >= len(lines) {
			return 0
		}
		return len(lines[i]) - len(bytes.TrimLeft(lines[i], "#"))
	}
	return noteHeading.Match(lines[at]) && signs(at-1) != signs(at) && signs(at+1) != signs(at) && !isExpositionComment(lines[at])
}

// partsOf returns the blocks of code in a note or, where there are none, the lines
// below its headings or below the prompts of a session.
func partsOf(head []byte) [][]byte {
	fenced := isPasted(head)
	if !fenced {
		if parts := sessionParts(head); parts != nil {
			return parts
		}
	}
	if !fenced && !bytes.HasPrefix(head, []byte("#")) && !bytes.Contains(head, []byte("\n#")) {
		return nil
	}
	var parts [][]byte
	var part []byte
	inside := false
	end := func() {
		switch commands := sessionParts(part); {
		case !inside || len(bytes.TrimSpace(part)) == 0 || len(parts) >= mostBlocks:
		case fenced && len(commands) > 1:
			parts = append(parts, commands...)
		default:
			parts = append(parts, part)
		}
		part = nil
	}
	lines := slices.Collect(bytes.Lines(head))
	if fenced {
		above := linesWhile(head, func(line []byte) bool { return !fenceLine.Match(line) })
		if len(above) < len(head) && isFormat(above) { // the copy begins in a block
			inside, part = true, bytes.Clone(above)
			lines = lines[bytes.Count(above, []byte{'\n'}):]
		}
	}
	for i, line := range lines {
		switch {
		case fenced && fenceLine.Match(line):
			end()
			inside = !inside
		case !fenced && isNoteHeading(lines, i):
			end()
			inside = true
		case inside:
			part = append(part, line...)
		}
	}
	end()
	return parts
}
