package metrics

import (
	"bufio"
	"bytes"
	"cmp"
	"io"
	"regexp"
	"strings"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/sources/metrics/tools"
)

// A text of several machines or pods: each line has the name of its machine before it
// (pdsh, srun -l, kubectl logs --prefix), or a heading with the name is above the
// lines of each (clush and dshbak, ansible, tail of several files). The output of each
// is read by itself, since their GPUs have the same numbers.

var (
	// namedLine matches a name before a line: "n0: " (pdsh 2.35), "12: " (srun -l, a task),
	// "[pod/a-worker-0/pytorch] " (kubectl logs --prefix).
	namedLine = regexp.MustCompile(`^(?:\[pod/([a-z0-9.-]+)/[a-z0-9.-]+\]| {0,4}([A-Za-z0-9][\w.-]*):)(?: |\r?\n?$)`)
	// ansibleHeading is that of an ad hoc command (ansible-core 2.18).
	ansibleHeading = regexp.MustCompile(`^([A-Za-z0-9][\w.:-]*) \| (?:CHANGED|SUCCESS|FAILED!?|UNREACHABLE!?)(?: \| rc=-?\d+ >>| =>.*)?\s*$`)
	// markedHeading is a name between signs: "==> n0.txt <==" of tail, "== n0", "=== node n0".
	markedHeading = regexp.MustCompile(`^[=*>-]{2,} ?(?:(?:node|host|machine|server|pod):? )?([A-Za-z0-9][\w.:/-]*?)(?: ?[=*<-]{2,})?:?\s*$`)
	// bareHeading is the name alone, with a digit or a dot, as echo writes it before each of
	// a loop, and as a heading of Markdown or in bold.
	bareHeading = regexp.MustCompile(`^(?:#+ )?(?:\*\*)?\[?([A-Za-z][\w-]*[\d.][\w.-]*)\]?:?(?:\*\*:?)?\s*$`)
	boldWord    = regexp.MustCompile(`^\*\*[^*\s]`) // may be any word of a note
	// shellPrompt is that of a shell on the machine; reaches is a command that runs another
	// on a machine or in a pod.
	shellPrompt = regexp.MustCompile(`^(?:\([\w.-]+\) )?\[?[\w.-]+@([A-Za-z0-9][\w.-]*)[: ][^#$]*[#$] `)
	reaches     = regexp.MustCompile(`^(?:\S*[$#>] )?(?:ssh|kubectl\b.* exec) (.+)`)
	// ruledName is between two lines of dashes (clush -b of ClusterShell 1.9, dshbak):
	// one name, or several whose output is the same: "n[0-3] (4)".
	ruledName = regexp.MustCompile(`^([A-Za-z0-9][\w.,\[\]-]*)(?: \((\d+)\))?\s*$`)
	ruleLine  = regexp.MustCompile(`^-{5,}\s*$`)
)

// fewLines is how long a part may be that has no known format: the command that was
// typed, or why it failed on a machine.
const fewLines = 4

// machineText is what one machine printed.
type machineText struct {
	name  string
	text  []byte
	lines []int // numbers of its lines in the whole text
	// shared is true where several machines printed it.
	shared bool
}

// splitMachines splits a text by machines, in the order in which they first print; nil
// for a text that names none.
func splitMachines(text []byte) []*machineText {
	if named := splitBy(text, func(lines [][]byte, i int) (string, []byte, int) {
		at := namedLine.FindSubmatchIndex(lines[i])
		switch {
		case at == nil:
			return "", nil, 0
		case at[2] >= 0:
			return string(lines[i][at[2]:at[3]]), lines[i][at[1]:], 0
		}
		return taskName(string(lines[i][at[4]:at[5]])), lines[i][at[1]:], 0
	}, true); named != nil {
		return named
	}
	if headed := splitBy(text, headingAt, false); headed != nil {
		return headed
	}
	for _, nameAt := range []func(line []byte) string{typedName, bareName} {
		found := splitBy(text, func(lines [][]byte, i int) (string, []byte, int) { return nameAt(lines[i]), nil, 1 }, false)
		if areMachines(found) {
			return found
		}
	}
	return nil
}

// typedName returns the machine of a line in which a person typed a command: where its
// shell runs, or where it runs the command.
func typedName(line []byte) string {
	if found := reaches.FindSubmatch(line); found != nil {
		return target(strings.Fields(string(found[1])))
	}
	if found := shellPrompt.FindSubmatch(line); found != nil {
		return string(found[1])
	}
	return ""
}

// target returns the machine or pod among the arguments of ssh or kubectl exec.
func target(arguments []string) string {
	for i := 0; i < len(arguments); i++ {
		switch word := arguments[i]; word {
		case "-n", "--namespace", "-c", "--container", "-p", "-i", "-o", "-l", "-J", "-F":
			i++ // its value
		default:
			if word[0] != '-' {
				return word[strings.LastIndexAny(word, "@/")+1:]
			}
		}
	}
	return ""
}

func bareName(line []byte) string {
	if found := bareHeading.FindSubmatch(line); found != nil {
		return string(found[1])
	}
	return ""
}

