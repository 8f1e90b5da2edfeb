package dump

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/traintop/traintop/sources"
	"github.com/traintop/traintop/sources/metrics"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// mostText limits a file of objects that is read as text: a part copied by a
// person is small, and a whole dump has its jobs.
const mostText = 1 << 20

// mostPodless is the limit if no pod was read: events may then be all that is
// known of a job.
const mostPodless = 32 << 20

// textLimit returns how large a file may be that is read as text.
func (f *Files) textLimit() int64 {
	if f.Summary().Objects[kinds.PodKind] > 0 {
		return mostText
	}
	return mostPodless
}

// RunTexts reads files with objects again, as text line by line, and reports
// whether there were any. It is for objects without a job: a single pod, its
// events, a claim. Objects that could not be parsed stay problems in their
// health. It skips files with Secrets or ConfigMaps, which describe no state,
// and nodes alone, whose state fails no job. With unreadOnly it skips each file
// of which objects were read: their fields were understood, and the words in
// them are no failures.
func (f *Files) RunTexts(ctx context.Context, sink sources.Sink, unreadOnly bool) bool {
	held := f.Summary().Objects
	if held[schema.GroupKind{Kind: "Secret"}] > 0 || held[schema.GroupKind{Kind: "ConfigMap"}] > 0 || onlyNodes(held) {
		return false
	}
	run := &fileReader{files: f, ctx: ctx, out: newBatch(sink), logs: f.newLogReader(sink)}
	refused := false
	for _, path := range f.paths {
		before := f.reportOf(path)
		switch {
		case before.log, unreadOnly && before.understood():
		case run.addText(path):
			run.logs.note(path, before)
		case held[kinds.EventKind] > 0 && held[kinds.PodKind] == 0:
			run.logs.report(path, train.SourceFailed, fmt.Sprintf("%s and no pods; what events say of no known pod is looked for in up to %d MiB only; give the pods too", termtext.Count(held[kinds.EventKind], "event"), mostPodless>>20))
			refused = true
		}
	}
	run.leftOut = len(f.Summary().LeftOut)
	run.readLogs()
	run.reportLeftOut()
	run.out.flush()
	return refused || len(run.logs.tails) > 0
}

// onlyNodes reports whether nodes were read, and beside them at most
// namespaces.
func onlyNodes(held map[schema.GroupKind]int) bool {
	for kind, n := range held {
		if n > 0 && kind != kinds.NodeKind && kind != (schema.GroupKind{Kind: "Namespace"}) {
			return false
		}
	}
	return held[kinds.NodeKind] > 0
}

// addText adds a path as text, and reports whether it has objects.
func (r *fileReader) addText(path string) bool {
	if path == stdinPath {
		o, kept := r.files.reopenPasted()
		if kept = kept && o.speaks(); kept {
			o.spreadJSON()
			r.logs.add(path, stdinName, &o, -1)
		}
		return kept
	}
	rank, name := splitRank(r.files.disk, path)
	o, is := r.smallFile(name)
	if !is {
		return false
	}
	r.logs.add(path, name, o, rank)
	return true
}

// smallFile reports whether a path is a file of objects, in YAML or JSON,
// small enough to have been pasted. o is its text if it had to be indented
// first, nil if the file is read as it is.
func (r *fileReader) smallFile(name string) (spread *opened, is bool) {
	info, err := r.files.disk.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > r.files.textLimit() {
		return nil, false
	}
	in, err := r.files.disk.Open(name)
	if err != nil {
		return nil, false
	}
	defer in.Close() // read only, so this error loses nothing
	o, err := unpack(in)
	if err != nil || !o.speaks() {
		return nil, false
	}
	if o.spreadJSON() {
		return &o, true
	}
	return nil, true
}

// longestJSONLine is the longest first line of JSON that is formatted for
// people.
const longestJSONLine = 512

// spreadJSON puts each field of single-line JSON on its own line, so that a
// message shows one field without all others. It reports whether it changed
// anything.
func (o *opened) spreadJSON() bool {
	head := firstBytes(o.text)
	if first, _, _ := bytes.Cut(head, []byte{'\n'}); o.is != isJSON || len(first) <= longestJSONLine {
		return false
	}
	whole, err := io.ReadAll(o.text)
	var spread bytes.Buffer
	for documents := json.NewDecoder(bytes.NewReader(whole)); err == nil; {
		var document json.RawMessage
		if err = documents.Decode(&document); err == nil {
			_ = json.Indent(&spread, document, "", "  ") // it was decoded before
			spread.WriteByte('\n')
		}
	}
	if !errors.Is(err, io.EOF) {
		spread.Reset()
		spread.Write(whole)
	}
	o.text, o.packed = bufio.NewReaderSize(&spread, sniffSize), true
	_, _ = o.text.Peek(sniffSize) // a short text is no error
	return true
}

func (o *opened) holdsObjects() bool { return o.is == isYAML || o.is == isJSON }

