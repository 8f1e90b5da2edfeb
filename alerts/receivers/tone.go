package receivers

import (
	"github.com/traintop/traintop/alerts"
	"github.com/traintop/traintop/train"
)

// tone is the colour and the urgency of a notice, as services name them.
type tone struct {
	teams, feishu string
	discord       int // RGB
	ntfy          int // priority, 1 to 5
	pagerduty     string
}

var (
	badTone   = tone{"Attention", "red", 0xd93025, 4, "error"}
	warnTone  = tone{"Warning", "orange", 0xf9ab00, 3, "warning"}
	goodTone  = tone{"Good", "green", 0x1e8e3e, 3, "info"}
	plainTone = tone{"Default", "blue", 0x1a73e8, 3, "info"}
)

func toneOf(n alerts.Notice) tone {
	switch {
	case n.Change == alerts.Resolved:
		return goodTone
	case n.Change == alerts.Test:
		return plainTone
	case n.Incident.Severity == train.SeverityError:
		return badTone
	case n.Incident.Severity == train.SeverityWarning:
		return warnTone
	}
	return plainTone
}
