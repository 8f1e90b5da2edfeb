package receivers

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/traintop/traintop/alerts"
)

var telegramKind = Kind{
	Type: "telegram", Title: "Telegram",
	New:    func() Service { return &Telegram{} },
	Rates:  []Rate{{20, time.Minute}, {1, time.Second}},
	Length: "4096 characters",
	Format: "https://core.telegram.org/bots/api#sendmessage",
	Example: `type: telegram
token: {env: TELEGRAM_BOT_TOKEN}
chat: "-1001234567890"`,
}

// Telegram sends as a bot into a chat of Telegram.
type Telegram struct {
	Token  Secret  `json:"token" means:"token of the bot, from @BotFather"`
	Chat   string  `json:"chat" means:"id of the chat in quotes, or @name of a public channel"`
	Thread int     `json:"thread" means:"id of a topic of the chat"`
	API    Address `json:"url" means:"a server of the bot API of your own, instead of https://api.telegram.org"`
	TLS
}

const (
	telegramAPI = "https://api.telegram.org"
	// telegramText is the longest text, in UTF-16 units without markup; with it,
	// this is on the safe side.
	telegramText = 4096
)

// Check implements Service.
func (k *Telegram) Check() []Problem {
	var c checks
	c.reads("token", k.Token, true)
	c.needs("chat", k.Chat)
	c.reads("url", k.API, false)
	c.tls(k.TLS)
	return c
}

type telegramMessage struct {
	Chat      string          `json:"chat_id"`
	Thread    int             `json:"message_thread_id,omitempty"`
	Text      string          `json:"text"`
	ParseMode string          `json:"parse_mode"`
	Preview   telegramPreview `json:"link_preview_options"`
}

type telegramPreview struct {
	Disabled bool `json:"is_disabled"`
}

type telegramAnswer struct {
	OK          *bool  `json:"ok"`
	Code        int    `json:"error_code"`
	Description string `json:"description"`
	Parameters  struct {
		After int `json:"retry_after"`
	} `json:"parameters"`
}

func (k *Telegram) send(ctx context.Context, s *sending, _ alerts.Notice) error {
	token, err := s.secret("token", k.Token)
	if err != nil {
		return err
	}
	api := k.API
	api.Plain = cmp.Or(api.Plain, telegramAPI)
	if api.Secret.set() {
		api.Plain = ""
	}
	to, err := s.address("url", api)
	if err != nil {
		return err
	}
	to = to.JoinPath("bot"+token, "sendMessage")
	s.hideURL(to)
	d := dialect{length: inUTF16, escape: htmlEscape, escapeCode: entityEscape, bold: [2]string{"<b>", "</b>"}, code: [2]string{"<code>", "</code>"}, next: "\n"}
	message := telegramMessage{
		Chat: k.Chat, Thread: k.Thread, Text: d.composed(s.message, telegramText), ParseMode: "HTML", Preview: telegramPreview{true},
	}
	p := post{to: to, tls: k.TLS, body: message, reads: true, after: telegramAfter}
	body, err := s.post(ctx, p)
	if err != nil {
		return err
	}
	var said telegramAnswer
	switch err := json.Unmarshal(body, &said); {
	case err != nil || said.OK == nil:
		return s.unexpected(p, body)
	case *said.OK:
		return nil
	}
	failed := fmt.Errorf("%s answered %d %s; check the token, and that the bot may write into the chat", to.Host, said.Code, s.quoted("", body))
	if said.Code == 429 || said.Code >= 500 {
		return &alerts.RetryError{Err: failed, After: telegramAfter(body)}
	}
	return failed
}

// telegramAfter reads parameters.retry_after, in seconds.
func telegramAfter(body []byte) time.Duration {
	var said telegramAnswer
	if json.Unmarshal(body, &said) != nil {
		return 0
	}
	return min(max(0, time.Duration(said.Parameters.After)*time.Second), longestAfter)
}
