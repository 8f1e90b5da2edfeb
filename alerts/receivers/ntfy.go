package receivers

import (
	"context"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/traintop/traintop/alerts"
)

var ntfyKind = Kind{
	Type: "ntfy", Title: "ntfy",
	New:    func() Service { return &Ntfy{} },
	Rates:  []Rate{{60, 5 * time.Minute}}, // a visitor of ntfy.sh: 60 at once, one more each 5 s
	Length: "4096 bytes",
	Format: "https://docs.ntfy.sh/publish/#publish-as-json",
	Example: `type: ntfy
url: https://ntfy.sh/my-training-jobs
token: {env: NTFY_TOKEN}`,
}

// Ntfy publishes to a topic of ntfy.sh, or of a server of your own.
type Ntfy struct {
	URL   Address `json:"url" means:"address of the topic; on a public server a name that nobody guesses, which is then better a secret"`
	Token Secret  `json:"token" means:"access token, where the topic needs one"`
	TLS
}

// Lengths of a message in bytes, above which ntfy makes a file of it, and of
// its title.
const (
	ntfyText  = 4096
	ntfyTitle = 250
)

// Check implements Service.
func (k *Ntfy) Check() []Problem {
	var c checks
	c.reads("url", k.URL, true)
	c.reads("token", k.Token, false)
	if to, err := parseURL(k.URL.Plain); err == nil && path.Base(to.Path) == "/" || err == nil && to.Path == "" {
		c.add("url", "the topic is missing behind the server, as in https://ntfy.sh/my-training-jobs")
	}
	c.tls(k.TLS)
	return c
}

type ntfyMessage struct {
	Topic    string   `json:"topic"`
	Title    string   `json:"title"`
	Message  string   `json:"message"`
	Priority int      `json:"priority"`
	Tags     []string `json:"tags,omitempty"`
}

func (k *Ntfy) send(ctx context.Context, s *sending, n alerts.Notice) error {
	at, err := s.address("url", k.URL)
	if err != nil {
		return err
	}
	header, err := s.bearer(k.Token)
	if err != nil {
		return err
	}
	server, topic := ntfyTopic(at)
	s.hideTexts(topic)
	message := ntfyMessage{Topic: topic, Title: fit(s.message.Heading, ntfyTitle, inBytes, asIs), Priority: toneOf(n).ntfy}
	if n.Change == alerts.Resolved {
		message.Tags = []string{"white_check_mark"}
	}
	m := s.message
	if len(m.Heading) <= ntfyTitle {
		m.Heading = ""
	}
	message.Message = plainText(inBytes).composed(m, ntfyText)
	_, err = s.post(ctx, post{to: server, tls: k.TLS, header: header, body: message})
	return err
}

// ntfyTopic splits an address: JSON is published to the server, and names the
// topic.
func ntfyTopic(at *url.URL) (server *url.URL, topic string) {
	copied := *at
	folder, topic := path.Split(strings.TrimSuffix(at.Path, "/"))
	copied.Path, copied.RawPath = folder, ""
	return &copied, topic
}