// speaks reports whether the text may have words about a failure: objects, or what a
// tool printed about GPUs, beside which a person may have pasted an error. The page of
// an exporter has only numbers.
func (o *opened) speaks() bool {
	if o.is != isMetrics {
		return o.holdsObjects()
	}
	switch metrics.Detect(firstBytes(o.text)) {
	case metrics.Exposition, metrics.PrometheusAPI, metrics.ResourceAPI:
		return false
	}
	return true
}

// keepPasted reads a small input into memory; a longer one it passes through.
func (f *Files) keepPasted(in io.Reader) io.Reader {
	begin, err := io.ReadAll(io.LimitReader(in, mostPodless+1))
	if err == nil && len(begin) <= mostPodless {
		f.pasted = begin
		return bytes.NewReader(begin)
	}
	return io.MultiReader(bytes.NewReader(begin), in) // the rest, which fails again where it did
}

// reopenPasted returns standard input from its beginning, if it was kept.
func (f *Files) reopenPasted() (o opened, kept bool) {
	if f.pasted == nil || int64(len(f.pasted)) > f.textLimit() {
		return o, false
	}
	o, err := unpack(bytes.NewReader(f.pasted))
	return o, err == nil
}

// fileEvent is an event, and the file that has it.
type fileEvent struct {
	file string
	*corev1.Event
}

// maxFileEvents limits the events that are kept, of pods and of others.
const maxFileEvents = 10_000

// noteEvent keeps an event: where its object is not read, nothing else shows it.
func (f *Files) noteEvent(file string, e *corev1.Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	kept := &f.otherEvents
	if e.InvolvedObject.Kind == "Pod" {
		kept = &f.podEvents
	}
	if f.texts && len(*kept) < maxFileEvents {
		*kept = append(*kept, fileEvent{file, e})
	}
}

// OnlyEvents reports whether events were read and no other object.
func (f *Files) OnlyEvents() bool {
	held := f.Summary().Objects
	for kind, n := range held {
		if n > 0 && kind != kinds.EventKind {
			return false
		}
	}
	return held[kinds.EventKind] > 0
}

// RunEvents reads the events of pods, and of all objects where only events were read, as the
// table that kubectl get events prints, and reports whether it did: jobs whose pods were not
// read have no other word of them, and in a row a message has its reason beside it. It does
// not where none is a warning.
func (f *Files) RunEvents(ctx context.Context, sink sources.Sink) bool {
	events := f.podEvents
	if f.OnlyEvents() {
		events = slices.Concat(events, f.otherEvents)
	}
	isWarning := func(e fileEvent) bool { return e.Type == corev1.EventTypeWarning }
	if !slices.ContainsFunc(events, isWarning) || f.Summary().Objects[kinds.PodKind] > 0 {
		return false
	}
	slices.SortStableFunc(events, func(a, b fileEvent) int { return kinds.EventTime(a.Event).Compare(kinds.EventTime(b.Event)) })
	newest := kinds.EventTime(events[len(events)-1].Event)
	table := []byte("NAMESPACE   LAST-SEEN   TYPE   REASON   OBJECT   MESSAGE\n")
	for _, e := range events {
		age := duration.HumanDuration(newest.Sub(kinds.EventTime(e.Event)))
		message := strings.ReplaceAll(e.Message, "\n", " ")
		table = fmt.Appendf(table, "%s   %s   %s   %s   %s/%s   %s\n", e.InvolvedObject.Namespace, age, e.Type, e.Reason, strings.ToLower(e.InvolvedObject.Kind), e.InvolvedObject.Name, message)
	}
	run := &fileReader{files: f, ctx: ctx, out: newBatch(sink), logs: f.newLogReader(sink)}
	name := events[0].file + "/events"
	run.logs.add(name, name, &opened{text: bufio.NewReader(bytes.NewReader(table)), is: isLog, packed: true}, -1)
	run.readLogs()
	run.out.flush()
	return true
}

// eventRow is a row of the table that kubectl get events prints: perhaps a namespace, when it
// was seen last, how often and since when, the type, the reason, the object and the message.
var (
	eventHead = regexp.MustCompile(`^(?:NAMESPACE +)?LAST SEEN +TYPE +REASON +OBJECT +MESSAGE`)
	eventRow  = regexp.MustCompile(`^(?:([a-z0-9][-a-z0-9]*) +)?((?:\d+[smhdy])+)(?: \(x(\d+) over ((?:\d+[smhdy])+)\))? +(Normal|Warning) +(\S+) +([a-z0-9]+)(?:\.[a-z0-9.-]+)?/([a-z0-9][-.a-z0-9]*) +(\S.*?)\s*$`)
)

// mostEventTable limits a table of events whose rows are joined to objects.
const mostEventTable = 8 << 20

