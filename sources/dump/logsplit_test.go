package dump

import "testing"

// What looks like the beginning of a section but names what cannot be a pod
// is text: names are shown, and text is hostile.
func TestSectionsNamePods(t *testing.T) {
	for head, want := range map[string]prefixing{
		"==== START logs for container pytorch of pod ml/bert-worker-0 ====\nstep 1\n":            ofSections,
		"==== START logs for container py\x1b[2Jtorch of pod ml/bert-worker-0 ====\nstep 1\n":     oneLog,
		"==== START logs for container pytorch of pod ml/\x1b]0;title\x07bert ====\nstep 1\n":     oneLog,
		"==== START logs for container pytorch of pod m\u202el/bert-worker-0 ====\nstep 1\n":      oneLog,
		"==== START logs for container pytorch of pod ml/bert/../../../etc/passwd ====\nstep 1\n": oneLog,
	} {
		if got := prefixingOf([]byte(head), pods{}); got != want {
			t.Errorf("%q is %d, want %d", head, got, want)
		}
	}
}
