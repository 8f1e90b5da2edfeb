package probes

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/store"
)

func clockSkew() Probe {
	return Probe{
		ID: "clock", Title: "clock skew",
		About: "How far the clock of each rank's node is from this machine's, as exactly as the way there allows; ranks are compared with each other.",
		Commands: func(*store.Snapshot, actions.Target) [][]string {
			return append([][]string{{"date", "+%s.%N"}}, python(`import time; print("%.6f" % time.time())`)...)
		},
		Read: readClock,
	}
}

// readClock assumes that the answer is from the middle of its duration. busybox does not
// know %N and prints it, or nothing.
func readClock(a actions.Answer) Result {
	if r, is := silent(a); is {
		return r
	}
	text := first(a.Stdout)
	whole, fraction, _ := strings.Cut(text, ".")
	margin := a.Took.Seconds() / 2
	seconds, err := strconv.ParseFloat(text, 64)
	if _, exact := strconv.Atoi(fraction); exact != nil {
		seconds, err = strconv.ParseFloat(whole, 64)
		seconds, margin = seconds+0.5, margin+0.5 // it is between this second and the next
	}
	if err != nil || a.Began.IsZero() || seconds < 1e9 || seconds > 1e11 {
		return unread(a)
	}
	middle := a.Began.Add(a.Took / 2)
	skew := seconds - float64(middle.UnixNano())/float64(time.Second)
	return Result{
		State: Neutral, Value: skew, Within: margin + clockSame, Detail: detail(a),
		Line: fmt.Sprintf("%+.1f s against this machine, give or take %.1f s", skew, math.Max(margin, 0.1)),
	}
}

// clockSame is how much clocks of one cluster may differ without a report (by feel: logs
// of ranks are still in order).
const clockSame = 0.5
