package receivers

import (
	"strings"

	"github.com/traintop/traintop/alerts"
)

// withKeyword adds the word that a robot wants to find in each message, unless
// the heading has it, which is never cut away from the front.
func withKeyword(m alerts.Message, keyword string) alerts.Message {
	if keyword != "" && !strings.HasPrefix(m.Heading, keyword) {
		m.Heading = keyword + " " + m.Heading
	}
	return m
}
