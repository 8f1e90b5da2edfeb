package dump

import (
	"bytes"
	"context"
	"io"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/sources"
)

// mostText bounds a file of objects that is read as text: a person's cut-out of
// a cluster is small, and a whole dump has its jobs.
const mostText = 1 << 20

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
	for _, path := range f.paths {
		before := f.reportOf(path)
		if !before.log && run.addText(path) {
			run.logs.note(path, before)
		}
	}
	run.readLogs()
	return len(run.logs.tails) > 0
}

// addText takes a path in as text, and reports whether it holds objects.
func (r *reading) addText(path string) bool {
	if path == stdinPath {
		o, kept := r.files.reopenPasted()
		if kept = kept && o.holdsObjects(); kept {
			r.logs.add(path, stdinName, &o, -1)
		}
		return kept
	}
	rank, name := splitRank(r.files.disk, path)
	if !r.isSmallFile(name) {
		return false
	}
	r.logs.add(path, name, nil, rank)
	return true
}

// isSmallFile reports whether a path is a file of objects, in YAML or JSON,
// that a person could have pasted.
func (r *reading) isSmallFile(name string) bool {
	info, err := r.files.disk.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > mostText {
		return false
	}
	in, err := r.files.disk.Open(name)
	if err != nil {
		return false
	}
	defer in.Close() // read only: nothing is lost with this error
	o, err := unpack(in)
	return err == nil && o.holdsObjects()
}

func (o *opened) holdsObjects() bool { return o.is == isYAML || o.is == isJSON }

// keepPasted reads what is small into memory; what is longer goes on as it comes.
func (f *Files) keepPasted(in io.Reader) io.Reader {
	begin, err := io.ReadAll(io.LimitReader(in, mostText+1))
	if err == nil && len(begin) <= mostText {
		f.pasted = begin
		return bytes.NewReader(begin)
	}
	return io.MultiReader(bytes.NewReader(begin), in) // which fails again where it did
}

// reopenPasted reads standard input from its beginning, if it was kept.
func (f *Files) reopenPasted() (o opened, kept bool) {
	if f.pasted == nil {
		return o, false
	}
	o, err := unpack(bytes.NewReader(f.pasted))
	return o, err == nil
}
