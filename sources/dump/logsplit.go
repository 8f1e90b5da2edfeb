package dump

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/traintop/traintop/sources/logfeed"
	"github.com/traintop/traintop/sources/redact"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// prefixing is how the lines of several pods are marked in one file.
type prefixing int

const (
	oneLog         prefixing = iota
	ofKubectl                // kubectl logs --prefix: "[pod/NAME/CONTAINER] text"
	ofStern                  // stern: "POD CONTAINER text", or "NAMESPACE POD CONTAINER text" with -A
	ofKubetail               // kubetail: "[POD] text", or "[POD CONTAINER] text"
	ofSections               // kubectl cluster-info dump: a line before and one after each log
	ofHeadings               // a name above each log: tail of several files, echo in a loop
	ofRecords                // JSON lines, each of which names its pod
	ofCompose                // docker compose logs: "SERVICE-1  | text"
	ofSyslog                 // the pod's name as the tag, or the machine, of each line
	ofDescriptions           // kubectl describe pods: one pod below the other
	ofColon                  // argo logs: "POD: text", and kail: "NAMESPACE/POD[CONTAINER]: text"
	ofLogFiles               // a container's log file in front of the text: aws logs tail, grep in /var/log/containers
	// ofTable and the numbers above it: the rows of CSV, whose cell of that number less
	// ofTable is the pod's name.
	ofTable
)

const podWord = `[a-z0-9][-.a-z0-9]*-(?:[a-z][a-z0-9]*-[0-9]+|[bcdfghjklmnpqrstvwxz2456789]{5})`

