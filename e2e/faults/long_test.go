package faults

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

var (
	hours = flag.Float64("hours", 0, "how long to try faults at random")
	seed  = flag.Uint64("seed", 0, "the seed of what is tried at random; 0 takes one from the clock")
)

// tryOf is one try of the long half.
type tryOf struct {
	fault Fault
	place Place
	after int
	c     Command
	args  []string
}

func (o tryOf) String() string {
	return fmt.Sprintf("%s at %s, after %d good answers: %s", o.fault.Words, o.place.Words, o.after, strings.Join(o.args, " "))
}

// Every fault at every place against every command, from a random moment on,
// for as long as -hours sets: nothing hangs, exhausts memory, prints what it
// must not, or loses data silently. The quick half is TestFaults and
// TestHeavyFaults.
func TestRandomFaults(t *testing.T) {
	if *hours == 0 {
		t.Skip("make faults HOURS=2 runs it")
	}
	if *seed == 0 {
		*seed = uint64(time.Now().UnixNano())
	}
	t.Logf("seed %d", *seed)
	tries, until := make(chan tryOf), time.Now().Add(time.Duration(*hours*float64(time.Hour)))
	var trying sync.WaitGroup
	for range 4 {
		trying.Go(func() {
			for one := range tries {
				try(t, one)
			}
		})
	}
	random, done := rand.New(rand.NewPCG(*seed, 0)), 0
	for ; time.Now().Before(until); done++ {
		tries <- someTry(random)
	}
	close(tries)
	trying.Wait()
	t.Logf("%d tries", done)
}

func someTry(random *rand.Rand) tryOf {
	for {
		c := Commands()[random.IntN(len(Commands()))]
		o := tryOf{
			fault: Faults()[random.IntN(len(Faults()))], place: Places()[random.IntN(len(Places()))],
			after: random.IntN(4) * random.IntN(4), c: c, args: c.args,
		}
		if c.json != nil && random.IntN(2) == 0 {
			o.args = c.json
		}
		if o.fault.wire != wireWell {
			o.place, o.after = Everything, 0
		}
		if c.Name != screen && o.place.readBy(c.Name) {
			return o
		}
	}
}

func try(t *testing.T, o tryOf) {
	run, hits, err := o.run(t)
	if err != nil {
		t.Errorf("%s: %v", o, err)
		return
	}
	wrong := isUnfit(run, o.args)
	quiet := run.Code == 0 && run.Err == "" && !strings.Contains(run.Out, `"problems": [`)
	if quiet && hits > 0 && !o.c.endless {
		good, _, err := tryOf{fault: Fault{}, place: Everything, c: o.c, args: o.args}.run(t)
		if err != nil || timeless(good.Out) != timeless(run.Out) {
			wrong = append(wrong, fmt.Sprintf("the answer differs from that of a cluster that is well (%d and %d bytes), without a word", len(run.Out), len(good.Out)))
		}
	}
	if len(wrong) > 0 {
		t.Errorf("%s: %s\nexit %d after %s, %d MiB, the fault was met %d times\n%.1500s\n%.1500s", o, strings.Join(wrong, "; "),
			run.Code, run.Took.Round(time.Millisecond), run.Peak>>20, hits, run.Out, run.Err)
	}
}

func (o tryOf) run(t *testing.T) (Run, int, error) {
	server, err := StartServer(recorded, o.fault.wire)
	if err != nil {
		return Run{}, 0, err
	}
	defer server.Stop()
	server.Misbehave(o.fault, o.place, o.after)
	program := Program{built, t.TempDir()}
	args, err := program.arguments(server, shortTimeout, o.args)
	if err != nil {
		return Run{}, 0, err
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	if o.c.endless {
		defer time.AfterFunc(8*time.Second, stop).Stop()
	}
	run, err := program.Start(ctx, timeLimit, memoryLimit, args...)
	return run, server.Hits(), err
}

var numbers = regexp.MustCompile(`[0-9]+`)

// timeless is an answer without numbers, since ages and addresses contain them,
// and without the white space between them.
func timeless(out string) string {
	return strings.Join(strings.Fields(numbers.ReplaceAllString(out, "")), " ")
}
