package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/alerts/receivers"
)

// readReceivers reads a configuration of this text.
func readReceivers(t *testing.T, text string) (Config, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, problems, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	return c, strings.Join(problems.Lines(), "\n")
}

// TestExamplesOfAllReceiversAreRead: what docs/receivers.md shows can be used.
func TestExamplesOfAllReceiversAreRead(t *testing.T) {
	text := "receivers:\n"
	for _, kind := range receivers.Kinds() {
		text += "  my-" + kind.Type + ":\n    " + strings.ReplaceAll(kind.Example, "\n", "\n    ") + "\n"
	}
	c, problems := readReceivers(t, text)
	if problems != "" || len(c.ReceiverNames()) != len(receivers.Kinds()) {
		t.Fatalf("%d receivers: %s", len(c.ReceiverNames()), problems)
	}
	for _, kind := range receivers.Kinds() {
		got, service, err := c.Receiver("my-" + kind.Type)
		if err != nil || got.Type != kind.Type || service == nil {
			t.Errorf("%s: %s, %v", kind.Type, got.Type, err)
		}
	}
	_, service, _ := c.Receiver("my-command")
	if command := service.(*receivers.Command); !slices.Equal(command.Command, []string{"/usr/local/bin/page-me", "--from", "traintop"}) || command.Timeout.Length != 20*time.Second {
		t.Errorf("the command is %+v", command)
	}
	_, service, _ = c.Receiver("my-alertmanager")
	if manager := service.(*receivers.Alertmanager); manager.Labels["team"] != "ml" || manager.URL.Plain == "" {
		t.Errorf("alertmanager is %+v", manager.Labels)
	}
}

// TestAWrongReceiverIsNamedAndTheOthersAreUsed: file, line, setting, what is
// allowed, and never the text of what may be secret.
func TestAWrongReceiverIsNamedAndTheOthersAreUsed(t *testing.T) {
	const good = "receivers:\n  good: {type: slack, url: {env: URL}}\n"
	for text, want := range map[string]string{
		"  a: {type: slak, url: {env: URL}}\n":                        `config.yaml:3: receivers.a has the type "slak", and there is no such type of receiver; types are slack, msteams, discord, telegram, feishu, dingtalk, wecom, webhook, smtp, pagerduty, ntfy, alertmanager, command, terminal; did you mean "slack"?; it is left out`,
		"  a: {url: {env: URL}}\n":                                    `config.yaml:3: receivers.a has no type; types are slack`,
		"  a: https://hooks.slack.com/services/T0/B0/plantedSecret\n": `config.yaml:3: receivers.a is text; it has to be a map with a type`,
		"  a:\n": `config.yaml:3: receivers.a is empty; it has to be a map with a type`,
		"  a:\n    type: slack\n    url: https://hooks.slack.com/plantedSecret\n":                 `config.yaml:5: receivers.a.url: it is written as text, and it is a secret: write {env: NAME}, an environment variable, or {file: PATH}, a file such as a mounted Secret; the receiver is left out`,
		"  a:\n    type: webhook\n    url: https://u:plantedSecret@example.com\n":                 `config.yaml:5: receivers.a.url: a user, a password, a query or a fragment in it may be secret`,
		"  a:\n    type: webhook\n    url: https://example.com/?key=plantedSecret\n":              `config.yaml:5: receivers.a.url: a user`,
		"  a:\n    type: slack\n    url: {env: URL}\n    insecureSkipVerify: plantedSecret\n":     `config.yaml:6: receivers.a.insecureSkipVerify is text; it has to be true or false; the receiver is left out`,
		"  a:\n    type: smtp\n    host: m\n    from: a@b.c\n    to: plantedSecret@example.com\n": `config.yaml:7: receivers.a.to is text; it has to be a list, as in [a, b]`,
		"  a:\n    type: command\n    command: run plantedSecret\n":                               `config.yaml:5: receivers.a.command is text; it has to be a list`,
		"  a:\n    type: slack\n    url: {env: 1 2}\n":                                            `config.yaml:5: receivers.a.url: env has to be the name`,
		"  a:\n    type: slack\n    url: {enviroment: plantedSecret}\n":                           `config.yaml:5: receivers.a.url: it has to be {env: NAME} or {file: PATH}`,
		"  a:\n    type: telegram\n    token: {env: T}\n    chat: -100\n":                         `config.yaml:6: receivers.a.chat is a number; it has to be text; in quotes`,
		"  a:\n    type: alertmanager\n    url: http://am\n    labels: {job: x}\n":                `config.yaml:6: receivers.a.labels.job: a label has letters`,
	} {
		c, problems := readReceivers(t, good+text)
		if !strings.Contains(problems, want) || strings.Contains(problems, "plantedSecret") || strings.Count(problems, "\n") > 0 {
			t.Errorf("%s:\n got %s\nwant %s", text, problems, want)
		}
		if names := c.ReceiverNames(); !slices.Equal(names, []string{"good"}) {
			t.Errorf("%s: receivers are %q", text, names)
		}
	}
}