var (
	kubectlPrefix = regexp.MustCompile(`^\[pod/([a-z0-9][-.a-z0-9]*)/([a-z0-9][-a-z0-9]*)\] ?`)
	// sternPrefix may be coloured; podLike requires a dash, which a pod's name
	// has and an ordinary word rarely.
	sternPrefix = regexp.MustCompile(`^(?:\x1b\[[0-9;]*m)*(?:([a-z0-9][-a-z0-9]*)(?:\x1b\[[0-9;]*m)* (?:\x1b\[[0-9;]*m)*)??([a-z0-9][-.a-z0-9]*-[-.a-z0-9]*[a-z0-9])(?:\x1b\[[0-9;]*m)* (?:\x1b\[[0-9;]*m)*([a-z0-9][-a-z0-9]*)(?:\x1b\[[0-9;]*m)*(?: |$)`)
	// kubetailPrefix may be coloured (kubetail 1.6.20).
	kubetailPrefix = regexp.MustCompile(`^(?:\x1b\[[0-9;]*m)*\[(?:\x1b\[[0-9;]*m)*([a-z0-9][-.a-z0-9]*-[-.a-z0-9]*[a-z0-9])(?: ([a-z0-9][-a-z0-9]*))?(?:\x1b\[[0-9;]*m)*\](?:\x1b\[[0-9;]*m)*(?: |$)(?:\x1b\[[0-9;]*m)*`)
	// colonPrefix may be coloured (Argo Workflows cmd/argo/commands/common/logs.go, kail
	// writers/default.go). A pod of a workflow ends with a hash in decimal digits.
	colonPrefix  = regexp.MustCompile(`^(?:\x1b\[[0-9;]*m)*(?:([a-z0-9][-a-z0-9]*)/)?([a-z0-9][-.a-z0-9]*-[-.a-z0-9]*[a-z0-9])(?:\[([a-z0-9][-a-z0-9]*)\])?(?:\x1b\[[0-9;]*m)*:(?:\x1b\[[0-9;]*m)*(?: |$)`)
	workflowName = regexp.MustCompile(`-[0-9]{6,10}$`)
	// logFilePrefix is the name of a container's log file, as the kubelet makes it, also as the
	// name of a stream, behind the time that a collector wrote.
	logFilePrefix = regexp.MustCompile(`^(\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[-+]\d\d:?\d\d) )?(?:\S*[./])?([a-z0-9][-a-z0-9]*(?:\.[a-z0-9][-a-z0-9]*)*?)_([a-z0-9][-a-z0-9]*)_([a-z0-9][-a-z0-9]*)-[0-9a-f]{64}(?:\.log)?(?:[: ]|$)`)
	// podName is a name as controllers give it: with a role and an index behind that of the
	// job, or with five characters at random (apimachinery util/rand).
	podName = regexp.MustCompile(`^` + podWord + `$`)
	// numberNext is a number behind the prefix of stern: the word before it names a value,
	// and no container.
	numberNext = regexp.MustCompile(`^[ :=]*[-+.0-9]`)
	// sternNotice is stern's message that it starts or stops following (stern
	// stern/tail.go).
	sternNotice = regexp.MustCompile(`^(?:\x1b\[[0-9;]*m)*[+-](?:\x1b\[[0-9;]*m)* .* › `)
	// syslogTag is a line of syslog (RFC 3164, or with a time of RFC 3339) whose tag or
	// machine is a pod.
	syslogTag = regexp.MustCompile(`^(?:<\d+>)?(?:[A-Z][a-z]{2} [ \d]\d [\d:.]+|\d{4}-\d\d-\d\dT\S+) (?:\S+ (` + podWord + `)|(` + podWord + `) [\w./-]+)(?:\[\d+\])?: `)
	// tableHeading is a row of names, podColumn the name of that of pods: as Loki, Kibana,
	// Cloud Logging and Log Analytics export them.
	tableHeading = regexp.MustCompile(`^\x{feff}?"?[A-Za-z_@][\w.@ /-]*"?(?:[,;\t]"?[A-Za-z_@][\w.@ /-]*"?)+\r?$`)
	podColumn    = regexp.MustCompile(`(?i)^(?:.*[._ /])?pod(?:[._ ]?name)?$`)
	dnsName      = regexp.MustCompile(`^[a-z0-9][-.a-z0-9]*$`)
	// timeFirst is how a row of an exported table begins.
	timeFirst = regexp.MustCompile(`^"?(?:\d{4}[-/]\d\d|\d{10})`)
	// numbered is a container's name as Docker Compose makes it of its service's.
	numbered = regexp.MustCompile(`^[a-z][-_.a-z0-9]*[0-9]$`)
	// composePrefix may be coloured; the names are aligned (Docker Compose 2, and 1 with
	// underscores). composeEnd is its message on an ended container.
	composePrefix = regexp.MustCompile(`^(?:\x1b\[[0-9;]*m)*([a-z0-9][-_.a-z0-9]*) +\| ?(?:\x1b\[[0-9;]*m)*`)
	composeEnd    = regexp.MustCompile(`^(?:\x1b\[[0-9;]*m)*([a-z0-9][-_.a-z0-9]*) exited with code [0-9]+`)
	// section is "==== START logs for container NAME of pod NAMESPACE/POD ===="
	// (kubectl pkg/cmd/clusterinfo/clusterinfo_dump.go).
	section = regexp.MustCompile(`^==== (START|END) logs for container ([a-z0-9][-a-z0-9]*) of pod ([a-z0-9][-a-z0-9]*)/([a-z0-9][-.a-z0-9]*) ====`)
)

// logHeading matches a name alone on a line between signs, as tail writes that of a file
// (==> rank1.log <==) and people that of a pod or a rank (== a-worker-1 ==, --- Rank 1 ---,
// ### a-worker-1), and a typed kubectl logs.
var (
	logHeading = regexp.MustCompile(`^(?:={2,}>?|-{3,}|#{2,}|\*{2,}) ?((?:[Rr]ank )?[\w./-]*[\w-])(?: ?(?:<?={2,}|-{3,}|#{2,}|\*{2,}))?:?\s*$`)
	typedLogs  = regexp.MustCompile(`^(?:\S*[$#>] )?kubectl (?:\S+ )*?logs (?:\S+ )*?(?:pods?/)?([a-z0-9][-.a-z0-9]*)(?: -\S.*)?\s*$`)
)

// headingName returns the pod or the file of a rank that a line names as the one whose log
// follows, "" for another line.
func headingName(line []byte) string {
	found := logHeading.FindSubmatch(line)
	if found == nil {
		found = typedLogs.FindSubmatch(line)
	}
	if found == nil {
		return ""
	}
	name := strings.ReplaceAll(string(found[1]), " ", "-")
	name = name[strings.LastIndexByte(name, '/')+1:]
	if !rankInName(name).sure && !podName.MatchString(name) {
		return ""
	}
	return name
}

