package notify

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// request is what a server got.
type request struct {
	*http.Request
	body []byte
}

// at is a value of the body by its path, as "blocks.0.type"; nil for none.
func (r request) at(path string) any {
	var value any
	if json.Unmarshal(r.body, &value) != nil {
		return nil
	}
	for name := range strings.SplitSeq(path, ".") {
		switch within := value.(type) {
		case map[string]any:
			value = within[name]
		case []any:
			var n int
			if _, err := fmt.Sscan(name, &n); err != nil || n >= len(within) {
				return nil
			}
			value = within[n]
		default:
			return nil
		}
	}
	return value
}

// has checks that values of the body contain texts, given in turn.
func (r request) has(pairs ...string) error {
	for i := 0; i+1 < len(pairs); i += 2 {
		if got := fmt.Sprint(r.at(pairs[i])); !strings.Contains(got, pairs[i+1]) {
			return fmt.Errorf("%s is %q, want %q in it", pairs[i], got, pairs[i+1])
		}
	}
	return nil
}

func (r request) header(name, want string) error {
	if got := r.Header.Get(name); got != want {
		return fmt.Errorf("the header %s is %q, want %q", name, got, want)
	}
	return nil
}

func mac(key, message string) []byte {
	m := hmac.New(sha256.New, []byte(key))
	_, _ = m.Write([]byte(message)) // a hash takes all
	return m.Sum(nil)
}

// Parts of addresses and tokens that nothing may print, and a text of the test
// message.
const (
	pathSecret  = "xyzzySecretPath123"
	tokenSecret = "tok-4fJ2kq9ZxWv7"
	testWords   = "can reach this receiver"
)

// answer is what a server sends.
type answer struct {
	status int
	body   string
}

// refusal is an answer that a service documents for a message that it does not
// take, and what a person reads then.
type refusal struct {
	answer
	words string
	// busy is true where the service takes it later.
	busy bool
}

// service is a kind of receiver that is sent to by HTTP: its settings, with the
// variables URL and KEY, what is behind the server's address in URL, the answer of a
// success, and what is wrong with a request, nil where it is as documented.
type service struct {
	kind, settings, path string
	takes                answer
	wrong                func(request) error
	refusals             []refusal
}

