package dump

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// replaces reports whether an object replaces an earlier one of its name. Of
// two with different UIDs the one created later is kept; of two states of one
// object the later state, in whatever order the files are read. An object
// without a UID was written by a person and is in no cluster.
func (p *place) replaces(before *place) bool {
	switch {
	case (p.uid == "") != (before.uid == ""):
		return p.uid != ""
	case p.uid != before.uid && !p.created.IsZero() && !before.created.IsZero() && !p.created.Equal(before.created):
		return p.created.After(before.created)
	case p.version != 0 && before.version != 0:
		return p.version >= before.version
	}
	return !p.seen.Before(before.seen)
}

// readTwice are objects that were read more than once, in different versions.
type readTwice struct {
	// others have different UIDs; written have none, while an object of the
	// cluster has the same name.
	others, written others
	// clusters is true if the files certainly come from several clusters.
	clusters bool
	// newer are files that have a later state of some object than another file.
	newer map[filePair]bool
}

// filePair is a file, and one that was written after it.
type filePair struct{ older, newer string }

// others are objects with the same names as kept ones.
type others struct {
	keys  map[objectKey]bool
	first objectKey
	files []string
}

func (o *others) add(key objectKey, files ...string) {
	if o.keys == nil {
		o.keys, o.first = map[objectKey]bool{}, key
	}
	o.keys[key] = true
	for _, file := range files {
		if !slices.Contains(o.files, file) {
			o.files = append(o.files, file)
		}
	}
}

// note compares two objects of one name.
func (t *readTwice) note(key objectKey, before, here *place) {
	switch {
	case before.uid == here.uid:
		t.noteNewer(before, here)
	case before.uid == "" || here.uid == "":
		t.written.add(key, before.file, here.file)
	default:
		t.others.add(key, before.file, here.file)
		t.clusters = t.clusters || oneOfACluster[key]
	}
}

// noteNewer records which of two files with states of one object is the newer.
func (t *readTwice) noteNewer(before, here *place) {
	if before.file == here.file || before.version == here.version || before.version == 0 || here.version == 0 {
		return
	}
	pair := filePair{before.file, here.file}
	if before.version > here.version {
		pair = filePair{here.file, before.file}
	}
	if t.newer == nil {
		t.newer = map[filePair]bool{}
	}
	t.newer[pair] = true
}

// onlyInOlder returns the pods that are only in the older of two files, while
// the newer one has others of their namespace: they may be gone.
func (f *Files) onlyInOlder() (found others) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.twice.newer) == 0 {
		return found
	}
	type inFile struct{ file, namespace string }
	has := map[inFile]bool{}
	for key, at := range f.index {
		if key.kind == kinds.PodKind {
			has[inFile{at.file, key.namespace}] = true
		}
	}
	newer := map[string][]string{}
	for pair := range f.twice.newer {
		if !f.twice.newer[filePair{pair.newer, pair.older}] {
			newer[pair.older] = append(newer[pair.older], pair.newer)
		}
	}
	for key, at := range f.index {
		inNewer := func(file string) bool { return has[inFile{file, key.namespace}] }
		if key.kind == kinds.PodKind && slices.ContainsFunc(newer[at.file], inNewer) {
			found.add(key, at.file)
		}
	}
	return found
}

// sameUID returns the jobs that share a UID with another job. In a cluster no two
// objects do; a dump that somebody wrote or changed may have such.
func (f *Files) sameUID() (found others) {
	f.mu.Lock()
	defer f.mu.Unlock()
	bearers := map[string][]objectKey{}
	for key, at := range f.index {
		if at.uid != "" && kinds.IsJob(key.kind) {
			bearers[at.uid] = append(bearers[at.uid], key)
		}
	}
	for _, keys := range bearers {
		if len(keys) == 1 {
			continue
		}
		for _, key := range keys {
			found.add(key, f.index[key].file)
		}
	}
	if len(found.keys) > 0 {
		found.first = slices.MinFunc(slices.Collect(maps.Keys(found.keys)), byName)
		slices.Sort(found.files)
	}
	return found
}