// recordsPod matches the pod that a JSON record names, in the fields that
// logfeed.OriginOf reads, or the name of a container's log that a collector printed before it.
var recordsPod = regexp.MustCompile(`"(?:pod_name|podName|PodName|pod|k8s_pod_name|k8s\.pod\.name|kubernetes_pod_name|kubernetes\.pod\.name|kubernetes\.pod_name)"\s*:\s*(?:\{[^{}]*"name"\s*:\s*)?"([a-z0-9][-.a-z0-9]*)"|^[^{]*[./]([a-z0-9][-a-z0-9]*)_[a-z0-9][-a-z0-9]*_[a-z0-9][-a-z0-9]*-[0-9a-f]{64}[^{]*\{`)

// podOfRecord returns the pod of a line that is a record, nil for another line.
func podOfRecord(line []byte) []byte {
	if m := recordsPod.FindSubmatch(line); m != nil && (line[0] == '{' || len(m[2]) > 0) {
		return slices.Concat(m[1], m[2])
	}
	return nil
}

// splitLines is how many lines decide whether a file has several logs.
const splitLines = 64

// prefixingOf examines the first lines of a file.
func prefixingOf(head []byte, known pods) prefixing {
	var kubectl, stern, kubetail, records, syslog, colon, logFiles prefixCount
	lines, notices := 0, 0
	for line := range bytes.Lines(head) {
		if line = bytes.TrimRight(line, "\r\n"); len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if lines == 0 && section.Match(line) {
			return ofSections
		}
		if lines == 0 && headingName(line) != "" {
			return ofHeadings
		}
		if sternNotice.Match(line) {
			notices++
			continue
		}
		lines++
		if kubectlPrefix.Match(line) {
			kubectl.lines++
		} else if m := kubetailPrefix.FindSubmatch(line); m != nil {
			kubetail.add(m[1], m[2], known)
		} else if m := sternPrefix.FindSubmatch(line); m != nil {
			stern.add(m[2], m[3], known)
			stern.values = stern.values || numberNext.Match(line[len(m[0]):])
		} else if m := syslogTag.FindSubmatch(line); m != nil {
			syslog.add(append(m[1], m[2]...), nil, known)
		} else if pod := podOfRecord(line); pod != nil {
			records.add(pod, nil, known)
		} else if m := logFilePrefix.FindSubmatch(line); m != nil {
			logFiles.add(m[2], m[4], known)
		} else if m := colonPrefix.FindSubmatch(line); m != nil {
			colon.add(m[2], m[3], known)
		}
		if lines == splitLines {
			break
		}
	}
	switch {
	case lines == 0:
		return oneLog
	case describesPods(head):
		return ofDescriptions
	case isCompose(head):
		return ofCompose
	case kubectl.lines == lines:
		return ofKubectl
	case records.lines == lines && len(records.seen) > 1:
		return ofRecords
	case syslog.lines == lines && len(syslog.seen) > 1:
		return ofSyslog
	case logFiles.lines == lines:
		return ofLogFiles
	case colon.lines == lines && (colon.known || lines >= 8 && len(colon.seen)*4 <= lines && colon.ofPods()):
		return ofColon
	case kubetail.lines == lines && (kubetail.known || kubetail.ofPods()):
		return ofKubetail
	case stern.lines == lines && (stern.known || notices > 0 || lines >= 8 && len(stern.seen)*4 <= lines || stern.ofPods() && stern.isOneContainer() && !stern.values):
		return ofStern
	}
	return tableOf(head)
}

// describedName, describedNode and describedKind match fields in the text of kubectl
// describe: only pods are described with a node, only custom resources with a kind.
var (
	describedName = regexp.MustCompile(`(?m)^Name: {2,}([a-z0-9][-.a-z0-9]*)\s*$`)
	describedNode = regexp.MustCompile(`(?m)^Node: {2,}\S`)
	describedKind = regexp.MustCompile(`(?m)^Kind: {2,}\S`)
)

// describesPods reports whether a text describes several pods and nothing else.
func describesPods(head []byte) bool {
	if !describeLine.Match(answer(bytes.TrimSpace(head))) || describedKind.Match(head) {
		return false
	}
	names := describedName.FindAllIndex(head, -1)
	for i := range names {
		if i+1 < len(names) && !describedNode.Match(head[names[i][0]:names[i+1][0]]) { // of the last one the rest may be missing
			return false
		}
	}
	return len(names) > 1
}

