package receivers

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/traintop/traintop/alerts"
	"github.com/traintop/traintop/sources/redact"
	"github.com/traintop/traintop/termtext"
)

// sending is one try to send one notice.
type sending struct {
	options *Options
	clients *clients
	// title is what people call the kind of the receiver.
	title   string
	message alerts.Message
	// hidden are texts that no error may show: secrets and parts of URLs.
	hidden []string
}

func (s *sending) now() time.Time { return s.options.Now() }

// secret reads a setting that is secret.
func (s *sending) secret(setting string, from readable) (string, error) {
	value, err := from.read(s.options.LookupEnv)
	if err != nil {
		return "", fmt.Errorf("read %s: %w", setting, err)
	}
	s.hideTexts(value)
	return value, nil
}

// optional is secret for a setting that may be left out, "" then.
func (s *sending) optional(setting string, from readable) (string, error) {
	if !from.set() {
		return "", nil
	}
	return s.secret(setting, from)
}

// credentials are a user and a password as RFC 7617 writes them.
func (s *sending) credentials(user, password string) string {
	text := base64.StdEncoding.EncodeToString([]byte(user + ":" + password))
	s.hideTexts(text)
	return text
}

// address reads a setting that is a URL.
func (s *sending) address(setting string, from readable) (*url.URL, error) {
	text, err := s.secret(setting, from)
	if err != nil {
		return nil, err
	}
	to, err := parseURL(text)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", setting, err)
	}
	s.hideURL(to)
	return to, nil
}

const (
	// shortestHidden is the length of a text that identifies a secret.
	shortestHidden = 4
	// shortestSegment is the length of a part of a URL's path that may be a
	// token; shorter ones are words such as "webhook".
	shortestSegment = 12
)

// hideURL hides all of a URL but its scheme and host.
func (s *sending) hideURL(to *url.URL) {
	s.hideTexts(to.String(), to.RequestURI(), to.RawQuery)
	if len(to.Path) > 1 {
		s.hideTexts(to.Path, to.EscapedPath())
	}
	for part := range strings.SplitSeq(to.Path, "/") {
		if len(part) >= shortestSegment {
			s.hideTexts(part)
		}
	}
	for _, values := range to.Query() {
		s.hideTexts(values...)
	}
	if password, has := to.User.Password(); has {
		s.hideTexts(password, to.User.String())
	}
}

func (s *sending) hideTexts(texts ...string) {
	for _, text := range texts {
		if len(text) >= shortestHidden {
			s.hidden = append(s.hidden, text)
		}
	}
}

// hide makes the text of an error one line without secrets. Answers of servers
// quote what they were sent.
func (s *sending) hide(text string) string {
	slices.SortFunc(s.hidden, func(a, b string) int { return len(b) - len(a) }) // the whole before its parts
	for _, secret := range s.hidden {
		text = strings.ReplaceAll(text, secret, "(hidden)")
		text = strings.ReplaceAll(text, url.QueryEscape(secret), "(hidden)")
	}
	text = inBase64.ReplaceAllStringFunc(text, func(word string) string {
		if s.holdsSecret(word) {
			return "(hidden)"
		}
		return word
	})
	return termtext.Line(redact.Text(text))
}

// inBase64 matches a word that may be base64, as users and passwords are sent: RFC 4954
// for mail, RFC 7617 for HTTP.
var inBase64 = regexp.MustCompile(`[A-Za-z0-9+/_-]{8,}`)

// holdsSecret reports whether a word in base64 has a secret in it, or, where it was cut,
// the beginning of one at its end.
func (s *sending) holdsSecret(word string) bool {
	encoding := base64.RawStdEncoding
	if strings.ContainsAny(word, "-_") {
		encoding = base64.RawURLEncoding
	}
	if len(word)%4 == 1 { // cut within a character
		word = word[:len(word)-1]
	}
	decoded, err := encoding.DecodeString(word)
	return err == nil && slices.ContainsFunc(s.hidden, func(secret string) bool {
		if bytes.Contains(decoded, []byte(secret)) {
			return true
		}
		for n := len(secret) - 1; n >= shortestHidden; n-- {
			if bytes.HasSuffix(decoded, []byte(secret[:n])) {
				return true
			}
		}
		return false
	})
}

// clean makes a text of an incident one line without secrets.
func clean(text string) string { return termtext.Line(redact.Text(text)) }
