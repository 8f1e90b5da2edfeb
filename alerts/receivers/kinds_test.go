package receivers

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/alerts"
	"github.com/traintop/traintop/train"
)

// mac is an HMAC-SHA256 that does not use the code under test.
func mac(key, message string) []byte {
	h := hmac.New(sha256.New, []byte(key))
	h.Write([]byte(message))
	return h.Sum(nil)
}

// taken sends a notice with the receiver of one kind, and returns what came.
func taken(t *testing.T, kind string, n alerts.Notice) got {
	t.Helper()
	for _, c := range httpCases() {
		if c.kind.Type == kind {
			s := newSink(t, says(c.status, c.ok))
			if err := send(t, c.receiver(t, s), n); err != nil {
				t.Fatal(err)
			}
			return s.last(t)
		}
	}
	t.Fatalf("no kind %s", kind)
	return got{}
}

// TestSignaturesOfDingTalkAndFeishu: key and message change places between the
// two. The figures are the formulas of their documentation.
func TestSignaturesOfDingTalkAndFeishu(t *testing.T) {
	g := taken(t, "dingtalk", opened())
	query, err := url.ParseQuery(g.query)
	if err != nil {
		t.Fatal(err)
	}
	timestamp := "1795168800000"
	if want := base64.StdEncoding.EncodeToString(mac(token, timestamp+"\n"+token)); query.Get("timestamp") != timestamp || query.Get("sign") != want || query.Get("access_token") != "dingAccessToken4711" {
		t.Errorf("DingTalk got %v, want the sign %s", query, want)
	}
	var m feishuMessage
	taken(t, "feishu", opened()).into(t, &m)
	timestamp = "1795168800"
	if want := base64.StdEncoding.EncodeToString(mac(timestamp+"\n"+token, "")); m.Timestamp != timestamp || m.Sign != want {
		t.Errorf("Feishu got %s %s, want %s", m.Timestamp, m.Sign, want)
	}
	// The example of Feishu's documentation of signatures in its own words:
	// timestamp 1599360473, and secret demo, give this.
	if _, sign := signFeishu("demo", time.Unix(1599360473, 0)); sign != base64.StdEncoding.EncodeToString(mac("1599360473\ndemo", "")) {
		t.Errorf("the sign is %s", sign)
	}
}

// TestARobotWithoutASecretIsNotSigned: a sign that nobody asked for is refused.
func TestARobotWithoutASecretIsNotSigned(t *testing.T) {
	s := newSink(t, says(200, `{"errcode":0}`))
	values := map[string]string{"URL": s.URL + "/robot/send?access_token=x"}
	if err := send(t, made(t, dingtalkKind, &DingTalk{URL: Secret{Env: "URL"}}, values), opened()); err != nil || s.last(t).query != "access_token=x" {
		t.Errorf("%v, %s", err, s.last(t).query)
	}
	s = newSink(t, says(200, `{"code":0}`))
	values = map[string]string{"URL": s.URL}
	if err := send(t, made(t, feishuKind, &Feishu{URL: Secret{Env: "URL"}}, values), opened()); err != nil || strings.Contains(string(s.last(t).body), `"sign"`) {
		t.Errorf("%v, %s", err, s.last(t).body)
	}
}

// TestKeywords: a robot with a keyword finds it in each message, at the front,
// where nothing cuts it away.
func TestKeywords(t *testing.T) {
	s := newSink(t, says(200, `{"errcode":0,"code":0}`))
	values := map[string]string{"URL": s.URL}
	for _, r := range []alerts.Receiver{
		made(t, dingtalkKind, &DingTalk{URL: Secret{Env: "URL"}, Keyword: "training"}, values),
		made(t, feishuKind, &Feishu{URL: Secret{Env: "URL"}, Keyword: "training"}, values),
	} {
		for _, n := range []alerts.Notice{opened(), noticeOf(strings.Repeat("x", 100_000))} {
			if err := send(t, r, n); err != nil || !strings.Contains(string(s.last(t).body), "training ERROR") {
				t.Errorf("%v, %.300s", err, s.last(t).body)
			}
		}
	}
	if m := withKeyword(alerts.Message{Heading: "ERROR x"}, "ERROR"); m.Heading != "ERROR x" {
		t.Errorf("the keyword is there already: %q", m.Heading)
	}
}