// isCompose reports whether all lines bear numbered names in one column, and these
// come again: those of a table's rows do not.
func isCompose(head []byte) bool {
	seen := map[string]bool{}
	lines, column := 0, 0
	for line := range bytes.Lines(head) {
		m := composePrefix.FindSubmatchIndex(line)
		if m == nil && (lines == 0 || composeEnd.Match(line)) {
			continue // what Compose prints before it begins, and of an end
		}
		if m == nil || !numbered.Match(line[m[2]:m[3]]) {
			return false
		}
		bar := bytes.IndexByte(line, '|') - m[2]
		if lines++; lines > 1 && bar != column {
			return false
		}
		column = bar
		if seen[string(line[m[2]:m[3]])] = true; lines == splitLines {
			break
		}
	}
	return len(seen) > 1 && len(seen)*4 <= lines
}

// tableOf returns ofTable and the column of the pods' names in CSV with a heading, oneLog
// for another text.
func tableOf(head []byte) prefixing {
	heading, _, _ := bytes.Cut(head, []byte{'\n'})
	if !tableHeading.Match(heading) {
		return oneLog
	}
	for column := range maxColumns {
		name, found := cellOf(heading, column)
		if !found {
			break
		}
		if podColumn.Match(name) {
			return ofTable + prefixing(column)
		}
	}
	return oneLog
}

// maxColumns limits the columns of a table.
const maxColumns = 64

// cellOf returns a cell of a row of CSV without its quotes. A cell that is not in this
// line is not found: of a quoted text of several lines the others come later, or came.
func cellOf(row []byte, column int) (cell []byte, found bool) {
	row = bytes.TrimRight(row, "\r\n")
	quoted, from := false, 0
	for i := 0; i <= len(row); i++ {
		switch {
		case i < len(row) && row[i] == '"':
			quoted = !quoted
		case quoted || i < len(row) && strings.IndexByte(",;\t", row[i]) < 0:
		case column > 0:
			column, from = column-1, i+1
		default:
			return bytes.Trim(row[from:i], "\" "), true
		}
	}
	return nil, false
}

// prefixCount counts the lines of a file that begin with one kind of prefix.
type prefixCount struct {
	lines int
	seen  map[source]bool
	// known is true if one names a pod of the dump, odd if one names what is not named as
	// pods are, values if a number is behind one.
	known, odd, values bool
}

func (p *prefixCount) add(pod, container []byte, known pods) {
	if p.seen == nil {
		p.seen = map[source]bool{}
	}
	p.lines++
	p.seen[source{"", string(pod), string(container)}] = true
	p.known = p.known || known.find("", string(pod)) != nil
	p.odd = p.odd || !podName.Match(pod) && !workflowName.Match(pod)
}

// ofPods reports whether the lines are of several sources that are named as pods are.
func (p *prefixCount) ofPods() bool { return len(p.seen) > 1 && !p.odd }

func (p *prefixCount) isOneContainer() bool {
	names := map[string]bool{}
	for from := range p.seen {
		names[from.container] = true
	}
	return len(names) == 1
}

// source is one of the logs in a file.
type source struct{ namespace, pod, container string }

// noPod is the source of lines that bear no prefix in a file whose other lines do: a
// second log behind the first, an error of kubectl's own. Nothing shows whose they are.
var noPod = source{}