// areMachines reports whether two or more names are above text about GPUs, and none
// above other text: words that may be anything are names of machines there.
func areMachines(found []*machineText) bool {
	known := 0
	for _, m := range found {
		if format, _ := detect(m.text); format != NoFormat && m.name != "" {
			known++
		} else if len(nonBlank(m.text)) > fewLines {
			return false
		}
	}
	return known > 1
}

// taskName names a task of srun by its number, and a machine as it is.
func taskName(name string) string {
	if strings.Trim(name, "0123456789") == "" {
		return "task " + name
	}
	return name
}

// headingAt returns the name in the heading that begins at a line, and how many lines the
// heading has.
func headingAt(lines [][]byte, i int) (name string, rest []byte, skip int) {
	if i+2 < len(lines) && ruleLine.Match(lines[i]) && ruleLine.Match(lines[i+2]) {
		if found := ruledName.FindSubmatch(lines[i+1]); found != nil {
			return string(found[1]), nil, 3
		}
	}
	for _, heading := range []*regexp.Regexp{ansibleHeading, markedHeading} {
		if found := heading.FindSubmatch(lines[i]); found != nil && !boldWord.Match(lines[i]) {
			return string(found[1]), nil, 1
		}
	}
	return "", nil, 0
}

// splitBy splits a text by what nameAt returns for each line: the name, with the rest of
// the line or, of a heading, how many lines it has. onEach: each line has a name, but
// for a few, such as what the launcher prints itself. nil for another text.
func splitBy(text []byte, nameAt func(lines [][]byte, i int) (name string, rest []byte, heading int), onEach bool) []*machineText {
	lines := bytes.SplitAfter(text, []byte{'\n'})
	nameless := &machineText{}
	current, all, byName := nameless, []*machineText(nil), map[string]*machineText{}
	for i := 0; i < len(lines); i++ {
		name, rest, heading := nameAt(lines, i)
		if name == "" {
			if onEach {
				current = nameless
			}
			if current.add(i, lines[i]); len(nameless.lines) > fewLines {
				return nil
			}
			continue
		}
		if current = byName[name]; current == nil {
			current = &machineText{name: name, shared: strings.ContainsAny(name, "[,")}
			byName[name] = current
			all = append(all, current)
		}
		if heading == 0 {
			current.add(i, rest)
		}
		i += max(0, heading-1)
	}
	if len(all) > 0 && len(nameless.lines) > 0 {
		all = append(all, nameless)
	}
	return all
}

// typed matches a line in which a person typed a command behind a prompt.
var typed = regexp.MustCompile(`^\S*[$#>] `)

// add adds a line. Blank ones and commands of nobody show nothing.
func (m *machineText) add(line int, text []byte) {
	if m.name == "" && (len(bytes.TrimSpace(text)) == 0 || typed.Match(text)) {
		return
	}
	m.text = append(m.text, text...)
	m.lines = append(m.lines, line+1)
}

// machineFormat returns the format of a text of machines from its beginning: what every
// one of them printed has to be known, but for a few lines.
func machineFormat(head []byte) Format {
	found := NoFormat
	for _, m := range splitMachines(head) {
		switch format, _ := detect(m.text); format {
		case NoFormat, ServerStatus, ServerText, PrometheusAPI, ResourceAPI, tools.Message:
			if len(nonBlank(m.text)) > fewLines {
				return NoFormat // may be what a program logged
			}
		default:
			if m.name == "" {
				return NoFormat // it is the text, and the names are words of warnings above it
			}
			found = cmp.Or(found, format)
		}
	}
	return found
}

// readMachines reads what each machine printed, and names the machine where the text does not.
func readMachines(format Format, in io.Reader, origin Origin) (Answer, error) {
	all := Answer{Format: format}
	text, cut := readWhole(in)
	for _, m := range splitMachines(text) {
		a, err := readPlain(bufio.NewReaderSize(bytes.NewReader(m.text), headSize), origin)
		if err != nil && len(bytes.TrimSpace(m.text)) > 0 {
			all.AddProblem(m.lineOf(1), "%s: nothing of GPUs: %s", cmp.Or(m.name, "beside the machines"), readings.OneLine(string(firstLine(m.text))))
		}
		for _, p := range a.Problems {
			all.AddProblem(m.lineOf(p.Line), "%s: %s", m.name, p.Text)
		}
		all.Dropped += a.Dropped
		if m.shared && len(a.Readings) > 0 {
			all.AddProblem(m.lineOf(1), "%s: several machines printed this, and their GPUs are listed once", m.name)
		}
		for i := range a.Readings {
			if g := &a.Readings[i].GPU; g.Node == "" && g.Host == "" {
				g.Host = m.name
			}
		}
		all.Readings = append(all.Readings, a.Readings...)
		all.Past, all.Usage = append(all.Past, a.Past...), append(all.Usage, a.Usage...)
	}
	return all, cut
}

// lineOf returns the number of a line in the whole text.
func (m *machineText) lineOf(line int) int {
	if line < 1 || line > len(m.lines) {
		return 0
	}
	return m.lines[line-1]
}

// firstLine returns the first line with text.
func firstLine(text []byte) []byte {
	if lines := nonBlank(text); len(lines) > 0 {
		return lines[0]
	}
	return nil
}
