package eventmask

import (
	"fmt"
	"strings"
	"testing"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// TestSecretsBelowTheirNames: a program prints a file; its lines arrive one by
// one, the first in an event of its own.
func TestSecretsBelowTheirNames(t *testing.T) {
	for _, text := range []string{
		"password: |\n  @\nuser: ada", "  db_password: >-\n    @\n    @ more\n  user: ada", "passwords:\n- @\n- @\nusers:\n- ada",
		"\"passwords\": [\n  \"@\",\n  \"@\"\n],\n\"users\": [\"ada\"]", "\"db\": {\n  \"sensitive\": true,\n  \"type\": \"string\",\n  \"value\": \"@\"\n}",
		"\"Type\": \"SecureString\",\n\"Value\": \"@\",\n\"Version\": 1", "kind: Secret\nmetadata:\n  name: x\nstringData:\n  config: @\n  other: @\ntype: Opaque",
		"- --db-password\n- @\n- --lr\n- 0.1", "  - \"--hub-token\"\n  - \"@\"\n  - train.py", "password:\n@\nstep 1", "- name: DB_PASSWORD\nvalue: @\nstep 1",
		"{\n  \"db_password\":\n    \"@\",\n  \"user\": \"ada\"\n}", "\"password\": \n\"@\"", "password=\n@\nstep 1", "export DB_PASSWORD=\\\n@\nstep 1", "--db-password\n@\n--lr",
		"<password>\n  @\n</password>", "2026-11-20T10:00:00Z password:\n2026-11-20T10:00:01Z @\n2026-11-20T10:00:01Z step 1", "[rank0] db_password:\n[rank0] @\n[rank0] step 1",
		"| user | role | password |\n|---|---|---|\n| ada | admin | @ |\n| bob | user | @ |", "┃ user ┃ api_key ┃\n│ ada │ @ │", "user,password\nada,@\nbob,@", " user | db_password\n------+------\n ada | @", "user\tpassword\nada\t@",
		"- name: DB_PASSWORD\n  value: @\n- name: RANK\n  value: 3", "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n" + key + "@\n---- END SSH2 ENCRYPTED PRIVATE KEY ----",
	} {
		r := New()
		for n, line := range strings.Split(strings.ReplaceAll(text, "@", "hunter2x"), "\n") {
			events := r.Redact([]store.Event{store.Logged{Stream: train.StreamID{Container: "c"}, Lines: []train.LogLine{{Number: int64(n + 1), Text: line}}}})
			got := events[0].(store.Logged).Lines[0].Text
			if secret := strings.Contains(line, "hunter2x"); secret != strings.Contains(got, "<redacted") && !strings.Contains(line, "BEGIN") && !strings.Contains(line, "END") || strings.Contains(got, "hunter2x") {
				t.Errorf("%q: %q became %q", text, line, got)
			}
		}
	}
}

// Launchers and loggers write a prefix before each line of what a program prints.
func TestSecretsBelowTheirNamesBehindAPrefix(t *testing.T) {
	prefixes := map[string]func(n int) string{
		"none":     func(int) string { return "" },
		"rank":     func(int) string { return "[rank0]: " },
		"ray":      func(int) string { return "(TaskRunner pid=123, ip=10.0.0.1) " },
		"logger":   func(n int) string { return fmt.Sprintf("2026-11-29 09:00:0%d,%d INFO train: ", n, 100+37*n) },
		"bracket":  func(n int) string { return fmt.Sprintf("[2026-11-29 09:00:0%d] ", n) },
		"klog":     func(n int) string { return fmt.Sprintf("I1129 09:00:0%d.00%d       1 main.go:%d] ", n, 1077+n, 8+n) },
		"syslog":   func(n int) string { return fmt.Sprintf("Nov 29 09:00:0%d n0 train[71]: ", n) },
		"numbers":  func(n int) string { return fmt.Sprintf("%4d: ", 97+n) },
		"python":   func(int) string { return "INFO:root:" },
		"torchrun": func(int) string { return "[default0]:" },
		"mpirun":   func(int) string { return "[1,0]<stdout>:" },
	}
	for name, prefix := range prefixes {
		for _, text := range []string{
			"  env:\n    - name: WANDB_API_KEY\n      value: @\nnext thing", "    Args:\n      --api-key\n      @\n      --lr", "      args:\n      - --password\n      - @\nok",
			"name,password,role\nada,@,admin\nok", "| name | password |\n| ada | @ |\nok", "password:\n  @\nok", "  {\n   \"name\": \"DB_PASSWORD\",\n   \"value\": \"@\"\n  },",
			"tokens:\n  - @\nok", "password: |\n  @\nok", "kind: Secret\ndata:\n  a: @\nok", "\"sensitive\": true,\n\"value\": \"@\"\nok", "args: [\n \"--api-key\",\n \"@\",\n]",
			"- python\n- train.py\n- --api-key\n- @\nok", "curl https://x \\\n  --user \\\n  ada:@\nok", "python t.py \\\n  --hub_token \\\n  @ \\\n  --lr 1", "wandb login \\\n  @\nok",
			"<password>\n@\n</password>\nok", "<name>db.password</name>\n<value>\n@\n</value>", "Authorization: Bearer\n  @\nok", "db_password\n  Input should be a valid integer [type=int_parsing, input_value='@', input_type=str]\nok",
		} {
			r := New()
			const secret = "Qx1zK93LmQpZ7vT2bRcA8wYe"
			for n, line := range strings.Split(strings.ReplaceAll(text, "@", secret), "\n") {
				line = prefix(n) + line
				events := r.Redact([]store.Event{store.Logged{Stream: train.StreamID{Container: "c"}, Lines: []train.LogLine{{Number: int64(n + 1), Text: line}}}})
				got := events[0].(store.Logged).Lines[0].Text
				if strings.Contains(got, secret) || !strings.Contains(line, secret) && got != line || !strings.HasPrefix(got, prefix(n)) {
					t.Errorf("%s, %q: %q became %q", name, text, line, got)
				}
			}
		}
	}
}

// A long list stays secret to its end, and what begins again and again costs no more
// than other lines.
func TestSecretsFarBelowTheirNames(t *testing.T) {
	const lines = 3000
	for name, f := range map[string]struct {
		heading string
		line    func(n int) string
	}{
		"a list":            {"passwords:", func(n int) string { return fmt.Sprintf("  - hunter2x%d", n) }},
		"a table":           {"| user | password |", func(n int) string { return fmt.Sprintf("| ada%d | hunter2x%d |", n, n) }},
		"rows of CSV":       {"user,password", func(n int) string { return fmt.Sprintf("ada%d,hunter2x%d", n, n) }},
		"lines of 2 KiB":    {"passwords:", func(n int) string { return "  - hunter2x" + strings.Repeat("z", 2048) }},
		"beginnings within": {"env:", func(n int) string { return []string{"- name: DB_PASSWORD", "  value: hunter2x"}[n%2] }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, open := New(), 0
			all := []train.LogLine{{Number: 1, Text: f.heading}}
			for n := range lines {
				all = append(all, train.LogLine{Number: int64(n + 2), Text: f.line(n)})
			}
			for _, line := range r.Redact([]store.Event{store.Logged{Stream: train.StreamID{Container: "c"}, Lines: all}})[0].(store.Logged).Lines {
				if strings.Contains(line.Text, "hunter2x") {
					open++
				}
			}
			if open > 0 {
				t.Errorf("%d of %d secrets are in the open", open, lines)
			}
		})
	}
}

func BenchmarkBeginnings(b *testing.B) {
	for name, text := range map[string]string{"names": "token:", "prefixed": "[rank0]: Invalid token:", "keys": "-----BEGIN PRIVATE KEY-----", "others": "step=12 loss=2.5"} {
		b.Run(name, func(b *testing.B) {
			var lines []train.LogLine
			for n := range 500 {
				lines = append(lines, train.LogLine{Number: int64(n), Text: text}, train.LogLine{Number: int64(n), Text: fmt.Sprint("step ", n)})
			}
			r := New()
			events := []store.Event{store.Logged{Stream: train.StreamID{Container: "c"}, Lines: lines}}
			b.ReportAllocs()
			for b.Loop() {
				r.Redact(events)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(lines)), "ns/line")
		})
	}
}
