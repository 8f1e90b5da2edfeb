package receivers

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/traintop/traintop/alerts"
)

var slackKind = Kind{
	Type: "slack", Title: "Slack, Mattermost, Rocket.Chat",
	New:    func() Service { return &Slack{} },
	Rates:  []Rate{{1, time.Second}},
	Length: "150 characters of a header, 3000 of a block",
	Format: "https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks",
	Example: `type: slack
url: {env: SLACK_WEBHOOK_URL}`,
}

// Slack sends to an incoming webhook of Slack, or of a server that takes its
// format (Mattermost, Rocket.Chat).
type Slack struct {
	URL Secret `json:"url" means:"address of the incoming webhook"`
	TLS
}

// Lengths of Slack's blocks, in characters (docs.slack.dev/reference/block-kit).
const (
	slackHeader  = 150
	slackSection = 3000
)

// Check implements Service.
func (k *Slack) Check() []Problem {
	var c checks
	c.reads("url", k.URL, true)
	c.tls(k.TLS)
	return c
}

type slackMessage struct {
	Text        string       `json:"text"`
	Markdown    bool         `json:"mrkdwn"`
	Blocks      []slackBlock `json:"blocks"`
	UnfurlLinks bool         `json:"unfurl_links"`
	UnfurlMedia bool         `json:"unfurl_media"`
}

type slackBlock struct {
	Type string    `json:"type"`
	Text slackText `json:"text"`
}

type slackText struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

func (k *Slack) send(ctx context.Context, s *sending, _ alerts.Notice) error {
	to, err := s.address("url", k.URL)
	if err != nil {
		return err
	}
	p := post{to: to, tls: k.TLS, body: slackOf(s.message), reads: true}
	body, err := s.post(ctx, p)
	if err != nil {
		return err
	}
	said := strings.TrimSpace(string(body))
	var others struct{ OK, Success bool } // Mattermost answers ok, Rocket.Chat {"success":true}
	switch {
	case said == "ok" || json.Unmarshal(body, &others) == nil && (others.OK || others.Success):
		return nil
	case said == "" || strings.HasPrefix(said, "<"):
		return s.unexpected(p, body)
	}
	return fmt.Errorf("%s answered %s; check the webhook and its channel", to.Host, s.quoted("", body))
}

// slackOf writes a message in blocks. Text is plain_text, which has no markup;
// evidence and the command are code, where backticks become other letters.
func slackOf(m alerts.Message) slackMessage {
	message := slackMessage{Text: fit(m.Heading, slackSection, inCharacters, entityEscape)}
	add := func(kind, kindOfText, text string) {
		message.Blocks = append(message.Blocks, slackBlock{kind, slackText{kindOfText, text}})
	}
	add("header", "plain_text", fit(m.Heading, slackHeader, inCharacters, entityEscape))
	if inCharacters(m.Heading) > slackHeader {
		add("section", "plain_text", fit(m.Heading, slackSection, inCharacters, entityEscape))
	}
	plain := dialect{length: inCharacters, escape: entityEscape, escapeCode: entityEscape, next: "\n"}
	if len(m.Fields) > 0 {
		add("section", "plain_text", plain.composed(alerts.Message{Fields: m.Fields}, slackSection))
	}
	code := dialect{length: inCharacters, escape: entityEscape, escapeCode: slackCode, code: [2]string{"```", "```"}}
	if m.Evidence != "" {
		add("section", "mrkdwn", code.named(evidenceName, m.Evidence, slackSection))
	}
	code.code = [2]string{"`", "`"}
	if m.Command != "" {
		add("section", "mrkdwn", code.named(openName, m.Command, slackSection))
	}
	return message
}
