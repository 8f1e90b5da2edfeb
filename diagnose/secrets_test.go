package diagnose

import (
	"fmt"
	"strings"
	"testing"

	"github.com/traintop/traintop/sources/redact"
	"github.com/traintop/traintop/train"
)

// TestASecretOfOneTextIsOneInAll: a title quotes the value without the name
// that marks it as a secret.
func TestASecretOfOneTextIsOneInAll(t *testing.T) {
	shared := []train.Evidence{{Text: "KeyError: password=hunter2 is wrong"}, {Text: "saw hunter2"}, {Text: strings.Repeat("x", 480) + " Authorization: Bearer abcdef"}}
	found := []train.Finding{{
		Title: "The key hunter2 is refused", Explanation: "api_key=abc123def", Verify: "hunter2 is gone", Evidence: shared,
		Next: []train.Step{{Text: "try hunter2", Command: "curl -u ada:s3cret1 x", Arguments: []string{"curl", "-u", "ada:s3cret1", "hunter2"}, Edit: "env:\n- name: HF_TOKEN\n  value: s3cret1\n"}},
	}}
	redactFindings(redact.New(), found)
	text := fmt.Sprintf("%+v", found)
	for _, secret := range []string{"hunter2", "abc123def", "s3cret1", "abcdef"} {
		if strings.Contains(text, secret) {
			t.Errorf("%s is in %s", secret, text)
		}
	}
	if shared[0].Text != "KeyError: password=hunter2 is wrong" {
		t.Errorf("what the finding was made of changed: %+v", shared)
	}
	if !strings.Contains(text, "The key <redacted> is refused") || !strings.Contains(text, "KeyError: password=<redacted:password> is wrong") {
		t.Error(text)
	}
}

func TestVerdictsQuoteNoSecrets(t *testing.T) {
	c := &Conclusion{Sentence: "failed: password=hunter2", because: "api_key=abc123def", Missing: []Missing{{What: "logs", Why: "refused: curl -u ada:hunter2"}}}
	redactConclusion(redact.New(), c)
	redactConclusion(redact.New(), nil)
	if text := fmt.Sprintf("%+v", *c); strings.Contains(text, "hunter2") || strings.Contains(text, "abc123def") || !strings.Contains(text, "refused: curl -u ada:<redacted:password>") {
		t.Error(text)
	}
}

// A text that quotes the beginning of a line is cut, maybe in the middle of a secret.
func TestTheBeginningOfASecretIsOne(t *testing.T) {
	token := "ghp_WZeiNNCiia3anXn9k3ksu9mI4ROu2Kq8Lr5T"
	for cut := 8; cut < len(token); cut++ {
		for _, evidence := range []string{"RuntimeError: pull failed with " + token, "exit code 1"} {
			for _, end := range []string{"…", "\"…", `\"…`} {
				quoted := "from line 52 of the log upwards: RuntimeError: pull failed with " + token[:cut] + end
				found := []train.Finding{{Title: quoted, Evidence: []train.Evidence{{Text: evidence}}, Next: []train.Step{{Text: quoted}}}}
				redactFindings(redact.New(), found)
				if text := fmt.Sprintf("%+v", found); strings.Contains(text, token[:cut]) || !strings.HasSuffix(found[0].Title, end) {
					t.Errorf("cut after %d of the secret: %s", cut, text)
				}
			}
		}
	}
}