// TestWebhookIsSignedAndVersioned checks the signature as a receiver would: over
// the bytes that came.
func TestWebhookIsSignedAndVersioned(t *testing.T) {
	n := opened()
	g := taken(t, "webhook", n)
	timestamp := g.header.Get("X-Traintop-Timestamp")
	want := "sha256=" + hex.EncodeToString(mac(token, timestamp+"."+string(g.body)))
	if g.header.Get("X-Traintop-Signature") != want || timestamp != "1795168800" || g.header.Get("X-Traintop-Event-Id") != n.ID || g.header.Get("Authorization") != "Bearer "+token {
		t.Errorf("the headers are %v, want the signature %s", g.header, want)
	}
	var p Payload
	g.into(t, &p)
	i := p.Incident
	if p.Version != 1 || p.ID != n.ID || p.Change != alerts.Opened || !p.At.Equal(now) || p.Cluster != "prod" {
		t.Errorf("the envelope is %+v", p)
	}
	if i.ID != n.Incident.ID || i.Cause != "cuda-oom" || i.Severity != "error" || i.Rank == nil || *i.Rank != 37 || i.GPUHours != 3.2 || len(i.Jobs) != 1 || i.Jobs[0].Name != "bert" || !i.Since.Equal(n.Incident.Since) {
		t.Errorf("the incident is %+v", i)
	}
	if p.Message.Heading != "ERROR ml/PyTorchJob/bert: CUDA out of memory on rank 37" || p.Message.Command != "traintop diagnose ml/PyTorchJob/bert" {
		t.Errorf("the message is %+v", p.Message)
	}
	n.Incident.Rank = -1
	if body := string(taken(t, "webhook", n).body); strings.Contains(body, `"rank"`) || strings.Contains(body, "resolved") || strings.Contains(body, "0001-01-01") {
		t.Errorf("what is unknown is there: %s", body)
	}
}

// TestPagerDutyTriggersAndResolves the alert of an incident.
func TestPagerDutyTriggersAndResolves(t *testing.T) {
	var event pagerdutyEvent
	taken(t, "pagerduty", opened()).into(t, &event)
	if event.Action != "trigger" || event.Dedup != "3f6a1c0d9b2e4a57" || event.RoutingKey != token || event.Payload.Severity != "error" || event.Payload.Source != "prod" || event.Payload.Class != "cuda-oom" {
		t.Errorf("%+v %+v", event, event.Payload)
	}
	event = pagerdutyEvent{}
	taken(t, "pagerduty", resolved()).into(t, &event)
	if event.Action != "resolve" || event.Dedup != "3f6a1c0d9b2e4a57" || event.Payload != nil {
		t.Errorf("%+v", event)
	}
	test := opened()
	test.Change = alerts.Test
	s := newSink(t, says(202, `{"status":"success"}`))
	r := made(t, pagerdutyKind, &PagerDuty{RoutingKey: Secret{Env: "KEY"}, URL: Address{Plain: s.URL}}, map[string]string{"KEY": token})
	if err := send(t, r, test); err != nil || s.count() != 2 || !strings.Contains(string(s.last(t).body), `"resolve"`) {
		t.Errorf("a test leaves an alert open: %d requests, %v", s.count(), err)
	}
}

