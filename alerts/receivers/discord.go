package receivers

import (
	"context"
	"encoding/json"
	"time"

	"github.com/traintop/traintop/alerts"
)

var discordKind = Kind{
	Type: "discord", Title: "Discord",
	New:    func() Service { return &Discord{} },
	Rates:  []Rate{{5, 2 * time.Second}},
	Length: "2000 characters, 4096 of an embed",
	Format: "https://discord.com/developers/docs/resources/webhook#execute-webhook",
	Example: `type: discord
url: {env: DISCORD_WEBHOOK_URL}`,
}

// Discord sends to a webhook of a channel of Discord.
type Discord struct {
	URL Secret `json:"url" means:"address of the channel's webhook"`
	TLS
}

// Lengths of a message and of the text of an embed, in UTF-16 units.
const (
	discordContent = 2000
	discordEmbed   = 4096
)

// Check implements Service.
func (k *Discord) Check() []Problem {
	var c checks
	c.reads("url", k.URL, true)
	c.tls(k.TLS)
	return c
}

type discordMessage struct {
	Content string          `json:"content"`
	Embeds  []discordEmbeds `json:"embeds"`
	// AllowedMentions with an empty list lets nothing in the text call anybody.
	AllowedMentions discordMentions `json:"allowed_mentions"`
}

type discordMentions struct {
	Parse []string `json:"parse"`
}

type discordEmbeds struct {
	Description string `json:"description"`
	Color       int    `json:"color"`
}

func (k *Discord) send(ctx context.Context, s *sending, n alerts.Notice) error {
	to, err := s.address("url", k.URL)
	if err != nil {
		return err
	}
	_, err = s.post(ctx, post{to: to, tls: k.TLS, body: discordOf(s.message, n), after: discordAfter})
	return err
}

func discordOf(m alerts.Message, n alerts.Notice) discordMessage {
	d := dialect{length: inUTF16, escape: backslashEscape, escapeCode: codeEscape, code: [2]string{"`", "`"}, next: "\n"}
	message := discordMessage{Content: fit(m.Heading, discordContent, inUTF16, backslashEscape), AllowedMentions: discordMentions{[]string{}}}
	m.Heading = ""
	if text := d.composed(m, discordEmbed); text != "" {
		message.Embeds = []discordEmbeds{{text, toneOf(n).discord}}
	}
	return message
}

// discordAfter reads retry_after, in seconds.
func discordAfter(body []byte) time.Duration {
	var said struct {
		After float64 `json:"retry_after"`
	}
	if json.Unmarshal(body, &said) != nil || said.After <= 0 || said.After > longestAfter.Seconds() {
		return 0
	}
	return time.Duration(said.After * float64(time.Second))
}