func byName(a, b objectKey) int {
	return cmp.Or(cmp.Compare(a.namespace, b.namespace), cmp.Compare(a.name, b.name))
}

// oneOfACluster are objects that a cluster creates at its start and never
// deletes, so that their UIDs identify the cluster (kubernetes
// pkg/controlplane, controller-manager root-ca-certificate-publisher).
var oneOfACluster = map[objectKey]bool{
	{schema.GroupKind{Kind: "Namespace"}, "", "kube-system"}:                 true,
	{schema.GroupKind{Kind: "Namespace"}, "", "default"}:                     true,
	{schema.GroupKind{Kind: "Namespace"}, "", "kube-public"}:                 true,
	{schema.GroupKind{Kind: "Service"}, "default", "kubernetes"}:             true,
	{schema.GroupKind{Kind: "ConfigMap"}, "kube-system", "kube-root-ca.crt"}: true,
	{schema.GroupKind{Kind: "ServiceAccount"}, "kube-system", "default"}:     true,
}

// text names the objects and their files.
func (o *others) text(how string) string {
	first := o.first.name
	if o.first.namespace != "" {
		first = o.first.namespace + "/" + first
	}
	which := ""
	if len(o.keys) > 1 {
		which = "first of them "
	}
	return fmt.Sprintf("%s %s (%s%s %s; read from %s)", termtext.Count(len(o.keys), "object"), how, which, strings.ToLower(o.first.kind.Kind), plain(first), termtext.FewOf(o.files, namedFiles, shown))
}

// reportTwice reports the objects of which only one of several is kept.
func (r *fileReader) reportTwice() {
	r.files.mu.Lock()
	twice := r.files.twice
	r.files.mu.Unlock()
	if len(twice.written.keys) > 0 {
		text := twice.written.text("stood both as a cluster has " + termtext.Agree(len(twice.written.keys), "it", "them") + " and as somebody wrote " + termtext.Agree(len(twice.written.keys), "it", "them") + ", without a UID")
		r.files.leftOut(Problem{File: twice.written.files[0], Text: text + "; what was written is left out"})
	}
	if old := r.files.onlyInOlder(); len(old.keys) > 0 {
		slices.Sort(old.files)
		old.first = slices.MinFunc(slices.Collect(maps.Keys(old.keys)), byName)
		r.files.leftOut(Problem{File: old.files[0], Text: old.text(termtext.Agree(len(old.keys), "stands", "stand")+" in the older of two files alone") +
			": " + termtext.Agree(len(old.keys), "it is", "they are") + " shown as then, and may be gone since; give the newer files alone"})
	}
	if same := r.files.sameUID(); len(same.keys) > 0 {
		r.files.leftOut(Problem{File: same.files[0], Text: same.text(termtext.Agree(len(same.keys), "has", "have")+" the UID of another job") +
			": jobs are told apart by their UIDs, so only one of each UID is shown; correct the UIDs, or leave them out"})
	}
	if len(twice.others.keys) == 0 {
		return
	}
	text := twice.others.text(termtext.Agree(len(twice.others.keys), "was", "were")+" read twice with different UIDs") + "; the one that was made last is kept of each"
	if !twice.clusters {
		r.files.leftOut(Problem{File: twice.others.files[0], Text: text + ": they were made anew, or the files hold more than one cluster"})
		return
	}
	text += ": the files hold more than one cluster; give those of one"
	r.out.add(store.HealthChanged{Health: train.Health{Source: clustersSource, State: train.SourceFailed, Text: text}})
	r.files.count(func(s *Summary) { s.Problems = append(s.Problems, Problem{File: twice.others.files[0], Text: text}) })
}

// clustersSource is the name, in health, of the report about several clusters.
const clustersSource = "files"
