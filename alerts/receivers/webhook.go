package receivers

import (
	"context"
	"net/http"

	"github.com/traintop/traintop/alerts"
)

var webhookKind = Kind{
	Type: "webhook", Title: "webhook",
	New:    func() Service { return &Webhook{} },
	Length: "not cut",
	Format: "the section \"The JSON of webhooks and commands\" below",
	Example: `type: webhook
url: https://hooks.example.com/traintop
secret: {file: /etc/traintop/webhook-secret}`,
}

// Webhook sends a Payload to a server of your own.
type Webhook struct {
	URL    Address `json:"url" means:"where to send; text where it has no user, password and query"`
	Secret Secret  `json:"secret" means:"key of the signature in X-Traintop-Signature"`
	Token  Secret  `json:"token" means:"token for the header Authorization: Bearer"`
	TLS
}

// Check implements Service.
func (k *Webhook) Check() []Problem {
	var c checks
	c.reads("url", k.URL, true)
	c.reads("secret", k.Secret, false)
	c.reads("token", k.Token, false)
	c.tls(k.TLS)
	return c
}

func (k *Webhook) send(ctx context.Context, s *sending, n alerts.Notice) error {
	to, err := s.address("url", k.URL)
	if err != nil {
		return err
	}
	secret, err := s.optional("secret", k.Secret)
	if err != nil {
		return err
	}
	header, err := s.bearer(k.Token)
	if err != nil {
		return err
	}
	payload := payloadOf(n, s.message)
	body, err := encodeJSON(payload)
	if err != nil {
		return err
	}
	header.Set("X-Traintop-Event-Id", payload.ID)
	if secret != "" {
		timestamp, signature := signWebhook(secret, s.now(), body)
		header.Set("X-Traintop-Timestamp", timestamp)
		header.Set("X-Traintop-Signature", signature)
	}
	_, err = s.post(ctx, post{to: to, tls: k.TLS, header: header, body: body, anyAnswer: true})
	return err
}

// bearer is the header with a token, where one is configured.
func (s *sending) bearer(token Secret) (http.Header, error) {
	header := http.Header{}
	value, err := s.optional("token", token)
	if value != "" {
		header.Set("Authorization", "Bearer "+value)
	}
	return header, err
}