// joinEventTables makes events of the rows of tables of events that are about objects which
// were read, if no event was read as an object. The other rows stay text.
func (r *fileReader) joinEventTables() {
	if held := r.files.Summary().Objects; !r.files.texts || held[kinds.EventKind] > 0 || r.out.instant.IsZero() {
		return
	}
	r.logs.tails = slices.DeleteFunc(r.logs.tails, func(t *tail) bool {
		text := t.eventTable()
		if text == nil {
			return false
		}
		left, joined := r.joinRows(text)
		r.files.count(func(s *Summary) { s.Objects[kinds.EventKind] += joined })
		switch {
		case joined == 0:
			return false
		case len(bytes.TrimSpace(eventHead.ReplaceAll(left, nil))) > 0:
			t.in = &opened{}
			t.in.convert(left)
			return false
		}
		p := r.logs.arg(t.arg)
		if p.files--; p.files == 0 {
			health := train.Health{Source: r.files.healthName(t.arg), State: train.SourceRead, Text: shown(t.arg) + ": " + termtext.Count(joined, "event")}
			r.out.add(store.HealthChanged{Health: health})
		}
		return true
	})
}

// eventTable returns the text of a file that is a table of events, nil for another one.
func (t *tail) eventTable() []byte {
	if t.in != nil {
		return nil
	}
	in, err := t.reader.disk.Open(t.path)
	if err != nil {
		return nil // reading it again will report the error
	}
	defer in.Close() // read only, so this error loses nothing
	o, err := unpack(in)
	if err != nil {
		return nil
	}
	if head, _ := o.text.Peek(sniffSize); !eventHead.Match(head) { // a short text is no error
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(o.text, mostEventTable+1))
	if err != nil || len(text) > mostEventTable {
		return nil
	}
	return text
}

// joinRows adds an event for each row about an object that was read, and returns the text with
// an empty line in place of each.
func (r *fileReader) joinRows(text []byte) (left []byte, joined int) {
	names := r.files.objectsByName()
	number := 0
	for line := range bytes.Lines(text) {
		number++
		m := eventRow.FindSubmatch(line)
		if m == nil {
			left = append(left, line...)
			continue
		}
		object, known := names[rowObject{string(m[7]), string(m[1]), string(m[8])}]
		if !known {
			object, known = names[rowObject{string(m[7]), "", string(m[8])}]
		}
		if !known {
			left = append(left, line...)
			continue
		}
		joined, left = joined+1, append(left, '\n')
		e := r.eventOf(m, object)
		e.Name = fmt.Sprintf("%s.%d", object.Name, number)
		r.out.add(store.Set{Kind: kinds.EventKind, Object: e})
	}
	return left, joined
}

// eventOf makes the event of a row about an object.
func (r *fileReader) eventOf(row [][]byte, object corev1.ObjectReference) *corev1.Event {
	at := r.out.instant.Add(-ageOf(row[2]))
	first, count := at, 1
	if len(row[4]) > 0 {
		first = r.out.instant.Add(-ageOf(row[4]))
		count, _ = strconv.Atoi(string(row[3])) // digits alone
	}
	return &corev1.Event{
		ObjectMeta:     metav1.ObjectMeta{Namespace: cmp.Or(object.Namespace, string(row[1]), "default"), CreationTimestamp: metav1.NewTime(first)},
		InvolvedObject: object, Type: string(row[5]), Reason: string(row[6]), Message: r.logs.options.Secrets.Text(string(row[9])),
		FirstTimestamp: metav1.NewTime(first), LastTimestamp: metav1.NewTime(at), Count: int32(min(max(count, 1), math.MaxInt32)),
	}
}

var agePart = regexp.MustCompile(`(\d+)([smhdy])`)

// ageOf reads an age as kubectl prints it: "2d3h".
func ageOf(text []byte) (age time.Duration) {
	units := map[string]time.Duration{"s": time.Second, "m": time.Minute, "h": time.Hour, "d": 24 * time.Hour, "y": 365 * 24 * time.Hour}
	for _, m := range agePart.FindAllSubmatch(text, -1) {
		n, _ := strconv.Atoi(string(m[1])) // a number out of range is cut to the largest
		age += time.Duration(min(n, 1e6)) * units[string(m[2])]
	}
	return age
}

// rowObject is an object as a table names it: its kind in lower case.
type rowObject struct{ kind, namespace, name string }

// objectsByName returns the objects that were read.
func (f *Files) objectsByName() map[rowObject]corev1.ObjectReference {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := make(map[rowObject]corev1.ObjectReference, len(f.index))
	for key, at := range f.index {
		all[rowObject{strings.ToLower(key.kind.Kind), key.namespace, key.name}] = corev1.ObjectReference{
			APIVersion: schema.GroupVersion{Group: key.kind.Group, Version: "v1"}.String(), Kind: key.kind.Kind, Namespace: key.namespace, Name: key.name, UID: types.UID(at.uid),
		}
	}
	return all
}
