package dump

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/sources"
	"github.com/traintop/traintop/sources/metrics"
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
			run.logs.tell(path, train.SourceFailed, fmt.Sprintf("%s and no pods; what events say of no known pod is looked for in up to %d MiB only; give the pods too", termtext.Count(held[kinds.EventKind], "event"), mostPodless>>20))
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