// take returns the source of a line and its text without the prefix. Stern's
// notices, empty lines, and lines between sections have no source: their text is nil.
func (p prefixing) take(line []byte, before source) (from source, text []byte) {
	switch p {
	case ofKubectl:
		if m := kubectlPrefix.FindSubmatchIndex(line); m != nil {
			return source{"", string(line[m[2]:m[3]]), string(line[m[4]:m[5]])}, line[m[1]:]
		}
	case ofStern:
		if m := sternPrefix.FindSubmatchIndex(line); m != nil && !sternNotice.Match(line) {
			if m[2] >= 0 {
				from.namespace = string(line[m[2]:m[3]])
			}
			from.pod, from.container = string(line[m[4]:m[5]]), string(line[m[6]:m[7]])
			return from, line[m[1]:]
		}
	case ofKubetail:
		if m := kubetailPrefix.FindSubmatchIndex(line); m != nil {
			if m[4] >= 0 {
				from.container = string(line[m[4]:m[5]])
			}
			from.pod = string(line[m[2]:m[3]])
			return from, line[m[1]:]
		}
	case ofColon:
		if m := colonPrefix.FindSubmatch(line); m != nil {
			return source{string(m[1]), string(m[2]), string(m[3])}, line[len(m[0]):]
		}
	case ofLogFiles:
		if m := logFilePrefix.FindSubmatch(line); m != nil {
			return source{string(m[3]), string(m[2]), string(m[4])}, slices.Concat(m[1], line[len(m[0]):])
		}
	case ofHeadings:
		if name := headingName(line); name != "" {
			return source{"", name, ""}, nil
		}
		return before, line
	case ofDescriptions:
		if m := describedName.FindSubmatch(line); m != nil {
			return source{"", string(m[1]), ""}, line
		}
		return before, line
	case ofRecords:
		if pod := podOfRecord(line); pod != nil {
			return source{"", string(pod), ""}, line
		}
	case ofCompose:
		if m := composePrefix.FindSubmatchIndex(line); m != nil {
			return source{"", string(line[m[2]:m[3]]), ""}, line[m[1]:]
		}
		if m := composeEnd.FindSubmatch(line); m != nil {
			return source{"", string(m[1]), ""}, line
		}
	case ofSections:
		m := section.FindSubmatch(line)
		switch {
		case m == nil && before == noPod:
			return noPod, nil
		case m == nil:
			return before, line
		case string(m[1]) == "START":
			return source{string(m[3]), string(m[4]), string(m[2])}, nil
		}
		return noPod, nil
	case ofSyslog:
		if m := syslogTag.FindSubmatch(line); m != nil {
			return source{"", string(m[1]) + string(m[2]), ""}, line
		}
	default:
		return p.takeRow(line, before)
	}
	if sternNotice.Match(line) || len(bytes.TrimSpace(line)) == 0 {
		return noPod, nil
	}
	return noPod, line
}

// takeRow returns the pod of a row of a table. A line that goes on in a quoted cell is of
// the row before it, and the heading of none.
func (p prefixing) takeRow(line []byte, before source) (from source, text []byte) {
	cell, found := cellOf(line, int(p-ofTable))
	switch {
	case found && podColumn.Match(cell), len(bytes.TrimSpace(line)) == 0:
		return before, nil
	case found && dnsName.Match(cell):
		return source{"", string(cell), ""}, line
	case found || bytes.Count(line, []byte{'"'})%2 == 1 && timeFirst.Match(line):
		return noPod, line // a row without a pod, or one whose pod is lines below
	}
	return before, line
}

// maxSplit limits how many logs one file is split into; further ones are left
// out.
const maxSplit = 1024

// fewUnprefixed is how many lines without a prefix are no log yet: what a terminal shows
// beside a log (^C, a prompt), or the last words of kubectl.
const fewUnprefixed = 3

type unprefixedLine struct {
	number int64
	text   []byte
}

// splitter reads a file with the lines of several logs.
type splitter struct {
	prefixing prefixing
	open      func(source) *logfeed.Feed
	feeds     map[source]*logfeed.Feed
	fed       []*logfeed.Feed
	before    source
	number    int64
	// unprefixed are lines without a prefix while they are fewUnprefixed at most.
	unprefixed []unprefixedLine
	// rest is an incomplete line.
	rest []byte
	// long is the feed of a line whose beginning was passed on; skips is true
	// if the line has no source.
	long  *logfeed.Feed
	skips bool
}

func (s *splitter) Write(p []byte) (int, error) {
	size := len(p)
	for len(p) > 0 {
		line, after, whole := bytes.Cut(p, []byte{'\n'})
		if s.long != nil || s.skips {
			s.goOn(line, whole)
			p = after
			continue
		}
		if len(s.rest) > 0 || !whole {
			s.rest = append(s.rest, line...)
			line = s.rest
		}
		if !whole {
			if len(s.rest) > maxSplitLine {
				s.begin(s.rest)
				s.rest = s.rest[:0]
			}
			break
		}
		s.line(line)
		s.rest, p = s.rest[:0], after
	}
	s.flush()
	return size, nil
}

