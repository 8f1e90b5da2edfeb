package receivers

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/traintop/traintop/alerts"
	"github.com/traintop/traintop/train"
)

// now is when tests send.
var now = time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)

// got is a request that a sink took.
type got struct {
	path, query string
	header      http.Header
	body        []byte
}

// sink is a server that notes what it gets and answers as it is told.
type sink struct {
	*httptest.Server
	answer http.HandlerFunc

	mutex sync.Mutex
	all   []got
}

func newSink(t *testing.T, answer http.HandlerFunc) *sink {
	t.Helper()
	s := &sink{answer: answer}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *sink) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mutex.Lock()
	s.all = append(s.all, got{r.URL.Path, r.URL.RawQuery, r.Header.Clone(), body})
	s.mutex.Unlock()
	r.Body = io.NopCloser(bytes.NewReader(body))
	s.answer(w, r)
}

// last is the last request; the test fails without one.
func (s *sink) last(t *testing.T) got {
	t.Helper()
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if len(s.all) == 0 {
		t.Fatal("the sink got nothing")
	}
	return s.all[len(s.all)-1]
}

func (s *sink) count() int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return len(s.all)
}

// into decodes a body, in which no field may be unknown.
func (g got) into(t *testing.T, into any) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(g.body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		t.Fatalf("%v in %s", err, g.body)
	}
}

// says answers with a status and a body.
func says(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if strings.HasPrefix(body, "{") {
			w.Header().Set("Content-Type", "application/json")
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// environment is a map as LookupEnv.
func environment(values map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		value, has := values[name]
		return value, has
	}
}

// made makes a receiver of a kind.
func made(t *testing.T, kind Kind, service Service, values map[string]string) alerts.Receiver {
	t.Helper()
	if problems := service.Check(); len(problems) > 0 {
		t.Fatalf("%s: %v", kind.Type, problems)
	}
	maker := NewMaker(Options{Now: func() time.Time { return now }, LookupEnv: environment(values), Agent: "traintop/test"})
	return maker.Receiver("team", kind, service)
}

// httpCase is a kind that sends by HTTP: its settings for a sink, and the answer
// of a success.
type httpCase struct {
	kind    Kind
	service func() Service
	// path is what the secret URL has behind the sink's address, values further
	// variables of the environment.
	path   string
	values map[string]string
	ok     string
	status int
}

// token is a secret of each kind that has one beside its URL.
const (
	token    = "tok-4fJ2kq9ZxWv7"
	hookPath = "/services/T0AAAAAAA/B0BBBBBBB/xyzzySecretPath123"
)

// httpCases are all kinds that send by HTTP. URL is the variable with the URL.
func httpCases() []httpCase {
	url, key := Secret{Env: "URL"}, Secret{Env: "KEY"}
	keys := map[string]string{"KEY": token}
	return []httpCase{
		{slackKind, func() Service { return &Slack{URL: url} }, hookPath, nil, "ok", 200},
		{msteamsKind, func() Service { return &Teams{URL: url} }, hookPath + "?sig=teamsSignature9876", nil, "", 202},
		{discordKind, func() Service { return &Discord{URL: url} }, hookPath, nil, "", 204},
		{telegramKind, func() Service { return &Telegram{Token: key, Chat: "-100", API: Address{Secret: url}} }, "", keys, `{"ok":true,"result":{"message_id":1}}`, 200},
		{feishuKind, func() Service { return &Feishu{URL: url, Secret: key} }, hookPath, keys, `{"StatusCode":0,"StatusMessage":"success","code":0,"data":{},"msg":"success"}`, 200},
		{dingtalkKind, func() Service { return &DingTalk{URL: url, Secret: key} }, "/robot/send?access_token=dingAccessToken4711", keys, `{"errcode":0,"errmsg":"ok"}`, 200},
		{wecomKind, func() Service { return &WeCom{URL: url} }, "/cgi-bin/webhook/send?key=wecomKey-7423-1234", nil, `{"errcode":0,"errmsg":"ok"}`, 200},
		{webhookKind, func() Service { return &Webhook{URL: Address{Secret: url}, Secret: key, Token: key} }, hookPath, keys, "", 200},
		{pagerdutyKind, func() Service { return &PagerDuty{RoutingKey: key, URL: Address{Secret: url}} }, "/v2/enqueue", keys, `{"status":"success","message":"Event processed","dedup_key":"x"}`, 202},
		{ntfyKind, func() Service { return &Ntfy{URL: Address{Secret: url}, Token: key} }, "/secret-training-topic", keys, `{"id":"x","event":"message"}`, 200},
		{alertmanagerKind, func() Service { return &Alertmanager{URL: Address{Secret: url}, Username: "traintop", Password: key} }, "/prefixed-alertmanager", keys, "", 200},
	}
}

// receiver makes the receiver of a case for a sink.
func (c httpCase) receiver(t *testing.T, s *sink) alerts.Receiver {
	t.Helper()
	values := map[string]string{"URL": s.URL + c.path}
	for name, value := range c.values {
		values[name] = value
	}
	return made(t, c.kind, c.service(), values)
}

// opened is a notice with a fact of each sort.
func opened() alerts.Notice {
	return alerts.Notice{
		ID: "3f6a1c0d9b2e4a57-opened-1", Change: alerts.Opened, At: now, Cluster: "prod",
		Incident: alerts.Incident{
			ID: "3f6a1c0d9b2e4a57", Rule: "failed", Cause: "cuda-oom", Severity: train.SeverityError, Title: "CUDA out of memory on rank 37", Rank: 37,
			Jobs:     []alerts.AffectedJob{{Namespace: "ml", Group: "kubeflow.org", Kind: "PyTorchJob", Name: "bert", Attempt: 1, Queue: "team-a", GPUs: 64, GPUHours: 3.2}},
			Evidence: "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB", Next: "make the batch smaller", NextCommand: "kubectl -n ml get pod bert-worker-37",
			Since: now.Add(-3 * time.Minute), Opened: now,
		},
	}
}

func resolved() alerts.Notice {
	n := opened()
	n.ID, n.Change, n.At = "3f6a1c0d9b2e4a57-resolved-2", alerts.Resolved, now.Add(time.Minute)
	n.Incident.Resolved, n.Incident.Outcome = now.Add(time.Minute), "the job runs again"
	return n
}

// retries reports whether an error asks to try again, and when.
func retries(err error) (after time.Duration, again bool) {
	retry := (*alerts.RetryError)(nil)
	if errors.As(err, &retry) {
		return retry.After, true
	}
	return 0, false
}

func send(t *testing.T, r alerts.Receiver, n alerts.Notice) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	return r.Send(ctx, n)
}
