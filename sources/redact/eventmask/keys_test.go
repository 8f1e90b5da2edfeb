package eventmask

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/traintop/traintop/sources/redact"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// redactLines redacts lines that arrive one by one.
func redactLines(r *Redactor, lines []string) []string {
	safe := make([]string, len(lines))
	for n, line := range lines {
		events := r.Redact([]store.Event{store.Logged{Stream: train.StreamID{Container: "c"}, Lines: []train.LogLine{{Number: int64(n + 1), Text: line}}}})
		safe[n] = events[0].(store.Logged).Lines[0].Text
	}
	return safe
}

// keyLines are lines of base64 as wide as those of a key.
func keyLines(n int) []string {
	seed := uint32(7)
	lines := make([]string, n)
	for i := range lines {
		raw := make([]byte, 48)
		for k := range raw {
			seed = seed*1664525 + 1013904223
			raw[k] = byte(seed >> 16)
		}
		lines[i] = base64.StdEncoding.EncodeToString(raw)
	}
	return lines
}

func TestKeysWithAPrefixOnEachLine(t *testing.T) {
	for _, format := range []string{"%s", "\x1b[32m%s\x1b[0m", `+ echo "%s"`, `'%s\n'`, "[rank0] %s"} {
		body := keyLines(5)
		lines := append(append([]string{"-----BEGIN PRIVATE KEY-----"}, body...), "-----END PRIVATE KEY-----", "step 4 loss 1.2")
		for i := range 7 {
			lines[i] = fmt.Sprintf(format, lines[i])
		}
		safe := redactLines(New(), lines)
		for _, line := range body {
			if strings.Contains(strings.Join(safe, "\n"), line) {
				t.Errorf("%q: %q", format, safe)
				break
			}
		}
		if safe[7] != lines[7] {
			t.Errorf("what follows a key became %q", safe[7])
		}
	}
}

// TestLinesOfAKeyWithoutItsFirstLine: from the third on they are known to be one;
// those of a certificate stay.
func TestLinesOfAKeyWithoutItsFirstLine(t *testing.T) {
	lines := keyLines(6)
	for n, got := range redactLines(New(), lines) {
		if (got == lines[n]) != (n < maxWide) {
			t.Errorf("line %d became %q", n, got)
		}
	}
	lines = append([]string{"-----BEGIN CERTIFICATE-----"}, lines...)
	for n, got := range redactLines(New(), lines) {
		if got != lines[n] {
			t.Errorf("line %d of a certificate became %q", n, got)
		}
	}
}

func TestTheMentionOfAKeyHidesNothingBelow(t *testing.T) {
	lines := []string{
		"the file has to begin with -----BEGIN RSA PRIVATE KEY-----", "loading", `{"step": 1, "sha": "0123456789abcdef0123456789abcdef01234567"}`, "done", "checkpoint 0123456789abcdef0123456789abcdef01234567",
	}
	for n, got := range redactLines(New(), lines) {
		if n > 0 && got != lines[n] {
			t.Errorf("%q became %q", lines[n], got)
		}
	}
}

// The first line identifies a key where its BEGIN line is missing.
func TestLinesOfAKeyWithoutItsBeginLine(t *testing.T) {
	for _, head := range []string{"MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQDepRmfZMt54WpX", "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW"} {
		for _, format := range []string{"%s", "[rank0] %s"} {
			lines := append(append([]string{head}, keyLines(3)...), "step 4 loss 1.2")
			for i := range 4 {
				lines[i] = fmt.Sprintf(format, lines[i])
			}
			safe := redactLines(New(), lines)
			for n := range 4 {
				if strings.Contains(safe[n], lines[n][len(lines[n])-40:]) {
					t.Errorf("%q: line %d became %q", format, n, safe[n])
				}
			}
			if safe[4] != lines[4] {
				t.Errorf("what follows a key became %q", safe[4])
			}
		}
	}
}

// writers are prefixes with which launchers, schedulers and loggers write the lines of
// two ranks into one log.
var writers = [][2]string{
	{"[default0]:", "[default1]:"}, {"0: ", "1: "}, {"[1,0]<stdout>:", "[1,1]<stdout>:"}, {"(W pid=120, ip=10.0.0.2) ", "(W pid=121, ip=10.0.0.1) "}, {"[rank0]: ", "[rank1]: "}, {"", ""},
	{"node-a: ", "node-b: "}, {"2026-01-02T03:04:05Z r9 ", "2026-01-02T03:04:12Z r10 "}, {"\x1b[32m[r0]\x1b[0m ", "\x1b[33m[r1]\x1b[0m "}, {"[rank0] INFO:root:", "[rank1] INFO:root:"},
}

