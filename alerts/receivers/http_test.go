package receivers

import (
	"context"
	"crypto/tls"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/alerts"
	"github.com/traintop/traintop/termtext/corpus"
)

// TestEachKindIsSentAndTaken: what the service documents as success is success.
func TestEachKindIsSentAndTaken(t *testing.T) {
	for _, c := range httpCases() {
		s := newSink(t, says(c.status, c.ok))
		if err := send(t, c.receiver(t, s), opened()); err != nil {
			t.Errorf("%s: %v", c.kind.Type, err)
		}
		g := s.last(t)
		if agent := g.header.Get("User-Agent"); agent != "traintop/test" || !strings.HasPrefix(g.header.Get("Content-Type"), "application/json") {
			t.Errorf("%s: User-Agent %q, Content-Type %q", c.kind.Type, agent, g.header.Get("Content-Type"))
		}
		for _, fact := range []string{"CUDA out of memory on rank 37", "traintop diagnose ml/PyTorchJob/bert", "prod"} {
			if !strings.Contains(string(g.body), fact) {
				t.Errorf("%s: %q is not in %s", c.kind.Type, fact, g.body)
			}
		}
	}
}

// TestBadAnswersOfEachKind: what may pass is tried again, what may not is final,
// and no error shows what is secret in the request, though each answer quotes
// all of it.
func TestBadAnswersOfEachKind(t *testing.T) {
	for name, bad := range map[string]struct {
		answer http.HandlerFunc
		again  bool
		after  time.Duration
		words  string
	}{
		"bad request":   {echo(400, ""), false, 0, "400 Bad Request"},
		"not found":     {echo(404, "text/html"), false, 0, "an HTML page"},
		"unauthorized":  {echo(401, "application/json"), false, 0, "401 Unauthorized"},
		"too many":      {withHeader("Retry-After", "7", echo(429, "")), true, 7 * time.Second, "429"},
		"at a date":     {withHeader("Retry-After", now.Add(90*time.Second).Format(http.TimeFormat), echo(503, "")), true, 90 * time.Second, "503"},
		"for ever":      {withHeader("Retry-After", "999999999", echo(503, "")), true, time.Hour, "503"},
		"a past date":   {withHeader("Retry-After", "Fri, 20 Nov 2020 10:00:00 GMT", echo(503, "")), true, 0, "503"},
		"broken":        {echo(502, "text/html"), true, 0, "502 Bad Gateway: an HTML page"},
		"redirect":      {withHeader("Location", "https://elsewhere.example.com/login?next=secretNextToken", echo(302, "")), false, 0, "a redirect to https://elsewhere.example.com, which is not followed"},
		"kept redirect": {withHeader("Location", "/other", echo(307, "")), false, 0, "not followed"},
	} {
		for _, c := range httpCases() {
			s := newSink(t, bad.answer)
			err := send(t, c.receiver(t, s), opened())
			after, again := retries(err)
			if err == nil || again != bad.again || after != bad.after || !strings.Contains(err.Error(), bad.words) {
				t.Errorf("%s: %s: again %t after %s: %v", name, c.kind.Type, again, after, err)
			}
			if s.count() != 1 {
				t.Errorf("%s: %s: %d requests", name, c.kind.Type, s.count())
			}
			leaks(t, name+": "+c.kind.Type, c, s, err)
		}
	}
}

// TestAPageIsNoAnswer: a proxy that answers 200 with a page to log in took nothing.
// One's own server may answer so, and gets a message once.
func TestAPageIsNoAnswer(t *testing.T) {
	page := withHeader("Content-Type", "text/html; charset=utf-8", says(200, "\n<!DOCTYPE html><html><form action=/login></form></html>"))
	for _, c := range httpCases() {
		s := newSink(t, page)
		err := send(t, c.receiver(t, s), opened())
		if _, again := retries(err); err == nil || again != (c.kind.Type != "webhook") || !strings.Contains(err.Error(), "HTML page") {
			t.Errorf("%s: again %t: %v", c.kind.Type, again, err)
		}
		leaks(t, c.kind.Type, c, s, err)
	}
	s := newSink(t, withHeader("Content-Type", "text/html", says(200, "ok")))
	for _, c := range httpCases() {
		if c.kind.Type != "webhook" {
			continue
		}
		if err := send(t, c.receiver(t, s), opened()); err != nil {
			t.Errorf("two letters of HTML: %v", err)
		}
	}
}

