package receivers

import (
	"context"
	"time"

	"github.com/traintop/traintop/alerts"
)

var wecomKind = Kind{
	Type: "wecom", Title: "WeCom",
	New:    func() Service { return &WeCom{} },
	Rates:  []Rate{{20, time.Minute}},
	Length: "4096 bytes",
	Format: "https://developer.work.weixin.qq.com/document/path/91770",
	Example: `type: wecom
url: {env: WECOM_URL}`,
}

// WeCom sends to a robot of a group of WeCom (企业微信).
type WeCom struct {
	URL Secret `json:"url" means:"address of the group's robot, with its key"`
	TLS
}

// wecomText is the longest text, in bytes.
const wecomText = 4096

// wecomCodes: 45009 is more than 20 messages a minute, 45033 too many at once,
// -1 a busy service.
var wecomCodes = codes{
	busy: []int{-1, 45009, 45033}, after: time.Minute,
	advice: map[int]string{93000: "check url: its key is not that of a robot"},
}

// Check implements Service.
func (k *WeCom) Check() []Problem {
	var c checks
	c.reads("url", k.URL, true)
	c.tls(k.TLS)
	return c
}

type wecomMessage struct {
	Type     string        `json:"msgtype"`
	Markdown wecomMarkdown `json:"markdown"`
}

type wecomMarkdown struct {
	Content string `json:"content"`
}

func (k *WeCom) send(ctx context.Context, s *sending, _ alerts.Notice) error {
	to, err := s.address("url", k.URL)
	if err != nil {
		return err
	}
	d := dialect{length: inBytes, escape: wideEscape, escapeCode: wideEscape, bold: [2]string{"**", "**"}, next: "\n"}
	p := post{to: to, tls: k.TLS, reads: true, codes: &wecomCodes, body: wecomMessage{"markdown", wecomMarkdown{d.composed(s.message, wecomText)}}}
	body, err := s.post(ctx, p)
	if err != nil {
		return err
	}
	return wecomCodes.judge(s, p, body)
}