// TestKeysBetweenLinesOfOthers: other ranks write between any two lines of a key, and
// what they write stays.
func TestKeysBetweenLinesOfOthers(t *testing.T) {
	body := keyLines(6)
	body[5] = body[5][:23] + "="
	for _, head := range [][]string{{"-----BEGIN RSA PRIVATE KEY-----"}, {"-----BEGIN RSA PRIVATE KEY-----", "Proc-Type: 4,ENCRYPTED", "DEK-Info: AES-128-CBC,0123456789ABCDEF0123456789ABCDEF", ""}, {"MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQDepRmfZMt54WpX"}} {
		for _, w := range writers {
			for _, others := range []int{1, 3, 7, 15} {
				var lines []string
				for _, line := range append(append(append([]string{}, head...), body...), "-----END RSA PRIVATE KEY-----") {
					lines = append(lines, w[1]+line)
					for i := range others {
						lines = append(lines, fmt.Sprintf("%sstep %d loss 1.%d", w[0], 20+i, i))
					}
				}
				for name, safe := range map[string][]string{"one by one": redactLines(New(), lines), "as one text": strings.Split(redact.Text(strings.Join(lines, "\n")), "\n")} {
					all := strings.Join(safe, "\n")
					for _, line := range append(body, head[0]) {
						if strings.Contains(all, line) {
							t.Errorf("%q, %d lines of others, %s: %q is left", w, others, name, line)
							break
						}
					}
					for n, line := range lines {
						if strings.Contains(line, "loss") && safe[n] != line {
							t.Errorf("%q, %d lines of others, %s: %q became %q", w, others, name, line, safe[n])
							break
						}
					}
				}
			}
		}
	}
}

// TestKeysOfAllRanksAtOnce: each rank prints its key, a line of each in turns, and the
// last one is some lines behind.
func TestKeysOfAllRanksAtOnce(t *testing.T) {
	body := keyLines(5)
	key := append(append([]string{"-----BEGIN PRIVATE KEY-----"}, body...), "-----END PRIVATE KEY-----")
	var lines []string
	for n := range len(key) + 3 {
		for rank := range 4 {
			if at := n - rank; at >= 0 && at < len(key) {
				lines = append(lines, fmt.Sprintf("[default%d]:%s", rank, key[at]))
			}
		}
	}
	lines = append(lines, "[default1]:step 3 loss 1.2", "[default2]:sha 0123456789abcdef0123456789abcdef01234567")
	for name, safe := range map[string][]string{"one by one": redactLines(New(), lines), "as one text": strings.Split(redact.Text(strings.Join(lines, "\n")), "\n")} {
		for n, line := range safe {
			if n >= len(lines)-2 && line != lines[n] {
				t.Errorf("%s: %q became %q", name, lines[n], line)
			}
			for _, secret := range body {
				if strings.Contains(line, secret) {
					t.Errorf("%s: line %d is left", name, n)
				}
			}
		}
	}
}

// TestNearMissesOfKeysBetweenLines: below the mention of a BEGIN line, and below a key
// that is cut, other lines stay.
func TestNearMissesOfKeysBetweenLines(t *testing.T) {
	certificate := append(append([]string{"-----BEGIN CERTIFICATE-----"}, keyLines(4)...), "-----END CERTIFICATE-----")
	others := []string{
		"loading", `{"step": 1, "sha": "0123456789abcdef0123456789abcdef01234567"}`, "0123456789abcdef0123456789abcdef01234567", "checkpoint 0123456789abcdef0123456789abcdef01234567",
		"Version: 2.1", "TrainingFinishedSoon", "run " + keyLines(1)[0], "/models/llama/checkpoints/layer10/Weights8bit",
	}
	for _, mention := range []string{"the file has to begin with -----BEGIN RSA PRIVATE KEY-----", "[rank0] error: expected '-----BEGIN PRIVATE KEY-----'"} {
		lines := append(append([]string{mention, "found instead:"}, certificate...), others...)
		for n, got := range redactLines(New(), lines) {
			if n > 0 && got != lines[n] {
				t.Errorf("below %q: %q became %q", mention, lines[n], got)
			}
		}
		below := "\n" + strings.Join(lines[1:], "\n")
		if got := redact.Text(mention + below); !strings.HasSuffix(got, below) {
			t.Errorf("%q became %q", mention+below, got)
		}
	}
	key := append([]string{"-----BEGIN PRIVATE KEY-----"}, keyLines(2)...)
	lines := append(append(key, "step 1", "step 2", "step 3", "step 4"), others...)
	for n, got := range redactLines(New(), lines) {
		if n > 2 && got != lines[n] {
			t.Errorf("below a key that is cut: %q became %q", lines[n], got)
		}
	}
}

func TestTheMACOfPuTTY(t *testing.T) {
	const mac = "Private-MAC: 0123456789abcdef0123456789abcdef01234567"
	lines := []string{"PuTTY-User-Key-File-3: ssh-ed25519", "Private-Lines: 2", keyLines(2)[0], "step 3 loss 1.2", keyLines(2)[1], mac, "step 4 loss 1.1"}
	for _, prefix := range []string{"", "[rank0]: "} {
		var all []string
		for _, line := range lines {
			all = append(all, prefix+line)
		}
		safe := redactLines(New(), all)
		for n, secret := range map[int]string{2: lines[2], 4: lines[4], 5: mac} {
			if strings.Contains(safe[n], secret) {
				t.Errorf("%q: %q is left", prefix, safe[n])
			}
		}
		if safe[3] != all[3] || safe[6] != all[6] {
			t.Errorf("%q", safe)
		}
	}
}
