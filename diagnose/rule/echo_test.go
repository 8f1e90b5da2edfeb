package rule

import "testing"

// A sentence that the scheduler writes twice is quoted once.
func TestAnEchoIsQuotedOnce(t *testing.T) {
	for text, want := range map[string]string{
		`0/21 nodes are available: persistentvolumeclaim "coco" not found. not found`: `0/21 nodes are available: persistentvolumeclaim "coco" not found`,
		"disk full. disk full.":                       "disk full. disk full.",
		"a pod was not found. It was not found again": "a pod was not found. It was not found again",
		"one. two":     "one. two",
		"not found. ":  "not found.",
		"5.5 GiB used": "5.5 GiB used",
	} {
		if got := Plain(text); got != want {
			t.Errorf("%q is quoted as %q", text, got)
		}
	}
}
