package dump

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// twin returns an object of a name, as in a cluster.
func twin(kind, name, uid, created, version string) string {
	return fmt.Sprintf("apiVersion: v1\nkind: %s\nmetadata:\n  name: %s\n  namespace: ml\n  uid: %s\n  creationTimestamp: %q\n  resourceVersion: %q\n", kind, name, uid, created, version)
}

func inFolder(t *testing.T, texts ...string) string {
	t.Helper()
	folder := t.TempDir()
	for i, text := range texts {
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%c.yaml", 'a'+i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// Of several objects of one name the same one is kept in any reading order.
func TestTheNewestOfOneNameIsKept(t *testing.T) {
	const early, late = "2026-11-20T09:00:00Z", "2026-11-20T10:00:00Z"
	for _, test := range []struct{ name, kept, other, says string }{
		{"made anew", twin("Pod", "p", "kept", late, "5"), twin("Pod", "p", "old", early, "9"), "1 object was read twice with different UIDs (pod ml/p; "},
		{"made anew in the same second", twin("Pod", "p", "kept", late, "9"), twin("Pod", "p", "old", late, "5"), "different UIDs"},
		{"a later state", twin("Pod", "p", "kept", early, "1000") + "status: {phase: Running}\n", twin("Pod", "p", "kept", early, "999") + "status: {phase: Pending}\n", ""},
		{"a later state without numbers", twin("Pod", "p", "kept", early, "x") + "status: {phase: Running, startTime: \"2026-11-20T10:00:00Z\"}\n", twin("Pod", "p", "kept", early, "x") + "status: {phase: Pending}\n", ""},
		{"written by a person", twin("Pod", "p", "kept", early, "1"), strings.Replace(twin("Pod", "p", "", "", ""), "  creationTimestamp: \"\"\n", "", 1), "without a UID (pod ml/p; "},
	} {
		for _, texts := range [][]string{{test.kept, test.other}, {test.other, test.kept}} {
			h, files, err := readAll(t, Options{}, inFolder(t, texts...))
			if err != nil {
				t.Fatal(err)
			}
			got := h.objects["ml/Pod/p"]
			if got == nil || got.GetUID() != "kept" || got.GetResourceVersion() == "999" {
				t.Errorf("%s: kept is %v", test.name, got)
			}
			left := fmt.Sprint(files.Summary().LeftOut)
			if (test.says == "") != (left == "[]") || !strings.Contains(left, test.says) {
				t.Errorf("%s: left out is %s", test.name, left)
			}
		}
	}
}

// A pod that only the older of two dumps has may be gone, and that is reported.
func TestPodsOfTheOlderDumpAlone(t *testing.T) {
	const at = "2026-11-20T09:00:00Z"
	dump := func(version string, pods ...string) string {
		text := ""
		for _, name := range pods {
			text += twin("Pod", name, "uid-"+name, at, version) + "---\n"
		}
		return text
	}
	for name, c := range map[string]struct {
		texts []string
		says  string
	}{
		"gone":                     {[]string{dump("5", "a", "b"), dump("9", "a")}, "1 object stands in the older of two files alone (pod ml/b; "},
		"gone, read last":          {[]string{dump("9", "a"), dump("5", "a", "b")}, "1 object stands in the older of two files alone (pod ml/b; "},
		"made since":               {[]string{dump("5", "a"), dump("9", "a", "b")}, ""},
		"parts of one dump":        {[]string{dump("5", "a"), dump("5", "b")}, ""},
		"the same dump in two":     {[]string{dump("5", "a", "b"), dump("5", "a")}, ""},
		"another kind is the same": {[]string{twin("Node", "n", "n", at, "5") + "---\n" + dump("5", "a"), twin("Node", "n", "n", at, "9")}, ""},
	} {
		h, files, err := readAll(t, Options{}, inFolder(t, c.texts...))
		if err != nil {
			t.Fatal(err)
		}
		left := fmt.Sprint(files.Summary().LeftOut)
		if (c.says == "") != (left == "[]") || !strings.Contains(left, c.says) || h.objects["ml/Pod/a"] == nil {
			t.Errorf("%s: left out is %s", name, left)
		}
	}
}

// Files are certainly from several clusters if an object that each cluster has
// once differs.
func TestFilesOfSeveralClustersAreNamed(t *testing.T) {
	of := func(cluster string) string {
		namespace := strings.Replace(twin("Namespace", "kube-system", "ns-"+cluster, "2026-11-20T09:00:00Z", "1"), "  namespace: ml\n", "", 1)
		return namespace + "---\n" + twin("Pod", "p", "pod-"+cluster, "2026-11-20T09:00:00Z", "1") + "---\n" + twin("Pod", "only-"+cluster, "x", "2026-11-20T09:00:00Z", "1")
	}
	h, files, err := readAll(t, Options{}, inFolder(t, of("one"), of("two")))
	if err != nil {
		t.Fatal(err)
	}
	got := h.health["files"]
	if got.State != train.SourceFailed || !strings.Contains(got.Text, "2 objects were read twice with different UIDs") || !strings.Contains(got.Text, "more than one cluster; ") || !strings.Contains(got.Text, "a.yaml") || !strings.Contains(got.Text, "b.yaml") {
		t.Errorf("health is %+v", got)
	}
	if len(files.Summary().Problems) != 1 || len(h.objects) != 4 {
		t.Errorf("%d objects, problems %v", len(h.objects), files.Summary().Problems)
	}
	if h, _, _ = readAll(t, Options{}, inFolder(t, of("one"), of("one"))); h.health["files"].State != "" {
		t.Errorf("the same cluster twice: %+v", h.health["files"])
	}
}

// Objects that a watch reported as deleted are absent, in any reading order. A pod that
// failed before stays until another has its name: it shows why its rank ended.
func TestDeletedObjectsAreNotThere(t *testing.T) {
	pod := twin("Pod", "p", "u1", "2026-11-20T09:00:00Z", "5")
	event := func(is, text string) string { return "---\nobject:\n  " + indent(text) + "type: " + is + "\n" }
	later := twin("Pod", "p", "u2", "2026-11-20T10:00:00Z", "9")
	failed := twin("Pod", "p", "u1", "2026-11-20T09:00:00Z", "7") + "status: {phase: Failed}\n"
	for _, test := range []struct {
		name, kept string
		texts      []string
	}{
		{"after it was read", "", []string{event("ADDED", pod) + event("DELETED", pod)}},
		{"before it was read", "", []string{event("DELETED", pod), pod}},
		{"and made anew", "u2", []string{event("DELETED", pod) + event("ADDED", later)}},
		{"the one before", "u2", []string{later, event("DELETED", pod)}},
		{"after it failed", "u1", []string{event("ADDED", pod) + event("MODIFIED", failed) + event("DELETED", failed)}},
		{"after it failed, and read before it", "u1", []string{event("DELETED", failed), pod}},
		{"after it failed, and made anew", "u2", []string{event("DELETED", failed) + event("ADDED", later)}},
		{"after it failed, the one before", "u2", []string{later, event("DELETED", failed)}},
	} {
		h, files, err := readAll(t, Options{}, inFolder(t, test.texts...))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if o := h.objects["ml/Pod/p"]; o != nil {
			got = string(o.GetUID())
		}
		if got != test.kept || (files.Summary().Objects[kinds.PodKind] == 1) != (got != "") {
			t.Errorf("%s: there is %q, counted %v", test.name, got, files.Summary().Objects)
		}
	}
}

// Of two jobs with one UID only one is shown, and that is reported.
func TestJobsOfOneUIDAreNamed(t *testing.T) {
	of := func(kind, name, uid string) string {
		return "---\napiVersion: batch/v1\nkind: " + kind + "\nmetadata: {name: " + name + ", namespace: ml, uid: " + uid + "}\n"
	}
	for name, c := range map[string]struct{ text, says string }{
		"two":            {of("Job", "b", "x") + of("Job", "a", "x") + of("Job", "c", "y"), "2 objects have the UID of another job (first of them job ml/a; "},
		"one twice":      {of("Job", "a", "x") + of("Job", "a", "x"), ""},
		"none":           {of("Job", "a", `""`) + of("Job", "b", `""`), ""},
		"a job's claims": {of("Job", "a", "x") + of("Lease", "a", "x"), ""},
	} {
		_, files, err := readAll(t, Options{}, inFolder(t, c.text))
		if err != nil {
			t.Fatal(err)
		}
		left := fmt.Sprint(files.Summary().LeftOut)
		if (c.says == "") != (left == "[]") || !strings.Contains(left, c.says) {
			t.Errorf("%s: left out is %s", name, left)
		}
	}
}