// TestAlertmanagerLabelsAndTimes of what opens, stays and ends.
func TestAlertmanagerLabelsAndTimes(t *testing.T) {
	s := newSink(t, says(200, ""))
	service := &Alertmanager{URL: Address{Plain: s.URL + "/am/api/v2/"}, Labels: map[string]string{"team": "ml"}}
	r := made(t, alertmanagerKind, service, nil)
	keeps, is := r.(KeepAlive)
	if !is || keeps.KeepsAlive() != time.Minute {
		t.Error("nobody is told that the alert has to be sent again")
	}
	alertsOf := func(n alerts.Notice) []alertmanagerAlert {
		t.Helper()
		if err := send(t, r, n); err != nil {
			t.Fatal(err)
		}
		var all []alertmanagerAlert
		if g := s.last(t); g.path != "/am/api/v2/alerts" {
			t.Errorf("sent to %s", g.path)
		} else {
			g.into(t, &all)
		}
		return all
	}
	n := opened()
	open := alertsOf(n)[0]
	for name, want := range map[string]string{
		"alertname": "TraintopFailed", "cluster": "prod", "namespace": "ml", "job": "bert", "kind": "PyTorchJob", "cause": "cuda-oom",
		"severity": "error", "incident": "3f6a1c0d9b2e4a57", "team": "ml", "shared": "",
	} {
		if got := open.Labels[name]; got != want {
			t.Errorf("the label %s is %q, want %q", name, got, want)
		}
	}
	if !open.StartsAt.Equal(n.Incident.Since) || !open.EndsAt.Equal(now.Add(4*time.Minute)) || open.Annotations["summary"] == "" || open.Annotations["evidence"] == "" {
		t.Errorf("%+v", open)
	}
	end := alertsOf(resolved())[0]
	if !end.EndsAt.Equal(now.Add(time.Minute)) || len(end.Labels) != len(open.Labels) {
		t.Errorf("%+v", end)
	}
	// A severity that changes is another alert to Alertmanager: the first ends.
	_ = alertsOf(n)
	n.Change, n.Incident.Severity = alerts.Updated, train.SeverityWarning
	both := alertsOf(n)
	if len(both) != 2 || both[1].Labels["severity"] != "error" || both[1].EndsAt.After(now) || both[0].Labels["severity"] != "warning" {
		t.Errorf("%+v", both)
	}
	if again := alertsOf(n); len(again) != 1 {
		t.Errorf("the old alert is ended again: %+v", again)
	}
	// A node that many jobs share.
	n.Incident.Shared = "node/gpu-3"
	n.Incident.ID = "other"
	if shared := alertsOf(n)[0]; shared.Labels["shared"] != "node/gpu-3" || shared.Labels["job"] != "" {
		t.Errorf("%+v", shared)
	}
	// A test has no times of its own.
	test := alerts.Notice{ID: "t", Change: alerts.Test, At: now, Incident: alerts.Incident{Title: "a test"}}
	if a := alertsOf(test)[0]; !a.StartsAt.Equal(now) || a.Labels["alertname"] != "TraintopTest" || a.Labels["incident"] != "t" {
		t.Errorf("%+v", a)
	}
	// Clocks that differ do not make an alert that ends before it starts.
	n.Incident.Since = now.Add(time.Hour)
	if late := alertsOf(n)[0]; late.StartsAt.After(late.EndsAt) {
		t.Errorf("%+v", late)
	}
}

// TestAlertNames are names of rules.
func TestAlertNames(t *testing.T) {
	for rule, want := range map[string]string{"failed": "TraintopFailed", "gpus-idle for 1h": "TraintopGpusIdleFor1h", "": "TraintopIncident", "日本": "Traintop"} {
		if got := alertName(alerts.Notice{Incident: alerts.Incident{Rule: rule}}); got != want {
			t.Errorf("%q is %q, want %q", rule, got, want)
		}
	}
}

// TestTelegramNamesChatAndThread.
func TestTelegramNamesChatAndThread(t *testing.T) {
	s := newSink(t, says(200, `{"ok":true}`))
	r := made(t, telegramKind, &Telegram{Token: Secret{Env: "KEY"}, Chat: "@jobs", Thread: 7, API: Address{Plain: s.URL}}, map[string]string{"KEY": "123:abc"})
	var m telegramMessage
	if err := send(t, r, opened()); err != nil {
		t.Fatal(err)
	}
	if s.last(t).into(t, &m); s.last(t).path != "/bot123:abc/sendMessage" || m.Chat != "@jobs" || m.Thread != 7 {
		t.Errorf("%s: %+v", s.last(t).path, m)
	}
}

// TestSecretsAreReadForEachMessage: a rotated file is used at once, and what is
// missing is named by the place where it should be.
func TestSecretsAreReadForEachMessage(t *testing.T) {
	s := newSink(t, says(200, "ok"))
	file := filepath.Join(t.TempDir(), "url")
	r := made(t, slackKind, &Slack{URL: Secret{File: file}}, nil)
	if err := send(t, r, opened()); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("no file: %v", err)
	}
	for _, path := range []string{"/first", "/second"} {
		if err := os.WriteFile(file, []byte(s.URL+path+"\r\n\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := send(t, r, opened()); err != nil || s.last(t).path != path {
			t.Errorf("%v, sent to %s", err, s.last(t).path)
		}
	}
	for content, words := range map[string]string{"": "is empty", " \n": "is empty", "hooks.example.com/secretWithoutScheme": "it is no URL", "file:///etc/secretPasswd": "it is no URL", "https://[::1/secretBracket": "it is no URL", strings.Repeat("x", 70<<10): "more than"} {
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := send(t, r, opened()); err == nil || !strings.Contains(err.Error(), words) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%.40q: %v", content, err)
		}
	}
	err := send(t, made(t, slackKind, &Slack{URL: Secret{Env: "NOT_SET"}}, nil), opened())
	if _, again := retries(err); again || err == nil || !strings.Contains(err.Error(), "the environment variable NOT_SET is not set") {
		t.Errorf("%v", err)
	}
}

