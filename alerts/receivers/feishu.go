package receivers

import (
	"context"
	"time"

	"github.com/traintop/traintop/alerts"
)

var feishuKind = Kind{
	Type: "feishu", Title: "Feishu and Lark",
	New:    func() Service { return &Feishu{} },
	Rates:  []Rate{{100, time.Minute}, {5, time.Second}},
	Length: "20 KB",
	Format: "https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot",
	Example: `type: feishu
url: {file: /etc/traintop/feishu-url}
secret: {file: /etc/traintop/feishu-secret}`,
}

// Feishu sends to a custom bot of a group of Feishu, or of Lark.
type Feishu struct {
	URL     Secret `json:"url" means:"address of the custom bot"`
	Secret  Secret `json:"secret" means:"key of its signature verification, where that is on"`
	Keyword string `json:"keyword" means:"its custom keyword, where it has one"`
	TLS
}

// Lengths of the parts of a card, in bytes of JSON. Together they stay below
// the 20 KB that a bot takes.
const (
	feishuHeading  = 1000
	feishuFact     = 800
	feishuEvidence = 4000
)

// feishuCodes: 19021 to 19024 are of its documentation of custom bots, the
// others are its limits of frequency.
var feishuCodes = codes{
	busy: []int{11232, 11233, 99991400},
	advice: map[int]string{
		19021: "check secret, and the clock of this machine",
		19022: "the bot has a list of addresses that may send, and this machine's is not on it",
		19024: "set keyword to one of the bot's keywords",
		19001: "check url: there is no such bot",
	},
}

// Check implements Service.
func (k *Feishu) Check() []Problem {
	var c checks
	c.reads("url", k.URL, true)
	c.reads("secret", k.Secret, false)
	c.tls(k.TLS)
	return c
}

type feishuMessage struct {
	Timestamp string     `json:"timestamp,omitempty"`
	Sign      string     `json:"sign,omitempty"`
	Type      string     `json:"msg_type"`
	Card      feishuCard `json:"card"`
}

type feishuCard struct {
	Config   map[string]bool `json:"config"`
	Header   feishuHeader    `json:"header"`
	Elements []feishuElement `json:"elements"`
}

type feishuHeader struct {
	Template string     `json:"template"`
	Title    feishuText `json:"title"`
}

type feishuElement struct {
	Tag  string     `json:"tag"`
	Text feishuText `json:"text"`
}

// feishuText with the tag plain_text has no markup and no mentions: those act
// in lark_md.
type feishuText struct {
	Tag     string `json:"tag"`
	Content string `json:"content"`
}

func (k *Feishu) send(ctx context.Context, s *sending, n alerts.Notice) error {
	to, err := s.address("url", k.URL)
	if err != nil {
		return err
	}
	secret, err := s.optional("secret", k.Secret)
	if err != nil {
		return err
	}
	message := feishuMessage{Type: "interactive", Card: feishuOf(withKeyword(s.message, k.Keyword), n)}
	if secret != "" {
		message.Timestamp, message.Sign = signFeishu(secret, s.now())
	}
	p := post{to: to, tls: k.TLS, body: message, reads: true, codes: &feishuCodes}
	body, err := s.post(ctx, p)
	if err != nil {
		return err
	}
	return feishuCodes.judge(s, p, body)
}

func feishuOf(m alerts.Message, n alerts.Notice) feishuCard {
	plain := func(text string) feishuText { return feishuText{"plain_text", text} }
	card := feishuCard{
		Config: map[string]bool{"wide_screen_mode": true},
		Header: feishuHeader{toneOf(n).feishu, plain(fit(m.Heading, feishuHeading, inJSON, asIs))},
	}
	add := func(name, text string, most int) {
		if text != "" {
			card.Elements = append(card.Elements, feishuElement{"div", plain(name + ": " + fit(text, most, inJSON, asIs))})
		}
	}
	for _, f := range m.Fields {
		add(f.Name, f.Text, feishuFact)
	}
	add(evidenceName, m.Evidence, feishuEvidence)
	add(openName, m.Command, feishuFact)
	return card
}
