package receivers

import (
	"context"
	"fmt"
	"strings"
	"time"

	"golang.org/x/time/rate"
)

// Rate is how many messages a service takes in a time.
type Rate struct {
	Messages int
	Per      time.Duration
}

// String is "20 a minute", "5 in 2s".
func (r Rate) String() string {
	switch r.Per {
	case time.Second:
		return fmt.Sprintf("%d a second", r.Messages)
	case time.Minute:
		return fmt.Sprintf("%d a minute", r.Messages)
	}
	return fmt.Sprintf("%d in %s", r.Messages, strings.TrimSuffix(r.Per.String(), "0s"))
}

func ratesText(rates []Rate) string {
	var texts []string
	for _, r := range rates {
		texts = append(texts, r.String())
	}
	return strings.Join(texts, ", ")
}

// limits keep several rates at once.
type limits []*rate.Limiter

// newLimits makes limits. A quarter of the messages may be sent at once, the
// others are spread, so that no window of that time has more than the rate.
func newLimits(rates []Rate) limits {
	var all limits
	for _, r := range rates {
		burst := max(1, r.Messages/4)
		spread := max(1, r.Messages-burst)
		all = append(all, rate.NewLimiter(rate.Every(r.Per/time.Duration(spread)), burst))
	}
	return all
}

// wait waits until all rates allow a message, or ctx ends.
func (l limits) wait(ctx context.Context) error {
	for _, limiter := range l {
		if err := limiter.Wait(ctx); err != nil {
			return err
		}
	}
	return nil
}
