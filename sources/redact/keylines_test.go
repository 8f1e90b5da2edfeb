package redact

import (
	"fmt"
	"strings"
	"testing"
)

// keyOf returns the lines of a private key, each written by a format, and its body.
func keyOf(label, format, newline string) (text string, body []string) {
	lines := []string{}
	for i := range 6 {
		n := 64
		if i == 5 {
			n = 20
		}
		body = append(body, looksRandom(n, base64s, uint32(77+i)))
		lines = append(lines, fmt.Sprintf(format, body[i]))
	}
	begin, end := fmt.Sprintf(format, "-----BEGIN "+label+"-----"), fmt.Sprintf(format, "-----END "+label+"-----")
	return strings.Join(append(append([]string{begin}, lines...), end), newline), body
}

func TestKeysWithAPrefixOnEachLine(t *testing.T) {
	for _, format := range []string{"%s", "\x1b[32m%s\x1b[0m", `+ echo "%s"`, `'%s\n'`, `"%s\n" +`, "[rank0] %s", "2026-01-02T03:04:05Z %s", "  %s  ", "\x1b[1;32m%s\x1b[0m", "│ %s"} {
		for _, newline := range []string{"\n", "\r\n"} {
			text, body := keyOf("RSA PRIVATE KEY", format, newline)
			text = "before\n" + text + "\nstep 3 loss 2.1 of the run 0123456789abcdef"
			got := Text(text)
			for _, line := range body {
				if strings.Contains(got, line) {
					t.Errorf("%q: %q became %q", format, text, got)
					break
				}
			}
			if !strings.HasPrefix(got, "before") || !strings.HasSuffix(got, "step 3 loss 2.1 of the run 0123456789abcdef") {
				t.Errorf("%q: what is around a key became %q", format, got)
			}
		}
	}
}

func TestTheTailOfAKey(t *testing.T) {
	for _, format := range []string{"%s", "[rank0] %s"} {
		text, body := keyOf("PRIVATE KEY", format, "\n")
		_, text, _ = strings.Cut(text, "\n")
		got := Text("step 1\n" + text + "\nstep 2")
		for _, line := range body {
			if strings.Contains(got, line) {
				t.Errorf("%q became %q", text, got)
				break
			}
		}
		if !strings.HasPrefix(got, "step 1\n") || !strings.HasSuffix(got, "\nstep 2") {
			t.Errorf("what is around a key became %q", got)
		}
	}
	public, _ := keyOf("CERTIFICATE", "%s", "\n")
	if got := Text(public); got != public {
		t.Errorf("a certificate became %q", got)
	}
}

// TestTheMentionOfAKey: a sentence that names the line of a key hides nothing
// below it.
func TestTheMentionOfAKey(t *testing.T) {
	for _, line := range []string{
		"ValueError: Could not deserialize key data: expected -----BEGIN PRIVATE KEY----- at the beginning",
		"the file has to begin with '-----BEGIN RSA PRIVATE KEY-----'",
	} {
		below := "\nstep 1 loss 2.3\n{\"step\": 2}\nloading /models/llama/checkpoints/layer10\n-----END CERTIFICATE-----\nstep 3"
		if got := Text(line + below); !strings.HasSuffix(got, below) {
			t.Errorf("%q became %q", line+below, got)
		}
	}
}

// headsOfKeys are beginnings of private keys as openssl and ssh-keygen write them (keys
// made for this test), and others of what is public.
var headsOfKeys = []string{
	"MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQDe", "MIICXAIBAAKBgQC8qqOY52hP7dVWZqaLzfoSRvghwq7N",
	"MIIFLTBXBgkqhkiG9w0BBQ0wSjApBgkqhkiG9w0BBQwwHAQICSEd", "MIGkAgEBBDAPbmPY4VA2RSuhOQyEwRpXDxGrXlYaSvVM",
	"b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAAB", "MHcCAQEEIL0b5cR0m1rX2o8b7Qk5y0a3fVn2d9wQhE6k",
	"MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg", "MC4CAQAwBQYDK2VwBCIEIKq4Zt0c9rY3mQv6PpX1s8wL",
}

func TestAKeyWithoutItsFirstLine(t *testing.T) {
	_, body := keyOf("PRIVATE KEY", "%s", "\n")
	for _, head := range headsOfKeys {
		for _, format := range []string{"%s", "[rank0] %s", "\x1b[32m%s\x1b[0m", "2026-01-02T03:04:05Z %s"} {
			lines := []string{fmt.Sprintf(format, head)}
			for _, line := range body {
				lines = append(lines, fmt.Sprintf(format, line))
			}
			text := "step 1\n" + strings.Join(lines, "\n") + "\nstep 3 loss 2.1"
			got := Text(text)
			for _, line := range append(body, head) {
				if strings.Contains(got, line) {
					t.Errorf("%q became %q", text, got)
					break
				}
			}
			if !strings.HasPrefix(got, "step 1\n") || !strings.HasSuffix(got, "\nstep 3 loss 2.1") {
				t.Errorf("what is around a key became %q", got)
			}
		}
	}
	for _, public := range []string{
		"MIIC+TCCAeGgAwIBAgIUMVBcK/yqiRr1MtGdHx/xerDpXxYwDQYJKoZIhvcNAQEL", "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA0oBdUrIGYpkH1ckd99vl",
		"MIICijCCAXICAQAwRTELMAkGA1UEBhMCQVUxEzARBgNVBAgMClNvbWUtU3RhdGUx", "MII is a prefix of keys",
	} {
		if got := Text(public); got != public {
			t.Errorf("%q became %q", public, got)
		}
	}
}
