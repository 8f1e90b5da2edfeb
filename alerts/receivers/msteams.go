package receivers

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/traintop/traintop/alerts"
)

var msteamsKind = Kind{
	Type: "msteams", Title: "Microsoft Teams",
	New:    func() Service { return &Teams{} },
	Rates:  []Rate{{4, time.Second}},
	Length: "28 KB of a card",
	Format: "https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook",
	Example: `type: msteams
url: {file: /etc/traintop/teams-url}`,
}

// Teams sends to a workflow of Microsoft Teams that posts what a webhook gets.
type Teams struct {
	URL Secret `json:"url" means:"address of the workflow's trigger \"When a Teams webhook request is received\""`
	TLS
}

// Lengths of the parts of a card, in bytes of JSON. Together they stay below
// the 28 KB that Teams takes.
const (
	teamsHeading  = 2000
	teamsFact     = 1200
	teamsEvidence = 6000
	teamsCommand  = 1000
)

// Check implements Service.
func (k *Teams) Check() []Problem {
	var c checks
	c.reads("url", k.URL, true)
	c.tls(k.TLS)
	return c
}

type teamsMessage struct {
	Type        string            `json:"type"`
	Attachments []teamsAttachment `json:"attachments"`
}

type teamsAttachment struct {
	ContentType string    `json:"contentType"`
	ContentURL  *string   `json:"contentUrl"`
	Content     teamsCard `json:"content"`
}

type teamsCard struct {
	Schema  string            `json:"$schema"`
	Type    string            `json:"type"`
	Version string            `json:"version"`
	Body    []teamsText       `json:"body"`
	Teams   map[string]string `json:"msteams"`
}

type teamsText struct {
	Type    string     `json:"type"`
	Inlines []teamsRun `json:"inlines"`
}

// teamsRun is text without markup: Markdown acts in TextBlock and in facts alone.
type teamsRun struct {
	Type   string `json:"type"`
	Text   string `json:"text"`
	Size   string `json:"size,omitempty"`
	Weight string `json:"weight,omitempty"`
	Font   string `json:"fontType,omitempty"`
	Color  string `json:"color,omitempty"`
}

func (k *Teams) send(ctx context.Context, s *sending, n alerts.Notice) error {
	to, err := s.address("url", k.URL)
	if err != nil {
		return err
	}
	body, err := s.post(ctx, post{to: to, tls: k.TLS, body: teamsOf(s.message, n)})
	if err != nil {
		return err
	}
	// Webhooks of Office 365 connectors answered 200 with this text.
	if text := string(body); strings.Contains(text, "returned HTTP error") {
		failed := fmt.Errorf("%s answered %s", to.Host, s.quoted("", body))
		if strings.Contains(text, "429") {
			return &alerts.RetryError{Err: failed}
		}
		return failed
	}
	return nil
}

func teamsOf(m alerts.Message, n alerts.Notice) teamsMessage {
	card := teamsCard{
		Schema: "http://adaptivecards.io/schemas/adaptive-card.json", Type: "AdaptiveCard", Version: "1.4",
		Teams: map[string]string{"width": "Full"},
	}
	add := func(runs ...teamsRun) {
		for i := range runs {
			runs[i].Type = "TextRun"
		}
		card.Body = append(card.Body, teamsText{"RichTextBlock", runs})
	}
	named := func(name, text, font string, most int) {
		if text != "" {
			add(teamsRun{Text: name + ": ", Weight: "Bolder"}, teamsRun{Text: fit(text, most, inJSON, asIs), Font: font})
		}
	}
	add(teamsRun{Text: fit(m.Heading, teamsHeading, inJSON, asIs), Size: "Large", Weight: "Bolder", Color: toneOf(n).teams})
	for _, f := range m.Fields {
		named(f.Name, f.Text, "", teamsFact)
	}
	named(evidenceName, m.Evidence, "Monospace", teamsEvidence)
	named(openName, m.Command, "Monospace", teamsCommand)
	return teamsMessage{"message", []teamsAttachment{{"application/vnd.microsoft.card.adaptive", nil, card}}}
}
