package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/adrg/xdg"
)

// writeConfig makes a text the configuration of a test.
func writeConfig(t *testing.T, text string) {
	t.Helper()
	home := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", home)
	xdg.Reload()
	t.Cleanup(xdg.Reload)
	if err := os.MkdirAll(filepath.Join(home, "traintop"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "traintop", "config.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// notify list shows for each rule, in the order in which they are tried, when it
// sends, when it sends again, and to whom.
func TestNotifyListSaysWhenAndToWhom(t *testing.T) {
	writeConfig(t, `receivers:
  team: {type: webhook, url: "https://hooks.example/secret-path"}
  pager: {type: webhook, url: "https://pager.example/other-path"}
alertRules:
- {name: research, namespaces: [research-*], for: 90s, repeat: 7d, receivers: [team, pager], mostPerHour: 3, quiet: ["22:00-07:00"], resolved: false}
- {name: gone, phases: [Running], receivers: [left]}
- {name: idle, for: 2h, repeat: never, receivers: [pager]}
- {name: queue, off: true}
`)
	out, said, code := command(t, "", "notify", "list")
	for _, want := range []string{
		`(?m)^RECEIVER +TYPE$`, `(?m)^pager +webhook\nteam +webhook$`,
		`(?m)^RULE +AFTER +AGAIN +RECEIVERS +LIMITS +INCIDENT$`,
		`(?m)^research +1m30s +168h +team,pager +only namespaces research-\*; quiet 22:00-07:00; at most 3 an hour; not when it is over +-$\n^gone +at once +never +left \(not usable\) +only phase .Running. +-\n^watcher +5m +never +none: off +`,
		`(?m)^failed +at once +never +all +- +a job failed$`,
		`(?m)^idle +2h +never +pager +- +GPUs are held and do nothing$`,
		`(?m)^queue +12h +24h +none: off +- +a job waits long`,
	} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("it does not print %s", want)
		}
	}
	if code != exitDone || strings.Contains(out, "-path") {
		t.Errorf("exit %d, %s:\n%s", code, said, out)
	}
}

func TestNotifyListAsJSON(t *testing.T) {
	writeConfig(t, "receivers:\n  team: {type: webhook, url: \"https://hooks.example/secret-path\"}\nalertRules:\n- {name: idle, for: 90s, receivers: [team]}\n- {name: queue, off: true}\n")
	out, said, code := command(t, "", "notify", "list", "-o", "json")
	var got notifyAnswer
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != exitDone {
		t.Fatalf("exit %d, %v, %s: %s", code, err, said, out)
	}
	if len(got.Receivers) != 1 || got.Receivers[0] != (listedReceiver{Name: "team", Type: "webhook"}) {
		t.Errorf("receivers are %+v", got.Receivers)
	}
	rules := map[string]listedRule{}
	for _, rule := range got.Rules {
		rules[rule.Name] = rule
	}
	idle, queue, failed := rules["idle"], rules["queue"], rules["failed"]
	if idle.ForSeconds != 90 || idle.RepeatSeconds != 24*3600 || len(idle.Receivers) != 1 || idle.Receivers[0] != "team" || idle.Off {
		t.Errorf("idle is %+v", idle)
	}
	if !queue.Off || failed.Off || failed.Receivers == nil || len(failed.Receivers) != 0 || failed.RepeatSeconds != 0 {
		t.Errorf("queue is %+v, failed is %+v", queue, failed)
	}
	if strings.Contains(out, "secret-path") {
		t.Errorf("an address is printed:\n%s", out)
	}
	if _, said, code := command(t, "", "notify", "list", "-o", "yaml"); code != exitUsage || !strings.Contains(said, "text, json") {
		t.Errorf("exit %d: %s", code, said)
	}
}