// leaks fails where an error shows what is secret.
func leaks(t *testing.T, where string, c httpCase, s *sink, err error) {
	t.Helper()
	if err == nil {
		return
	}
	secrets := []string{token, base64.StdEncoding.EncodeToString([]byte("traintop:" + token)), url.QueryEscape(token), "xyzzySecretPath123", "teamsSignature9876", "dingAccessToken4711", "wecomKey-7423-1234", "secret-training-topic", "secretNextToken", "prefixed-alertmanager"}
	if c.path != "" {
		secrets = append(secrets, strings.Split(c.path, "?")[0])
	}
	for _, secret := range secrets {
		if strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %q is in the error: %v", where, secret, err)
		}
	}
	host := strings.TrimPrefix(s.URL, "http://")
	if !strings.Contains(err.Error(), host) || !strings.Contains(err.Error(), "send to team ("+c.kind.Title+")") {
		t.Errorf("%s: the error names neither receiver nor host: %v", where, err)
	}
	if strings.ContainsAny(err.Error(), "\n\x1b\r") || corpus.Check(err.Error()) != nil {
		t.Errorf("%s: the error is no clean line: %q", where, err)
	}
}

// echo answers with all that was sent, as servers do in their errors.
func echo(status int, contentType string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if contentType != "" {
			w.Header().Set("Content-Type", contentType)
		}
		w.WriteHeader(status)
		body, _ := io.ReadAll(r.Body)
		sent := ""
		if strings.Contains(string(body), token) {
			sent = token
		}
		_, _ = w.Write([]byte("no \x1b[31msuch\x00 thing: " + r.URL.String() + "\r\n" + r.URL.Path + " " + r.URL.Query().Encode() + " " + r.Header.Get("Authorization") + " " + sent))
	}
}

func withHeader(name, value string, next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set(name, value)
		next(w, r)
	}
}

// TestBadConnectionsOfEachKind: nobody there, silence and a cut are tried again,
// and each ends within its deadline.
func TestBadConnectionsOfEachKind(t *testing.T) {
	for name, bad := range map[string]http.HandlerFunc{
		"cut before": func(w http.ResponseWriter, _ *http.Request) { hijack(w, "") },
		"cut within": func(w http.ResponseWriter, _ *http.Request) {
			hijack(w, "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{\"errcode\":0,")
		},
		"no HTTP": func(w http.ResponseWriter, _ *http.Request) { hijack(w, "220 mail.example.com ESMTP\r\n") },
	} {
		for _, c := range httpCases() {
			s := newSink(t, bad)
			err := send(t, c.receiver(t, s), opened())
			if _, again := retries(err); !again && !(err == nil && name == "cut within" && c.ok == "" || c.kind.Type == "ntfy" && err == nil) {
				t.Errorf("%s: %s: %v", name, c.kind.Type, err)
			}
			leaks(t, name+": "+c.kind.Type, c, s, err)
		}
	}
	for _, c := range httpCases() {
		s := newSink(t, says(200, ""))
		r := c.receiver(t, s)
		s.Close()
		err := send(t, r, opened())
		if _, again := retries(err); !again || !strings.Contains(err.Error(), "refused") {
			t.Errorf("nobody there: %s: %v", c.kind.Type, err)
		}
		leaks(t, "nobody there: "+c.kind.Type, c, s, err)
	}
}

// hijack writes bytes to the connection and closes it.
func hijack(w http.ResponseWriter, text string) {
	connection, _, err := http.NewResponseController(w).Hijack()
	if err == nil {
		_, _ = connection.Write([]byte(text))
		_ = connection.Close()
	}
}