// TestSettingsThatCannotBeUsed are named.
func TestSettingsThatCannotBeUsed(t *testing.T) {
	for text, want := range map[string]string{
		`slack {}`: "url it is missing",
		`slack {"url":"https://hooks.slack.com/services/x"}`:               "url it is written as text, and it is a secret: write {env: NAME}",
		`slack {"url":{"env":"A","file":"/b"}}`:                            "url it has to be {env: NAME} or {file: PATH}",
		`slack {"url":{"env":"A B"}}`:                                      "url env has to be the name",
		`slack {"url":7}`:                                                  "url it is written as text",
		`slack {"url":{"env":"A"},"caFile":"x","insecureSkipVerify":true}`: "insecureSkipVerify caFile says whom to trust",
		`webhook {"url":"https://user:pass@example.com/"}`:                 "url a user, a password",
		`webhook {"url":"https://example.com/?token=abc"}`:                 "url a user, a password, a query",
		`webhook {"url":"example.com"}`:                                    "url it is no URL",
		`webhook {"url":"https://example.com/hook","secret":"x"}`:          "secret it is written as text",
		`ntfy {"url":"https://ntfy.sh"}`:                                   "url the topic is missing",
		`ntfy {"url":"https://ntfy.sh/"}`:                                  "url the topic is missing",
		`telegram {"token":{"env":"A"}}`:                                   "chat it is missing",
		`pagerduty {"routingKey":"abc"}`:                                   "routingKey it is written as text",
		`alertmanager {"url":"http://am:9093","labels":{"a-b":"c"}}`:       "labels.a-b a label has letters",
		`alertmanager {"url":"http://am:9093","labels":{"job":"c"}}`:       "labels.job a label has letters",
		`alertmanager {"url":"http://am:9093","password":{"env":"A"}}`:     "username it is missing",
		`command {}`: "command it is missing",
		`command {"command":["x"],"timeout":"1h"}`:                                                                  "timeout it has to be a duration up to 5m",
		`command {"command":["x"],"timeout":"soon"}`:                                                                "timeout it has to be a duration",
		`terminal {"style":"loud"}`:                                                                                 "style it has to be one of auto, bell",
		`smtp {"host":"m","from":"a@b.c","to":["no address"]}`:                                                      "to[0] it is no mail address",
		`smtp {"host":"m","from":"a@b.c","to":["x@y.z"],"username":"u"}`:                                            "password it is missing",
		`smtp {"host":"m","from":"a@b.c","to":["x@y.z"],"username":"u","password":{"env":"P"},"encryption":"none"}`: "encryption none would send the password",
		`smtp {"host":"m","from":"a@b.c","to":["x@y.z"],"encryption":"ssl"}`:                                        "encryption it has to be one of starttls, tls, none",
		`smtp {"host":"mail:25","from":"a@b.c","to":["x@y.z"]}`:                                                     "host it has to be the name of a mail server alone; the port stands in port",
		`smtp {"from":"a@b.c","to":["x@y.z"],"port":70000}`:                                                         "host it is missing\nport it has to be between",
	} {
		name, settings, _ := strings.Cut(text, " ")
		kind, _ := KindOf(name)
		service := kind.New()
		if err := json.Unmarshal([]byte(settings), service); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		var said []string
		for _, p := range service.Check() {
			said = append(said, p.Setting+" "+p.Text)
		}
		if all := strings.Join(said, "\n"); !strings.HasPrefix(all, strings.Split(want, "\n")[0]) || strings.Contains(all, "hooks.slack") || strings.Contains(all, "user:pass") || strings.Contains(all, "abc") {
			t.Errorf("%s: %q, want %q", text, all, want)
		}
	}
}
