package dump

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
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
}

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
	case before.uid == "" || here.uid == "":
		t.written.add(key, before.file, here.file)
	default:
		t.others.add(key, before.file, here.file)
		t.clusters = t.clusters || oneOfACluster[key]
	}
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
	files := make([]string, 0, namedFiles+1)
	for _, file := range o.files[:min(len(o.files), namedFiles)] {
		files = append(files, shown(file))
	}
	if more := len(o.files) - len(files); more > 0 {
		files = append(files, fmt.Sprintf("%d more", more))
	}
	which := ""
	if len(o.keys) > 1 {
		which = "first of them "
	}
	return fmt.Sprintf("%s %s (%s%s %s; read from %s)", termtext.Count(len(o.keys), "object"), how, which, strings.ToLower(o.first.kind.Kind), plain(first), strings.Join(files, ", "))
}

// reportTwice reports the objects of which only one of several is kept.
func (r *reading) reportTwice() {
	r.files.mu.Lock()
	twice := r.files.twice
	r.files.mu.Unlock()
	if len(twice.written.keys) > 0 {
		text := twice.written.text("stood both as a cluster has " + termtext.Agree(len(twice.written.keys), "it", "them") + " and as somebody wrote " + termtext.Agree(len(twice.written.keys), "it", "them") + ", without a UID")
		r.files.leftOut(Problem{File: twice.written.files[0], Text: text + "; what was written is left out"})
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