// TestPartsOfSecretsAreHidden: the last part of a path alone, and a secret at
// the place where a long answer is cut.
func TestPartsOfSecretsAreHidden(t *testing.T) {
	for padding := range 220 {
		s := newSink(t, says(404, strings.Repeat("-", padding)+" xyzzySecretPath123 is not there"))
		err := send(t, httpCases()[0].receiver(t, s), opened())
		if err == nil || strings.Contains(err.Error(), "xyzzy") {
			t.Fatalf("after %d characters: %v", padding, err)
		}
		s.Close()
	}
}

func TestASlowAnswerEndsAtTheDeadline(t *testing.T) {
	stop := make(chan struct{})
	s := newSink(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(200)
		_ = http.NewResponseController(w).Flush()
		select {
		case <-stop:
		case <-r.Context().Done():
		}
	})
	defer close(stop)
	maker := NewMaker(Options{Now: func() time.Time { return now }, LookupEnv: environment(map[string]string{"URL": s.URL + hookPath})})
	maker.timeout = 200 * time.Millisecond
	began := time.Now()
	err := send(t, maker.Receiver("team", slackKind, &Slack{URL: Secret{Env: "URL"}}), opened())
	if _, again := retries(err); !again || !strings.Contains(err.Error(), "nothing came within 200ms") || time.Since(began) > 5*time.Second {
		t.Errorf("after %s: %v", time.Since(began), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := maker.Receiver("team", slackKind, &Slack{URL: Secret{Env: "URL"}}).Send(ctx, opened()); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller who gives up gets %v", err)
	} else if _, again := retries(err); again {
		t.Errorf("it says to try again: %v", err)
	}
}

// TestALongAnswerIsReadInPart: an endless body costs 64 KiB.
func TestALongAnswerIsReadInPart(t *testing.T) {
	s := newSink(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(500)
		for range 10_000 {
			if _, err := w.Write([]byte(strings.Repeat("x", 10_000))); err != nil {
				return
			}
		}
	})
	err := send(t, httpCases()[0].receiver(t, s), opened())
	if err == nil || len(err.Error()) > 400 {
		t.Errorf("the error has %d bytes", len(err.Error()))
	}
}

