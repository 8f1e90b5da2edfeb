package receivers

import (
	"context"
	"time"

	"github.com/traintop/traintop/alerts"
)

var dingtalkKind = Kind{
	Type: "dingtalk", Title: "DingTalk",
	New:    func() Service { return &DingTalk{} },
	Rates:  []Rate{{20, time.Minute}},
	Length: "20 KB",
	Format: "https://open.dingtalk.com/document/robots/custom-robot-access",
	Example: `type: dingtalk
url: {env: DINGTALK_URL}
secret: {env: DINGTALK_SECRET}`,
}

// DingTalk sends to a custom robot of a group of DingTalk.
type DingTalk struct {
	URL     Secret `json:"url" means:"address of the custom robot, with its access_token"`
	Secret  Secret `json:"secret" means:"key of its signature (SEC…), where that is on"`
	Keyword string `json:"keyword" means:"its custom keyword, where it has one"`
	TLS
}

const (
	// dingtalkText is the longest text, in bytes of JSON, with room for the rest
	// of the 20 KB that a robot takes.
	dingtalkText = 18000
	// dingtalkTitle is the length of the line in the list of chats, in bytes.
	dingtalkTitle = 400
	// dingtalkSilence is how long a robot that was too fast is not heard.
	dingtalkSilence = 10 * time.Minute
)

// dingtalkCodes: 310000 is a word, a signature or an address that the robot's
// settings refuse; 130101 is more than 20 messages a minute, 410100 too fast.
var dingtalkCodes = codes{
	busy: []int{-1, 130101, 130102, 410100, 90030}, after: dingtalkSilence,
	advice: map[int]string{
		310000: "check secret, keyword and the addresses that the robot allows, and the clock of this machine",
		300001: "check url: its access_token is not that of a robot",
		400013: "the group of the robot was dissolved",
		400101: "check url: its access_token is not that of a robot",
		400102: "the robot was stopped in the settings of the group",
	},
}

// Check implements Service.
func (k *DingTalk) Check() []Problem {
	var c checks
	c.reads("url", k.URL, true)
	c.reads("secret", k.Secret, false)
	c.tls(k.TLS)
	return c
}

type dingtalkMessage struct {
	Type     string           `json:"msgtype"`
	Markdown dingtalkMarkdown `json:"markdown"`
	At       dingtalkAt       `json:"at"`
}

type dingtalkMarkdown struct {
	Title string `json:"title"`
	Text  string `json:"text"`
}

// dingtalkAt names nobody: only who is named here is called.
type dingtalkAt struct {
	All bool `json:"isAtAll"`
}

func (k *DingTalk) send(ctx context.Context, s *sending, _ alerts.Notice) error {
	to, err := s.address("url", k.URL)
	if err != nil {
		return err
	}
	secret, err := s.optional("secret", k.Secret)
	if err != nil {
		return err
	}
	if secret != "" {
		query := to.Query()
		timestamp, sign := signDingTalk(secret, s.now())
		query.Set("timestamp", timestamp)
		query.Set("sign", sign)
		to.RawQuery = query.Encode()
		s.hideURL(to)
	}
	p := post{to: to, tls: k.TLS, body: dingtalkOf(withKeyword(s.message, k.Keyword)), reads: true, codes: &dingtalkCodes}
	body, err := s.post(ctx, p)
	if err != nil {
		return err
	}
	return dingtalkCodes.judge(s, p, body)
}

func dingtalkOf(m alerts.Message) dingtalkMessage {
	d := dialect{length: inJSON, escape: wideEscape, escapeCode: wideEscape, bold: [2]string{"**", "**"}, next: "\n\n"}
	return dingtalkMessage{Type: "markdown", Markdown: dingtalkMarkdown{
		Title: fit(m.Heading, dingtalkTitle, inJSON, wideEscape), Text: d.composed(m, dingtalkText),
	}}
}
