package jsontext

import (
	"fmt"
	"strings"
	"testing"
)

// Texts that are repeated are masked each time, and those without a secret stay,
// also where there are more of them than a masker remembers.
func TestRepeatedTextsAreMaskedEachTime(t *testing.T) {
	var text strings.Builder
	text.WriteString("[")
	for i := range mostClean + 3 {
		fmt.Fprintf(&text, `"step %d","password=hunter2hunter2",`, i)
	}
	text.WriteString(`"end"]`)
	got := string(Mask([]byte(text.String())))
	if strings.Contains(got, "hunter2") {
		t.Errorf("a secret is left: …%.60s…", got[strings.Index(got, "hunter2")-20:])
	}
	for _, kept := range []string{`"step 0",`, fmt.Sprintf(`"step %d",`, mostClean+2), `"end"]`} {
		if !strings.Contains(got, kept) {
			t.Errorf("%s is gone", kept)
		}
	}
}