// TestErrorsInsideOf200 of each service that answers so.
func TestErrorsInsideOf200(t *testing.T) {
	for _, one := range []struct {
		kind, body string
		again      bool
		after      time.Duration
		words      string
	}{
		{"dingtalk", `{"errcode":310000,"errmsg":"keywords not in content, more: [https://x]"}`, false, 0, "error 310000: keywords not in content"},
		{"dingtalk", `{"errcode":310000,"errmsg":"sign not match"}`, false, 0, "check secret"},
		{"dingtalk", `{"errcode":130101,"errmsg":"send too fast, exceed 20 times per minute"}`, true, 10 * time.Minute, "130101"},
		{"dingtalk", `{"errcode":300001,"errmsg":"token is not exist"}`, false, 0, "check url"},
		{"dingtalk", `<html>login</html>`, true, 0, "an HTML page"},
		{"dingtalk", `{}`, true, 0, "not as DingTalk does"},
		{"feishu", `{"code":19021,"data":{},"msg":"sign match fail or timestamp is not within one hour from current time"}`, false, 0, "check secret, and the clock"},
		{"feishu", `{"code":19024,"msg":"Key Words Not Found"}`, false, 0, "set keyword"},
		{"feishu", `{"code":11232,"msg":"create message trigger system frequency limit"}`, true, 0, "11232"},
		{"feishu", `{"StatusCode":9499,"StatusMessage":"Bad Request"}`, false, 0, "error 9499: Bad Request"},
		{"feishu", `{"StatusCode":0,"code":9499,"msg":"Bad Request"}`, false, 0, "error 9499"},
		{"wecom", `{"errcode":93000,"errmsg":"invalid webhook url, hint: [1], from ip: 1.2.3.4"}`, false, 0, "check url"},
		{"wecom", `{"errcode":45009,"errmsg":"api freq out of limit"}`, true, time.Minute, "45009"},
		{"slack", "invalid_blocks", false, 0, "invalid_blocks"},
		{"slack", "<!DOCTYPE html><html>", true, 0, "an HTML page"},
		{"slack", "", true, 0, "nothing"},
		{"telegram", `{"ok":false,"error_code":400,"description":"Bad Request: chat not found"}`, false, 0, "chat not found"},
		{"telegram", `{"ok":false,"error_code":429,"description":"Too Many Requests: retry after 31","parameters":{"retry_after":31}}`, true, 31 * time.Second, "429"},
		{"telegram", `[]`, true, 0, "not as Telegram does"},
		{"pagerduty", `{"status":"invalid event","message":"Event object is invalid","errors":["Length of 'routing_key' is incorrect"]}`, false, 0, "Length of 'routing_key' is incorrect"},
		{"msteams", "Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429 with ContextId x", true, 0, "HTTP error 429"},
		{"msteams", "Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 403 with ContextId x", false, 0, "HTTP error 403"},
	} {
		for _, c := range httpCases() {
			if c.kind.Type != one.kind {
				continue
			}
			s := newSink(t, says(200, one.body))
			err := send(t, c.receiver(t, s), opened())
			if after, again := retries(err); err == nil || again != one.again || after != one.after || !strings.Contains(err.Error(), one.words) {
				t.Errorf("%s says %s: again %t after %s: %v", one.kind, one.body, again, after, err)
			}
		}
	}
	for body, want := range map[string]time.Duration{`{"message":"You are being rate limited.","retry_after":0.65,"global":false}`: 650 * time.Millisecond, `{"retry_after":-3}`: 0, `{"retry_after":1e300}`: 0, "x": 0} {
		s := newSink(t, says(429, body))
		err := send(t, httpCases()[2].receiver(t, s), opened())
		if after, again := retries(err); !again || after != want {
			t.Errorf("discord says %s: after %s: %v", body, after, err)
		}
	}
	s := newSink(t, says(429, `{"ok":false,"error_code":429,"description":"Too Many Requests","parameters":{"retry_after":12}}`))
	if after, again := retries(send(t, httpCases()[3].receiver(t, s), opened())); !again || after != 12*time.Second {
		t.Errorf("telegram with 429: after %s", after)
	}
	for status, again := range map[int]bool{400: true, 429: true} { // Feishu's limit has come with both
		s := newSink(t, says(status, `{"code":11232,"msg":"frequency limited"}`))
		err := send(t, httpCases()[4].receiver(t, s), opened())
		if _, retry := retries(err); retry != again || !strings.Contains(err.Error(), "frequency limited") {
			t.Errorf("feishu with %d: %v", status, err)
		}
	}
	s = newSink(t, says(400, `{"code":0,"msg":"success"}`))
	if err := send(t, httpCases()[4].receiver(t, s), opened()); err == nil {
		t.Error("400 is success")
	}
	for _, body := range []string{"ok", "ok\n", `{"success":true}`, `{"ok":true}`} {
		if err := send(t, httpCases()[0].receiver(t, newSink(t, says(200, body))), opened()); err != nil {
			t.Errorf("slack says %q: %v", body, err)
		}
	}
}

