package eventmask

import (
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
