package receivers

import (
	"fmt"
	"reflect"
	"strings"
)

// Markdown is docs/receivers.md.
func Markdown() string {
	var b strings.Builder
	b.WriteString(docIntro)
	b.WriteString("| type | service | at most | length of a message | its format |\n| --- | --- | --- | --- | --- |\n")
	for _, k := range Kinds() {
		rates := ratesText(k.Rates)
		if rates == "" {
			rates = "no limit"
		}
		fmt.Fprintf(&b, "| [`%s`](#%s) | %s | %s | %s | %s |\n", k.Type, k.Type, k.Title, rates, k.Length, k.Format)
	}
	b.WriteString(docSecrets)
	for _, k := range Kinds() {
		fmt.Fprintf(&b, "\n## %s\n\n", k.Type)
		b.WriteString("```yaml\nreceivers:\n  my-" + k.Type + ":\n")
		for line := range strings.SplitSeq(k.Example, "\n") {
			b.WriteString("    " + line + "\n")
		}
		b.WriteString("```\n\n| setting | value | meaning |\n| --- | --- | --- |\n")
		own, trust := settingsOf(k.New())
		writeSettings(&b, own)
		if len(trust) > 0 {
			b.WriteString("\nAnd the settings of [certificates](#certificates).\n")
		}
	}
	b.WriteString("\n## Certificates\n\n| setting | value | meaning |\n| --- | --- | --- |\n")
	_, trust := settingsOf(&Webhook{})
	writeSettings(&b, trust)
	b.WriteString(docRest)
	return b.String()
}

func writeSettings(b *strings.Builder, fields []reflect.StructField) {
	for _, field := range fields {
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", field.Tag.Get("json"), valueWords(field.Type), field.Tag.Get("means"))
	}
}

// settingsOf are the fields of a service that are settings: its own, and those
// of TLS within it.
func settingsOf(service Service) (own, trust []reflect.StructField) {
	for _, field := range reflect.VisibleFields(reflect.TypeOf(service).Elem()) {
		switch {
		case field.Tag.Get("json") == "":
		case len(field.Index) > 1:
			trust = append(trust, field)
		default:
			own = append(own, field)
		}
	}
	return own, trust
}

func valueWords(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[Secret]():
		return "secret"
	case reflect.TypeFor[Address]():
		return "URL, or secret"
	case reflect.TypeFor[Duration]():
		return "duration"
	}
	switch t.Kind() {
	case reflect.Pointer:
		return valueWords(t.Elem())
	case reflect.Bool:
		return "true or false"
	case reflect.Int:
		return "number"
	case reflect.Slice:
		return "list of texts"
	case reflect.Map:
		return "map of texts"
	}
	return "text"
}

const docIntro = `# Receivers

Printed from the list in ` + "`alerts/receivers/kinds.go`" + `; ` + "`make generate`" + ` writes it anew. A receiver is where alerts are sent. Without receivers in the configuration file nothing is sent anywhere.

`

const docSecrets = `
A chat gets no more than its service allows: a quarter of that may go at once, the rest is spread over the time. A message is cut where it is longer: the line of evidence first, then the last facts.

## Secrets

A setting with the value "secret" is read for each message, so that a new one is used at once. It is one of:

- ` + "`{env: NAME}`" + `: the environment variable NAME;
- ` + "`{file: PATH}`" + `: a plain file of at most 64 KiB, such as a mounted Secret. ` + "`~/`" + ` is the home folder.

A secret as text in the file is refused. The URL of a webhook is a secret where it holds a key; a URL that may stand in the file (` + "`alertmanager`, `ntfy`, `webhook`" + ` and addresses of servers of your own) has no user, no password and no query. No error, log or message shows a secret or the path of a URL.
`

const docRest = `
## The JSON of webhooks and commands

` + "```json" + `
{"version":1,"id":"3f6a1c0d9b2e4a57-opened-1","change":"opened","at":"2026-11-20T10:00:00Z","cluster":"prod",
 "incident":{"id":"3f6a1c0d9b2e4a57","rule":"failed","cause":"cuda-oom","severity":"error","title":"CUDA out of memory on rank 37",
  "jobs":[{"namespace":"ml","group":"kubeflow.org","kind":"PyTorchJob","name":"bert","attempt":1,"queue":"team-a","gpus":64,"gpuHours":3.2}],
  "rank":37,"evidence":"torch.OutOfMemoryError: …","next":"…","nextCommand":"kubectl …",
  "since":"2026-11-20T09:57:00Z","opened":"2026-11-20T10:00:00Z"},
 "message":{"heading":"ERROR ml/PyTorchJob/bert: CUDA out of memory on rank 37","command":"traintop diagnose ml/PyTorchJob/bert"}}
` + "```" + `

` + "`change`" + ` is opened, updated, repeated, resolved or test. What is unknown is absent. ` + "`id`" + ` is the same when a notice is sent again after a failure, so that the second can be dropped; a webhook has it in the header ` + "`X-Traintop-Event-Id`" + ` too. ` + "`version`" + ` changes when a field changes its meaning or is taken away.

With ` + "`secret`" + ` a webhook is signed: ` + "`X-Traintop-Timestamp`" + ` is the time in seconds, ` + "`X-Traintop-Signature`" + ` is ` + "`sha256=`" + ` and the hexadecimal HMAC-SHA256 of timestamp, a dot and the body. Compare it in constant time, and refuse a timestamp older than some minutes:

` + "```python" + `
want = "sha256=" + hmac.new(secret, timestamp + b"." + body, hashlib.sha256).hexdigest()
ok = hmac.compare_digest(want, signature) and abs(time.time() - int(timestamp)) < 300
` + "```" + `

A command gets the JSON and a line feed. Exit status 0 is success, 75 (EX_TEMPFAIL) asks to be run again later, any other is final; the last line that it printed is part of the error.

## Alerts in Alertmanager

The labels of an alert are ` + "`alertname` (`TraintopFailed` for the rule `failed`), `cluster`, `namespace`, `job`, `kind`, `cause`, `severity`, `incident`" + `, and those of the setting ` + "`labels`" + `; an incident that many jobs share has ` + "`shared` (`node/gpu-3`)" + ` in place of the names of a job. Annotations are ` + "`summary`, `description`, `evidence`, `next`, `next_command`, `command`" + `. An open alert is sent again every minute; one that traintop no longer speaks of ends after four.

## When sending fails

No connection, no answer within 15 s (30 s for mail), HTTP 408, 425, 429 and 5xx, and the limits of a service's own are tried again, after 1 s to 2 s first and twice that each time up to 5 minutes, or when the service says (` + "`Retry-After`" + `), for an hour. A robot of DingTalk that was too fast is left alone for ten minutes. Anything else is final, an error inside an answer 200 too. A redirect is not followed. Each receiver has a queue of 1,000 notices of its own: a dead one holds up no other, and of a full queue the oldest notices are dropped, which is said.

Proxies are those of ` + "`HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`" + `.
`