// services are all of them. Their answers are those of the pages that
// docs/receivers.md names.
var services = []service{
	{
		"slack", "url: {env: URL}", "/services/T0AAAAAAA/B0BBBBBBB/" + pathSecret, answer{200, "ok"},
		func(r request) error {
			return r.has("text", testWords, "blocks.0.type", "header", "blocks.0.text.type", "plain_text")
		},
		[]refusal{{answer{404, "no_service"}, "404 Not Found: no_service; check its url", false}, {answer{200, "invalid_blocks"}, "invalid_blocks; check the webhook", false}},
	}, {
		"msteams", "url: {env: URL}", "/workflows/" + pathSecret + "/triggers/manual/paths/invoke?sig=" + pathSecret, answer{202, ""},
		func(r request) error {
			return r.has("type", "message", "attachments.0.contentType", "application/vnd.microsoft.card.adaptive", "attachments.0.content.body.0.inlines.0.text", testWords)
		},
		[]refusal{
			{answer{401, `{"error":{"code":"DirectApiAuthorizationRequired","message":"The request must be authenticated only by Shared Access scheme."}}`}, "401 Unauthorized: The request must be authenticated only by Shared Access scheme.; check its url", false},
			{answer{200, "Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429 with ContextId x"}, "HTTP error 429", true},
		},
	}, {
		"discord", "url: {env: URL}", "/api/webhooks/123456789012345678/" + pathSecret, answer{204, ""},
		func(r request) error { return r.has("content", testWords, "allowed_mentions.parse", "[]") },
		[]refusal{
			{answer{404, `{"message": "Unknown Webhook", "code": 10015}`}, "404 Not Found: Unknown Webhook; check its url", false},
			{answer{429, `{"message": "You are being rate limited.", "retry_after": 2.5, "global": false}`}, "after 2.5s", true},
		},
	}, {
		"telegram", `token: {env: KEY}, chat: "-1001234567890", url: {env: URL}`, "", answer{200, `{"ok":true,"result":{"message_id":1}}`},
		func(r request) error {
			if want := "/bot" + tokenSecret + "/sendMessage"; r.URL.Path != want {
				return fmt.Errorf("the path is %s, want %s", r.URL.Path, want)
			}
			return r.has("chat_id", "-1001234567890", "parse_mode", "HTML", "text", testWords)
		},
		[]refusal{
			{answer{400, `{"ok":false,"error_code":400,"description":"Bad Request: chat not found"}`}, "chat not found", false},
			{answer{401, `{"ok":false,"error_code":401,"description":"Unauthorized"}`}, "check its url, token", false},
			{answer{429, `{"ok":false,"error_code":429,"description":"Too Many Requests: retry after 31","parameters":{"retry_after":31}}`}, "after 31s", true},
		},
	}, {
		"feishu", "url: {env: URL}, secret: {env: KEY}", "/open-apis/bot/v2/hook/" + pathSecret, answer{200, `{"StatusCode":0,"StatusMessage":"success","code":0,"data":{},"msg":"success"}`},
		func(r request) error {
			signed := base64.StdEncoding.EncodeToString(mac(fmt.Sprint(r.at("timestamp"))+"\n"+tokenSecret, ""))
			return r.has("msg_type", "interactive", "sign", signed, "card.header.title.content", testWords)
		},
		[]refusal{
			{answer{200, `{"code":19021,"data":{},"msg":"sign match fail or timestamp is not within one hour from current time"}`}, "error 19021: sign match fail or timestamp is not within one hour from current time; check secret, and the clock", false},
			{answer{200, `{"code":11232,"msg":"create message trigger system frequency limit"}`}, "11232", true},
		},
	}, {
		"dingtalk", "url: {env: URL}, secret: {env: KEY}", "/robot/send?access_token=" + pathSecret, answer{200, `{"errcode":0,"errmsg":"ok"}`},
		func(r request) error {
			query := r.URL.Query()
			if want := base64.StdEncoding.EncodeToString(mac(tokenSecret, query.Get("timestamp")+"\n"+tokenSecret)); query.Get("sign") != want || query.Get("access_token") != pathSecret {
				return fmt.Errorf("the query is %q, want the signature %s", query, want)
			}
			return r.has("msgtype", "markdown", "markdown.text", testWords, "at.isAtAll", "false")
		},
		[]refusal{
			{answer{200, `{"errcode":310000,"errmsg":"keywords not in content, more: [https://ding-doc.dingtalk.com/]"}`}, "error 310000: keywords not in content", false},
			{answer{200, `{"errcode":130101,"errmsg":"send too fast, exceed 20 times per minute"}`}, "after 10m", true},
		},
	}, {
		"wecom", "url: {env: URL}", "/cgi-bin/webhook/send?key=" + pathSecret, answer{200, `{"errcode":0,"errmsg":"ok"}`},
		func(r request) error { return r.has("msgtype", "markdown", "markdown.content", testWords) },
		[]refusal{
			{answer{200, `{"errcode":93000,"errmsg":"invalid webhook url, hint: [1], from ip: 1.2.3.4"}`}, "check url: its key is not that of a robot", false},
			{answer{200, `{"errcode":45009,"errmsg":"api freq out of limit"}`}, "after 1m", true},
		},
	}, {
		"webhook", "url: {env: URL}, secret: {env: KEY}, token: {env: KEY}", "/hooks/" + pathSecret, answer{204, ""},
		func(r request) error {
			signed := "sha256=" + hex.EncodeToString(mac(tokenSecret, r.Header.Get("X-Traintop-Timestamp")+"."+string(r.body)))
			if err := r.header("X-Traintop-Signature", signed); err != nil {
				return err
			}
			if err := r.header("Authorization", "Bearer "+tokenSecret); err != nil {
				return err
			}
			if err := r.header("X-Traintop-Event-Id", fmt.Sprint(r.at("id"))); err != nil {
				return err
			}
			return r.has("version", "1", "change", "test", "incident.title", testWords)
		},
		[]refusal{{answer{403, "forbidden"}, "403 Forbidden: forbidden; check its url, token and rights", false}, {answer{500, "oops"}, "500 Internal Server Error: oops", true}},
	}, {
		"pagerduty", "routingKey: {env: KEY}, url: {env: URL}", "/v2/enqueue", answer{202, `{"status":"success","message":"Event processed","dedup_key":"x"}`},
		func(r request) error {
			if r.at("event_action") == "resolve" { // the test leaves no alert behind
				return r.has("routing_key", tokenSecret)
			}
			return r.has("routing_key", tokenSecret, "event_action", "trigger", "payload.summary", testWords, "payload.severity", "info")
		},
		[]refusal{
			{answer{400, `{"status":"invalid event","message":"Event object is invalid","errors":["Length of 'routing_key' is incorrect (should be 32 characters)"]}`}, "Event object is invalid: Length of 'routing_key' is incorrect", false},
		},
	}, {
		"ntfy", "url: {env: URL}, token: {env: KEY}", "/" + pathSecret, answer{200, `{"id":"x","event":"message"}`},
		func(r request) error {
			if err := r.header("Authorization", "Bearer "+tokenSecret); err != nil {
				return err
			}
			return r.has("topic", pathSecret, "title", testWords)
		},
		[]refusal{
			{answer{403, `{"code":40301,"http":403,"error":"forbidden","link":"https://ntfy.sh/docs/publish/#authentication"}`}, "403 Forbidden: forbidden; check its url, token and rights", false},
			{answer{429, `{"code":42901,"http":429,"error":"limit reached: too many requests"}`}, "limit reached: too many requests", true},
		},
	}, {
		"alertmanager", "url: {env: URL}, username: traintop, password: {env: KEY}", "/prefix-" + pathSecret, answer{200, ""},
		func(r request) error {
			if want := "/prefix-" + pathSecret + "/api/v2/alerts"; r.URL.Path != want {
				return fmt.Errorf("the path is %s, want %s", r.URL.Path, want)
			}
			if user, password, _ := r.BasicAuth(); user != "traintop" || password != tokenSecret {
				return fmt.Errorf("the user is %s with %s", user, password)
			}
			return r.has("0.labels.alertname", "TraintopTest", "0.annotations.summary", testWords)
		},
		[]refusal{{answer{400, `{"code":602,"message":"alerts.0.labels in body is required"}`}, "400 Bad Request: alerts.0.labels in body is required", false}},
	},
}
