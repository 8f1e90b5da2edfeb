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
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// mostText bounds a file of objects that is read as text: a person's cut-out of
// a cluster is small, and a whole dump has its jobs.
const mostText = 1 << 20

// mostPodless bounds it where no pod was read: its events may be all that is
// known of a job.
const mostPodless = 32 << 20

// textLimit is how large a file may be that is read as text.
func (f *Files) textLimit() int64 {
	if f.Summary().Objects[kinds.PodKind] > 0 {
		return mostText
	}
	return mostPodless
}

// RunTexts reads files among the paths that hold objects once more, as text
// line by line, and reports whether there were any. It is for objects that are
// no job's and belong to none: a pod alone, its events, a claim. What could not
// be read of them as objects stays a problem in their health. Files with
// Secrets or ConfigMaps are left alone: what they hold is no state of anything.
func (f *Files) RunTexts(ctx context.Context, sink sources.Sink) bool {
	held := f.Summary().Objects
	if held[schema.GroupKind{Kind: "Secret"}] > 0 || held[schema.GroupKind{Kind: "ConfigMap"}] > 0 {
		return false
	}
	run := &reading{files: f, ctx: ctx, out: newBatch(sink), logs: f.newLogReader(sink)}
	refused := false
	for _, path := range f.paths {
		before := f.reportOf(path)
		switch {
		case before.log:
		case run.addText(path):
			run.logs.note(path, before)
		case held[kinds.EventKind] > 0 && held[kinds.PodKind] == 0:
			run.logs.tell(path, train.SourceFailed, fmt.Sprintf("%s and no pods; what events say of no known pod is looked for in up to %d MiB only; give the pods too", termtext.Count(held[kinds.EventKind], "event"), mostPodless>>20))
			refused = true
		}
	}
	run.readLogs()
	return refused || len(run.logs.tails) > 0
}

// addText takes a path in as text, and reports whether it holds objects.
func (r *reading) addText(path string) bool {
	if path == stdinPath {
		o, kept := r.files.reopenPasted()
		if kept = kept && o.holdsObjects(); kept {
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

// smallFile reports whether a path is a file of objects, in YAML or JSON, that
// a person could have pasted. o is its text where that has to be laid out
// first, nil where the file is read as it is.
func (r *reading) smallFile(name string) (spread *opened, is bool) {
	info, err := r.files.disk.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > r.files.textLimit() {
		return nil, false
	}
	in, err := r.files.disk.Open(name)
	if err != nil {
		return nil, false
	}
	defer in.Close() // read only: nothing is lost with this error
	o, err := unpack(in)
	if err != nil || !o.holdsObjects() {
		return nil, false
	}
	if o.spreadJSON() {
		return &o, true
	}
	return nil, true
}

// longestJSONLine is how long the first line of JSON is that was laid out for people.
const longestJSONLine = 512

// spreadJSON gives each field of JSON that was written in one line a line of
// its own, so that what a field says is shown without all others. It reports
// whether there was anything to do.
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
			_ = json.Indent(&spread, document, "", "  ") // it was decoded
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

// keepPasted reads what is small into memory; what is longer goes on as it comes.
func (f *Files) keepPasted(in io.Reader) io.Reader {
	begin, err := io.ReadAll(io.LimitReader(in, mostPodless+1))
	if err == nil && len(begin) <= mostPodless {
		f.pasted = begin
		return bytes.NewReader(begin)
	}
	return io.MultiReader(bytes.NewReader(begin), in) // which fails again where it did
}

// reopenPasted reads standard input from its beginning, if it was kept.
func (f *Files) reopenPasted() (o opened, kept bool) {
	if f.pasted == nil || int64(len(f.pasted)) > f.textLimit() {
		return o, false
	}
	o, err := unpack(bytes.NewReader(f.pasted))
	return o, err == nil
}
