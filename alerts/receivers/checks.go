package receivers

import (
	"fmt"
	"net/mail"
	"strings"
)

// checks collects what is wrong with settings.
type checks []Problem

func (c *checks) add(setting, format string, values ...any) {
	*c = append(*c, Problem{setting, fmt.Sprintf(format, values...)})
}

// reads checks a secret or an address.
func (c *checks) reads(setting string, from readable, needed bool) {
	if problem := from.problem(); problem != "" {
		c.add(setting, "%s", problem)
	} else if needed && !from.set() {
		c.add(setting, "it is missing")
	}
}

// needs checks a text that must be there.
func (c *checks) needs(setting, text string) {
	if strings.TrimSpace(text) == "" {
		c.add(setting, "it is missing")
	}
}

func (c *checks) mailAddress(setting, text string) {
	if address, err := mail.ParseAddress(text); err != nil || strings.ContainsAny(address.Address, "\r\n") {
		c.add(setting, "it is no mail address, as in traintop@example.com")
	}
}

func (c *checks) tls(t TLS) {
	if t.CAFile != "" && t.InsecureSkipVerify {
		c.add("insecureSkipVerify", "caFile says whom to trust, and this to trust everyone; give one of the two")
	}
}