// maxSplitLine limits a line that waits for its end.
const maxSplitLine = 4 * logfeed.MaxLine

func (s *splitter) line(line []byte) {
	if feed, text := s.owner(line); feed != nil {
		feed.Line(s.number, text)
		s.touch(feed)
	}
}

// begin passes on the beginning of a long line.
func (s *splitter) begin(line []byte) {
	feed, text := s.owner(line)
	if feed != nil {
		feed.Part(s.number, text)
		s.touch(feed)
	}
	s.long, s.skips = feed, feed == nil
}

// goOn passes on more of a long line.
func (s *splitter) goOn(line []byte, whole bool) {
	switch {
	case s.long == nil:
	case whole:
		s.long.Line(s.number, line)
		s.touch(s.long)
	default:
		s.long.Part(s.number, line)
		s.touch(s.long)
	}
	if whole {
		s.long, s.skips = nil, false
	}
}

// owner counts a line and returns its feed, nil for a line without a source.
func (s *splitter) owner(line []byte) (feed *logfeed.Feed, text []byte) {
	s.number++
	from, text := s.prefixing.take(line, s.before)
	s.before = from
	if text == nil || from == noPod && s.holdsBack(text) {
		return nil, nil
	}
	return s.feedOf(from), text
}

// feedOf returns the feed of a source, nil if there are too many.
func (s *splitter) feedOf(from source) *logfeed.Feed {
	feed := s.feeds[from]
	if feed == nil && len(s.feeds) < maxSplit {
		feed = s.open(from)
		s.feeds[from] = feed
	}
	return feed
}

// holdsBack keeps a line without a prefix back while there are few of them. More are
// a log, which gets what was kept back.
func (s *splitter) holdsBack(text []byte) bool {
	if s.feeds[noPod] != nil {
		return false
	}
	if len(s.unprefixed) < fewUnprefixed && len(text) <= logfeed.MaxLine {
		s.unprefixed = append(s.unprefixed, unprefixedLine{s.number, bytes.Clone(text)})
		return true
	}
	if feed := s.feedOf(noPod); feed != nil {
		for _, line := range s.unprefixed {
			feed.Line(line.number, line.text)
		}
		s.touch(feed)
	}
	s.unprefixed = nil
	return false
}

// unprefixedNote reports which lines bear no prefix and are in no log, "" for none.
func (s *splitter) unprefixedNote() string {
	if len(s.unprefixed) == 0 {
		return ""
	}
	first := s.unprefixed[0]
	return fmt.Sprintf("%s in no log, for %s no pod's name as the others do; the first is line %d: %s",
		termtext.Count(len(s.unprefixed), "line")+termtext.Agree(len(s.unprefixed), " is", " are"), termtext.Agree(len(s.unprefixed), "it bears", "they bear"), first.number, termtext.Short(redact.Text(string(first.text)), 120))
}

func (s *splitter) touch(feed *logfeed.Feed) {
	if n := len(s.fed); n == 0 || s.fed[n-1] != feed {
		s.fed = append(s.fed, feed)
	}
}

func (s *splitter) flush() {
	for _, feed := range s.fed {
		feed.Flush()
	}
	s.fed = s.fed[:0]
}

// End marks the end of the file.
func (s *splitter) End() {
	if len(s.rest) > 0 {
		s.line(s.rest)
		s.rest = nil
	}
	for _, feed := range s.feeds {
		feed.End()
	}
}

// Lines returns how many lines of the file were read.
func (s *splitter) Lines() int64 { return s.number }

// streamFrom returns the stream of one of the logs in a file.
func streamFrom(path string, from source, known pods) train.StreamID {
	id := train.StreamID{Namespace: from.namespace, Pod: from.pod, Container: from.container, File: path}
	if p := known.findNear(path, from.namespace, from.pod); p != nil {
		id.Namespace, id.UID = p.namespace, p.uid
		if l := p.restartsOf(from.container); l != nil {
			id.Restart = l.restarts
		}
	}
	if id.Previous() && id.Restart > 0 {
		id.Restart--
	}
	return id
}
