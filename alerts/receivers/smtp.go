package receivers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/wneessen/go-mail"

	"github.com/traintop/traintop/alerts"
)

var smtpKind = Kind{
	Type: "smtp", Title: "mail",
	New:    func() Service { return &SMTP{} },
	Rates:  []Rate{{30, time.Minute}},
	Length: "200 characters of a subject, 64 KB",
	Format: "RFC 5321, RFC 5322",
	Example: `type: smtp
host: smtp.example.com
from: traintop@example.com
to: [ml-oncall@example.com]
username: traintop
password: {file: /etc/traintop/smtp-password}`,
}

// SMTP sends mail through a server.
type SMTP struct {
	Host       string   `json:"host" means:"the mail server"`
	Port       int      `json:"port" means:"its port; without it 587, with encryption: tls 465, with encryption: none 25"`
	Encryption string   `json:"encryption" means:"starttls, tls (from the first byte) or none; starttls without it"`
	From       string   `json:"from" means:"address that mails are from"`
	To         []string `json:"to" means:"list of addresses that mails go to"`
	Username   string   `json:"username" means:"user of the server, where it needs one"`
	Password   Secret   `json:"password" means:"its password"`
	TLS
}

// How a connection to a mail server is encrypted.
const (
	startTLS, fromTheStart, unencrypted = "starttls", "tls", "none"
)

const (
	// smtpTimeout is the deadline of one mail, from the connection to the end.
	smtpTimeout = 30 * time.Second
	// mailSubject is the longest subject, in characters; mailText the longest
	// text, in bytes.
	mailSubject, mailText = 200, 64 << 10
)

// Check implements Service.
func (k *SMTP) Check() []Problem {
	var c checks
	c.needs("host", k.Host)
	if strings.ContainsAny(k.Host, "@/") {
		c.add("host", "it has to be the name of a mail server alone; the user and the password stand in username and password")
	}
	if strings.Contains(k.Host, ":") && net.ParseIP(k.Host) == nil {
		c.add("host", "it has to be the name of a mail server alone; the port stands in port")
	}
	if k.Port < 0 || k.Port > 65535 {
		c.add("port", "it has to be between 1 and 65535")
	}
	if kinds := []string{startTLS, fromTheStart, unencrypted}; k.Encryption != "" && !slices.Contains(kinds, k.Encryption) {
		c.add("encryption", "it has to be one of %s", strings.Join(kinds, ", "))
	}
	c.mailAddress("from", k.From)
	if len(k.To) == 0 {
		c.add("to", "it is missing: a list of addresses")
	}
	for i, to := range k.To {
		c.mailAddress(fmt.Sprintf("to[%d]", i), to)
	}
	c.reads("password", k.Password, false)
	switch {
	case k.Password.set() && k.Username == "":
		c.add("username", "it is missing; a password needs it")
	case k.Username != "" && !k.Password.set():
		c.add("password", "it is missing; a username needs it")
	case k.Password.set() && k.Encryption == unencrypted:
		c.add("encryption", "none would send the password for anyone to read; write starttls or tls")
	}
	c.tls(k.TLS)
	return c
}

func (k *SMTP) send(ctx context.Context, s *sending, n alerts.Notice) error {
	ctx, cancel := context.WithTimeout(ctx, smtpTimeout)
	defer cancel()
	password, err := s.optional("password", k.Password)
	if err != nil {
		return err
	}
	client, err := k.client(ctx, password)
	if err != nil {
		return err
	}
	message, err := k.mail(s, n)
	if err != nil {
		return err
	}
	err = client.DialAndSendWithContext(ctx, message)
	if err == nil || message.IsDelivered() { // only the end of the session may fail
		return nil
	}
	return k.failure(ctx, err)
}

// client prepares the connection.
func (k *SMTP) client(ctx context.Context, password string) (*mail.Client, error) {
	ca, err := k.authorities()
	if err != nil {
		return nil, err
	}
	trust, err := k.config(ca)
	if err != nil {
		return nil, err
	}
	trust.ServerName = cmp.Or(trust.ServerName, k.Host)
	dialer := smtpDialer{ctx: ctx, port: cmp.Or(k.Port, 587)}
	options := []mail.Option{mail.WithTimeout(smtpTimeout), mail.WithTLSConfig(trust), mail.WithHELO("localhost")}
	switch k.Encryption {
	case fromTheStart:
		dialer.port, dialer.tls = cmp.Or(k.Port, 465), trust
		options = append(options, mail.WithTLSPolicy(mail.TLSOpportunistic)) // the connection is encrypted already
	case unencrypted:
		dialer.port = cmp.Or(k.Port, 25)
		options = append(options, mail.WithTLSPolicy(mail.NoTLS))
	default:
		options = append(options, mail.WithTLSPolicy(mail.TLSMandatory))
	}
	options = append(options, mail.WithPort(dialer.port), mail.WithDialContextFunc(dialer.dial))
	if k.Username != "" {
		options = append(options, mail.WithSMTPAuth(mail.SMTPAuthAutoDiscover), mail.WithUsername(k.Username), mail.WithPassword(password))
	}
	client, err := mail.NewClient(k.Host, options...)
	if err != nil {
		return nil, fmt.Errorf("prepare the connection to %s: %w", k.Host, err)
	}
	return client, nil
}

// mail writes a notice as a mail. Mails of one incident are one thread.
func (k *SMTP) mail(s *sending, n alerts.Notice) (*mail.Msg, error) {
	message := mail.NewMsg(mail.WithNoDefaultUserAgent())
	if err := errors.Join(message.From(k.From), message.To(k.To...)); err != nil {
		return nil, fmt.Errorf("read from and to: %w", err)
	}
	// A reader of mail decodes an encoded word (RFC 2047) wherever one is.
	message.Subject(fit(strings.ReplaceAll(s.message.Heading, "=?", "= ?"), mailSubject, inCharacters, asIs))
	message.SetDateWithValue(n.At)
	message.SetMessageIDWithValue(headerWord(n.ID) + "@traintop")
	thread := "<" + headerWord(string(n.Incident.ID)) + ".incident@traintop>"
	message.SetGenHeader(mail.HeaderInReplyTo, thread)
	message.SetGenHeader(mail.HeaderReferences, thread)
	message.SetGenHeader("Auto-Submitted", "auto-generated") // RFC 3834: no out-of-office answers
	message.SetGenHeader("X-Traintop-Event-Id", headerWord(n.ID))
	message.SetBodyString(mail.TypeTextPlain, plainText(inBytes).composed(s.message, mailText)+"\n")
	return message, nil
}

// longestID keeps a header line within the 998 bytes of RFC 5322.
const longestID = 100

// headerWord keeps the characters of an id that a header allows.
func headerWord(id string) string {
	id = fit(id, longestID, inBytes, asIs)
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '.' {
			return r
		}
		return '.'
	}, id)
}

// failure is the error of a mail that was not sent. Answers 4xx, and broken
// connections, pass.
func (k *SMTP) failure(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return &alerts.RetryError{Err: fmt.Errorf("%s did not take the mail within %s", k.Host, smtpTimeout)}
	}
	said, _, _ := strings.Cut(err.Error(), ", affected message ID") // ours
	text := fmt.Errorf("%s did not take the mail: %s", k.Host, said)
	switch code := smtpCode(err); {
	case code >= 500:
		return fmt.Errorf("%w; check host, username, password, from and to", text)
	case code >= 400 || isBroken(err):
		return &alerts.RetryError{Err: text}
	}
	return fmt.Errorf("%w; check host, port and encryption", text)
}