// TestProxyOfTheEnvironment: requests go through it, and a broken address of a
// proxy with a password in it is not shown.
func TestProxyOfTheEnvironment(t *testing.T) {
	s := newSink(t, says(200, "ok"))
	through := 0
	proxy := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		through++
		r.SetURL(must(t, s.URL))
	}})
	defer proxy.Close()
	t.Setenv("HTTP_PROXY", proxy.URL)
	t.Setenv("NO_PROXY", "")
	service := &Slack{URL: Secret{Env: "URL"}}
	values := map[string]string{"URL": "http://hooks.example.com" + hookPath}
	if err := send(t, made(t, slackKind, service, values), opened()); err != nil || through != 1 || s.last(t).path != hookPath {
		t.Errorf("%d requests went through the proxy: %v", through, err)
	}
	t.Setenv("HTTP_PROXY", "http://user:proxyPassword1%zz@bad proxy:1")
	err := send(t, made(t, slackKind, service, values), opened())
	if err == nil || strings.Contains(err.Error(), "proxyPassword1") || !strings.Contains(err.Error(), "HTTP_PROXY is no URL of a proxy: ") {
		t.Errorf("a broken proxy: %v", err)
	}
	t.Setenv("HTTPS_PROXY", "ftp://proxy:21")
	values["URL"] = "https://hooks.example.com" + hookPath
	err = send(t, made(t, slackKind, service, values), opened())
	if again := (*alerts.RetryError)(nil); err == nil || errors.As(err, &again) || !strings.Contains(err.Error(), `hooks.example.com: HTTPS_PROXY is no URL of a proxy: "ftp://proxy:21": ftp:// is no scheme of a proxy`) {
		t.Errorf("no proxy: %v", err)
	}
}

func must(t *testing.T, text string) *url.URL {
	t.Helper()
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// TestCertificates: a server's certificate is trusted by its authority, by
// nobody, or by everyone who asks for that; a file that changes is read anew.
func TestCertificates(t *testing.T) {
	server := httptest.NewUnstartedServer(says(200, "ok"))
	server.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	server.StartTLS()
	defer server.Close()
	ca := filepath.Join(t.TempDir(), "ca.pem")
	write := func(text []byte) {
		if err := os.WriteFile(ca, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	good := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	values := map[string]string{"URL": server.URL + hookPath}
	write(good)
	for _, one := range []struct {
		name  string
		trust TLS
		words string // "" is success
	}{
		{"nobody", TLS{}, "certificate"},
		{"its authority", TLS{CAFile: ca}, ""},
		{"everyone", TLS{InsecureSkipVerify: true}, ""},
		{"another name", TLS{CAFile: ca, ServerName: "other.invalid"}, "other.invalid"},
		{"its name", TLS{CAFile: ca, ServerName: "example.com"}, ""},
		{"no file", TLS{CAFile: ca + "-none"}, "read caFile"},
	} {
		err := send(t, made(t, slackKind, &Slack{URL: Secret{Env: "URL"}, TLS: one.trust}, values), opened())
		if one.words == "" && err != nil || one.words != "" && (err == nil || !strings.Contains(err.Error(), one.words)) {
			t.Errorf("trusting %s: %v", one.name, err)
		}
		if err != nil && strings.Contains(err.Error(), "xyzzySecretPath123") {
			t.Errorf("trusting %s: the path is in %v", one.name, err)
		}
	}
	r := made(t, slackKind, &Slack{URL: Secret{Env: "URL"}, TLS: TLS{CAFile: ca}}, values)
	write([]byte("no certificate"))
	if err := send(t, r, opened()); err == nil || !strings.Contains(err.Error(), "no PEM certificate") {
		t.Errorf("a file without a certificate: %v", err)
	}
	write(good)
	if err := send(t, r, opened()); err != nil {
		t.Errorf("after the file was mended: %v", err)
	}
}

// TestNoNameServer: a host that is not there is tried again.
func TestNoNameServer(t *testing.T) {
	r := made(t, slackKind, &Slack{URL: Secret{Env: "URL"}}, map[string]string{"URL": "http://nowhere.invalid" + hookPath})
	err := send(t, r, opened())
	if _, again := retries(err); !again || strings.Contains(err.Error(), "xyzzySecretPath123") {
		t.Errorf("%v", err)
	}
	if lookup := (*net.DNSError)(nil); errors.As(err, &lookup) {
		t.Error("the error has the connection's own error inside, which may name what is hidden")
	}
}