// TestAnUnknownSettingOfAReceiverIsNamed, and what is known is used.
func TestAnUnknownSettingOfAReceiverIsNamed(t *testing.T) {
	c, problems := readReceivers(t, "receivers:\n  a:\n    type: feishu\n    url: {env: URL}\n    keywords: training\n")
	if !strings.Contains(problems, `config.yaml:5: there is no setting "receivers.a.keywords"; did you mean "keyword"?`) || len(c.ReceiverNames()) != 1 {
		t.Errorf("%q: %s", c.ReceiverNames(), problems)
	}
}

// TestAnchorsInReceivers are followed.
func TestAnchorsInReceivers(t *testing.T) {
	c, problems := readReceivers(t, "receivers:\n  a: {type: &t slack, url: &u {env: URL}}\n  b: {type: *t, url: *u}\n")
	if problems != "" || len(c.ReceiverNames()) != 2 {
		t.Errorf("%q: %s", c.ReceiverNames(), problems)
	}
}

// TestReceiversAreAMap, and belong to no context.
func TestReceiversAreAMap(t *testing.T) {
	c, problems := readReceivers(t, "receivers: [{type: slack, url: plantedSecret}]\ntheme: nord\ncontexts: {prod: {receivers: {a: {url: plantedSecret}}}}\n")
	if !strings.Contains(problems, "config.yaml:1: receivers is a list; it has to be a map") || !strings.Contains(problems, `there is no setting "contexts.prod.receivers"`) || strings.Contains(problems, "plantedSecret") || c.Theme != "nord" {
		t.Errorf("%s", problems)
	}
}

// TestAReceiverThatIsNotThere is answered with those that are.
func TestAReceiverThatIsNotThere(t *testing.T) {
	c, _ := readReceivers(t, "receivers:\n  ml-team: {type: slack, url: {env: URL}}\n  oncall: {type: terminal}\n")
	if _, _, err := c.Receiver("mlteam"); err == nil || err.Error() != `there is no receiver "mlteam"; receivers are ml-team, oncall; did you mean "ml-team"?` {
		t.Errorf("%v", err)
	}
	if _, _, err := (&Config{}).Receiver("x"); err == nil || !strings.Contains(err.Error(), "docs/receivers.md") {
		t.Errorf("%v", err)
	}
}

// TestSettingsListNoSecrets: the screen of settings shows how many receivers
// there are, and nothing of them.
func TestSettingsListNoSecrets(t *testing.T) {
	c, _ := readReceivers(t, "receivers:\n  a: {type: slack, url: https://hooks.slack.com/plantedSecret}\n")
	for _, row := range Rows(c, "") {
		if row.Key == "receivers" && row.Value != "1 entry" || strings.Contains(row.Value+row.Written, "plantedSecret") {
			t.Errorf("%+v", row)
		}
	}
}
