package prometheus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/traintop/traintop/train"
)

// play runs a source against a fake server on a fake clock.
func play(t *testing.T, s *server, o Options, test func(*sink, *Source)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		if o.Cluster == nil {
			o.Endpoint = s.endpoint(t)
			o.Endpoint.most = cmp.Or(s.most, 1<<20)
		}
		o.Now = time.Now
		ctx, stop := context.WithCancel(t.Context())
		into, source := &sink{}, New(o)
		done := make(chan error, 1)
		go func() { done <- source.Run(ctx, into) }()
		synctest.Wait()
		test(into, source)
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

func TestRounds(t *testing.T) {
	s := &server{age: 10 * time.Second}
	play(t, s, Options{Past: time.Hour, Pods: func() []Pod { return []Pod{{"ml", "bert-0"}} }}, func(into *sink, source *Source) {
		began := time.Now()
		h, m := into.look()
		if h.State != train.SourceLive || h.Text != "" {
			t.Errorf("health is %+v", h)
		}
		if len(m.Readings) != 16 || m.Every != 30*time.Second || m.Source != SourceName || m.Node != "" {
			t.Fatalf("%d readings every %s from %q", len(m.Readings), m.Every, m.Source)
		}
		r := m.Readings[9]
		if util, _ := r.Values.Get(train.GPUUtilization); util != 42 || r.GPU.Pod != "bert-1" || r.GPU.Host != "gpu-1" {
			t.Errorf("reading %+v", r)
		}
		if total, _ := r.Values.Get(train.GPUMemoryTotal); total != 84 {
			t.Errorf("memory total %v, want used and free of the slow question", total)
		}
		if age := began.Sub(r.At); age < 9*time.Second || age > 11*time.Second {
			t.Errorf("measured %s ago, want when the exporter was read", age)
		}
		if !source.Covers("gpu-0") || source.Covers("gpu-7") {
			t.Error("covered nodes are wrong")
		}
		if len(into.past()) != 3*16 || len(into.past()[0].Points) != 2 {
			t.Errorf("the past of %d quantities", len(into.past()))
		}
		if n := len(into.usage().Usage); n != 2 || !into.usage().Complete || into.usage().Usage[1].Pod != "bert-0" {
			t.Errorf("usage %+v", into.usage())
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if into.rounds() != 1+1+4 { // twice in the first round
			t.Errorf("%d times readings in a minute", into.rounds())
		}
		if n := s.count("/api/v1/label/__name__"); n != 1 {
			t.Errorf("names were asked for %d times", n)
		}
		if n := s.count("query_range"); n != 3 {
			t.Errorf("the past was asked for %d times", n)
		}
		s.set(func(s *server) {
			for _, asked := range s.asked {
				if len(asked) > 8000 || !strings.HasPrefix(asked, "https://prometheus.example.com/prefix/api/v1/") {
					t.Errorf("asked for %s", asked)
				}
			}
		})
	})
}

// TestPastIsAwaited: who ends with the first answer gets the last hour too, since the
// source has not settled before. Others do not wait.
func TestPastIsAwaited(t *testing.T) {
	for _, awaits := range []bool{true, false} {
		s := &server{took: 100 * time.Millisecond}
		play(t, s, Options{Past: time.Hour, AwaitPast: awaits}, func(into *sink, _ *Source) {
			early := false
			for range 100 {
				time.Sleep(50 * time.Millisecond)
				synctest.Wait()
				h, _ := into.look()
				settled := h.State.Settled() && into.healthOf(PastSource).State.Settled()
				early = early || h.State != "" && settled && len(into.past()) < 3*16
			}
			if h := into.healthOf(PastSource); early == awaits || len(into.past()) != 3*16 || h.State != "" || h.Text != "" {
				t.Errorf("awaited %v, settled early %v, the past of %d quantities, %+v", awaits, early, len(into.past()), h)
			}
		})
	}
}

// TestPastThatIsNotReadIsSaid: a server that refuses the last hour, or warns about a
// part of it, is reported once the source settles.
func TestPastThatIsNotReadIsSaid(t *testing.T) {
	for _, c := range []struct {
		answer string
		code   int
		state  train.SourceState
		says   string
	}{
		{`{"status":"error","errorType":"execution","error":"query processing would load too many samples"}`, 422, train.SourceFailed, "too many samples"},
		{`{"status":"success","data":{"resultType":"matrix","result":[]},"warnings":["store down"]}`, 200, train.SourceLive, "store down"},
	} {
		s := &server{instead: func(request *http.Request) *http.Response {
			if strings.HasSuffix(request.URL.Path, "/query_range") {
				return says(c.code, c.answer)
			}
			return nil
		}}
		play(t, s, Options{Past: time.Hour, AwaitPast: true}, func(into *sink, _ *Source) {
			if h := into.healthOf(PastSource); h.State != c.state || !strings.Contains(h.Text, c.says) {
				t.Errorf("said %+v, want %s with %q", h, c.state, c.says)
			}
		})
	}
}

// Each failure is a health state with what happened and what to do; after it, the
// source is healthy again.
func TestBadDays(t *testing.T) {
	html := "<!doctype html><title>Log in</title>"
	for _, day := range []struct {
		name  string
		is    func(*http.Request) *http.Response
		state train.SourceState
		text  []string
	}{
		{"400", func(*http.Request) *http.Response {
			return says(400, `{"status":"error","errorType":"bad_data","error":"invalid parameter \"query\": 1:5: parse error"}`)
		}, train.SourceRetrying, []string{"parse error", "HTTP 400"}},
		{"401", func(*http.Request) *http.Response { return says(401, "Unauthorized\n") }, train.SourceForbidden, []string{"Unauthorized", "bearerTokenFile"}},
		{"403", func(*http.Request) *http.Response { return says(403, `{"error":"forbidden tenant"}`) }, train.SourceForbidden, []string{"forbidden tenant", "X-Scope-OrgID"}},
		{"204", func(*http.Request) *http.Response { return says(204, "") }, train.SourceRetrying, []string{"HTTP 204, which is no answer"}},
		{"404", func(*http.Request) *http.Response { return says(404, "404 page not found") }, train.SourceRetrying, []string{"/select/0/prometheus"}},
		{"422", func(*http.Request) *http.Response {
			return says(422, `{"status":"error","errorType":"execution","error":"query processing would load too many samples into memory in query execution"}`)
		}, train.SourceRetrying, []string{"too many samples"}},
		{"503 while it reads its log", func(*http.Request) *http.Response { return says(503, "Service Unavailable") }, train.SourceRetrying, []string{"starting"}},
		{"503 of the API server", func(*http.Request) *http.Response {
			return says(503, `{"kind":"Status","status":"Failure","message":"no endpoints available for service \"prometheus\"","reason":"ServiceUnavailable","code":503}`)
		}, train.SourceRetrying, []string{"no endpoints available"}},
		{"login page", func(*http.Request) *http.Response { return says(200, html) }, train.SourceRetrying, []string{"login page", "check the URL"}},
		{"redirect", func(*http.Request) *http.Response {
			r := says(302, "")
			r.Header.Set("Location", "https://sso.example.com/login")
			return r
		}, train.SourceRetrying, []string{"https://sso.example.com/login", "not followed"}},
		{"half an answer", func(*http.Request) *http.Response { return says(200, `{"status":"success","data":["DCGM`) }, train.SourceRetrying, []string{"unexpected EOF", "what stands in between"}},
		{"other JSON", func(*http.Request) *http.Response { return says(200, `{"message":"hello"}`) }, train.SourceRetrying, []string{"not one of the Prometheus API"}},
		{"broken gzip", func(*http.Request) *http.Response {
			r := says(200, "{}")
			r.Header.Set("Content-Encoding", "gzip")
			return r
		}, train.SourceRetrying, []string{"EOF"}},
		{"an error with code 200", func(*http.Request) *http.Response {
			return says(200, `{"status":"error","errorType":"internal","error":"store gone"}`)
		}, train.SourceRetrying, []string{"store gone"}},
	} {
		t.Run(day.name, func(t *testing.T) {
			s := &server{}
			play(t, s, Options{}, func(into *sink, source *Source) {
				s.set(func(s *server) { s.instead = day.is })
				time.Sleep(11 * time.Minute) // so that names are queried again, too
				synctest.Wait()
				h, m := into.look()
				if h.State != day.state || h.Retry.IsZero() {
					t.Errorf("state %s until %v: %s", h.State, h.Retry, h.Text)
				}
				for _, part := range append(day.text, "https://prometheus.example.com/prefix") {
					if !strings.Contains(h.Text, part) {
						t.Errorf("%q is not in %q", part, h.Text)
					}
				}
				if len(m.Readings) != 16 {
					t.Errorf("%d readings are left; what was known has to stay, with its age", len(m.Readings))
				}
				if source.Covers("gpu-0") {
					t.Error("the exporters of nodes are left alone while nobody tells of them")
				}
				asked := s.count("")
				time.Sleep(10 * time.Minute)
				if n := s.count("") - asked; n > 60 {
					t.Errorf("%d questions in ten minutes of failure", n)
				}
				s.set(func(s *server) { s.instead = nil })
				time.Sleep(3 * time.Minute)
				synctest.Wait()
				if h, m := into.look(); h.State != train.SourceLive || h.Text != "" || time.Since(m.Readings[0].At) > time.Minute {
					t.Errorf("afterwards it is %+v", h)
				}
			})
		})
	}
}

// A server that never answers does not block callers that wait for a first state.
func TestSilentServer(t *testing.T) {
	s := &server{took: time.Hour}
	play(t, s, Options{}, func(into *sink, _ *Source) {
		time.Sleep(firstAnswer + time.Second)
		synctest.Wait()
		if h, _ := into.look(); !h.State.Settled() || !strings.Contains(h.Text, "within 10s") {
			t.Errorf("health is %+v", h)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if h, _ := into.look(); h.State != train.SourceRetrying || !strings.Contains(h.Text, "no complete answer within") {
			t.Errorf("health is %+v", h)
		}
		s.set(func(s *server) { s.took = 0 })
		time.Sleep(3 * time.Minute)
		synctest.Wait()
		if h, m := into.look(); h.State != train.SourceLive || len(m.Readings) != 16 {
			t.Errorf("health is %+v with %d readings", h, len(m.Readings))
		}
	})
}

// A slow server is queried less often.
func TestSlowServer(t *testing.T) {
	s := &server{took: 2 * time.Second}
	play(t, s, Options{}, func(into *sink, _ *Source) {
		time.Sleep(5 * time.Minute)
		synctest.Wait()
		h, m := into.look()
		if h.State != train.SourceLive || !strings.Contains(h.Text, "asked every") || m.Every < 15*time.Second {
			t.Errorf("health is %+v, every %s", h, m.Every)
		}
		if into.rounds() > 16 {
			t.Errorf("%d rounds in five minutes", into.rounds())
		}
	})
}

// With a wrong clock, readings are neither old nor in the future.
func TestSkewedClock(t *testing.T) {
	for _, skew := range []time.Duration{-2 * time.Hour, 7 * time.Minute} {
		s := &server{skew: skew, age: 10 * time.Second}
		play(t, s, Options{Past: time.Hour}, func(into *sink, _ *Source) {
			time.Sleep(time.Minute)
			synctest.Wait()
			h, m := into.look()
			if age := time.Since(m.Readings[0].At); age < 5*time.Second || age > 40*time.Second {
				t.Errorf("with a clock off by %s the readings are %s old", skew, age)
			}
			if !strings.Contains(h.Text, "its clock is "+skew.Abs().String()) {
				t.Errorf("health says %q", h.Text)
			}
			if at := into.past()[0].Points[1].At; time.Since(at) < 0 || time.Since(at) > 5*time.Minute {
				t.Errorf("the past ends %s ago", time.Since(at))
			}
		})
	}
}

// A clock that is off by more than a duration holds is named, and nothing is
// corrected by it.
func TestClockOfAnotherAge(t *testing.T) {
	for years, side := range map[int]string{400: "ahead of", -400: "behind"} {
		s := &server{years: years, age: 10 * time.Second}
		play(t, s, Options{}, func(into *sink, _ *Source) {
			time.Sleep(time.Minute)
			synctest.Wait()
			h, m := into.look()
			if want := "its clock is more than a year " + side + " ours, which is too much to correct times by"; !strings.Contains(h.Text, want) || strings.Contains(h.Text, "are corrected") {
				t.Errorf("health says %q", h.Text)
			}
			for _, r := range m.Readings {
				if ahead := r.At.Year() - time.Now().Year(); ahead < years-1 || ahead > years+1 {
					t.Fatalf("a reading is dated %s", r.At)
				}
			}
		})
	}
}

// An incomplete answer is used, and reported as incomplete.
func TestWarnings(t *testing.T) {
	s := &server{warning: "PromQL warning: a store did not answer"}
	play(t, s, Options{}, func(into *sink, _ *Source) {
		if h, m := into.look(); h.State != train.SourceLive || !strings.Contains(h.Text, "a store did not answer") || len(m.Readings) != 16 {
			t.Errorf("health is %+v with %d readings", h, len(m.Readings))
		}
	})
}

// An incomplete answer about nodes and pods is used, and reported once, and not again where
// it is reported about the GPUs.
func TestWarningsAboutUse(t *testing.T) {
	for warning, of := range map[string]string{"": UsageSource, "store 10.0.0.1 is down": SourceName} {
		s := &server{warning: warning, instead: func(request *http.Request) *http.Response {
			query := request.URL.Query().Get("query")
			if !strings.Contains(query, "container_memory") && !strings.Contains(query, "node_infiniband_state_id") {
				return nil
			}
			return says(200, `{"status":"success","data":{"resultType":"vector","result":[]},"warnings":["store 10.0.0.1 is down"]}`)
		}}
		play(t, s, Options{Pods: func() []Pod { return []Pod{{"ml", "bert-0"}} }}, func(into *sink, _ *Source) {
			said := into.healthOf(SourceName).Text + into.healthOf(UsageSource).Text
			if h := into.healthOf(of); h.State != train.SourceLive || strings.Count(said, "store 10.0.0.1 is down") != 1 || !strings.Contains(h.Text, "store 10.0.0.1 is down") {
				t.Errorf("warned %q: %+v, %q", warning, h, said)
			}
		})
	}
}

// An incomplete list of metrics is no proof that there are none of GPUs: the warning is
// named, and the list is read again soon. Names of before stay.
func TestIncompleteNames(t *testing.T) {
	for doubt, want := range map[string]string{
		`"warnings":["receive series from Addr: 10.0.0.1:10901: connection refused"]`: "connection refused",
		`"isPartial":true`: "did not answer",
	} {
		var partial atomic.Bool
		partial.Store(true)
		s := &server{instead: func(request *http.Request) *http.Response {
			if partial.Load() && strings.HasSuffix(request.URL.Path, "/values") {
				return says(200, `{"status":"success","data":["up"],`+doubt+`}`)
			}
			return nil
		}}
		play(t, s, Options{}, func(into *sink, _ *Source) {
			h, _ := into.look()
			if !strings.Contains(h.Text, want) || !strings.Contains(h.Text, "part of the names") || strings.Contains(h.Text, "scrapes no exporter") {
				t.Errorf("health says %q", h.Text)
			}
			partial.Store(false)
			time.Sleep(2 * time.Minute)
			synctest.Wait()
			if h, m := into.look(); len(m.Readings) != 16 || h.Text != "" {
				t.Errorf("after the store is back: %d readings, health says %q", len(m.Readings), h.Text)
			}
			partial.Store(true)
			time.Sleep(2 * namesInterval)
			synctest.Wait()
			if h, m := into.look(); len(m.Readings) != 16 || !strings.Contains(h.Text, want) {
				t.Errorf("while the store is down again: %d readings, health says %q", len(m.Readings), h.Text)
			}
		})
	}
}

// Queries that are too large are split.
func TestTooManySamples(t *testing.T) {
	s := &server{instead: func(request *http.Request) *http.Response {
		if strings.Count(request.URL.Query().Get("query"), "DCGM_") > 1 {
			return says(422, `{"status":"error","errorType":"execution","error":"the query hit the max number of series limit"}`)
		}
		return nil
	}}
	play(t, s, Options{}, func(into *sink, _ *Source) {
		h, m := into.look()
		if h.State != train.SourceLive || len(m.Readings) != 16 {
			t.Fatalf("health is %+v with %d readings", h, len(m.Readings))
		}
		util, _ := m.Readings[0].Values.Get(train.GPUUtilization)
		total, _ := m.Readings[0].Values.Get(train.GPUMemoryTotal)
		if util != 42 || total != 84 {
			t.Errorf("utilization %v, memory %v", util, total)
		}
	})
}

// Reading an endless answer stops at the limit.
func TestEndlessAnswer(t *testing.T) {
	s := &server{instead: func(request *http.Request) *http.Response {
		if !strings.Contains(request.URL.Path, "query") {
			return nil
		}
		r := says(200, "")
		r.Body = io.NopCloser(io.MultiReader(strings.NewReader(`{"status":"success","data":{"result":[`), &repeated{text: `{"metric":{"a":"b"},"value":[1,"2"]},`}))
		return r
	}}
	play(t, s, Options{}, func(into *sink, _ *Source) {
		if h, _ := into.look(); h.State != train.SourceRetrying || !strings.Contains(h.Text, "longer than 1 MiB") {
			t.Errorf("health is %+v", h)
		}
	})
}

type repeated struct {
	text string
	at   int
}

func (r *repeated) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		m := copy(p[n:], r.text[r.at:])
		n += m
		r.at = (r.at + m) % len(r.text)
	}
	return n, nil
}

// A server that restarts refuses connections for a moment.
func TestRestart(t *testing.T) {
	s := &server{}
	down := &refusing{server: s}
	at := s.endpoint(t)
	at.Transport = down
	o := Options{Endpoint: at}
	synctest.Test(t, func(t *testing.T) {
		o.Now = time.Now
		ctx, stop := context.WithCancel(t.Context())
		into := &sink{}
		done := make(chan error, 1)
		go func() { done <- New(o).Run(ctx, into) }()
		synctest.Wait()
		if h, _ := into.look(); h.State != train.SourceRetrying || !strings.Contains(h.Text, "connection refused") || strings.Contains(h.Text, "query=") {
			t.Errorf("health is %+v", h)
		}
		down.up.Store(true)
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if h, _ := into.look(); h.State != train.SourceLive {
			t.Errorf("health is %+v", h)
		}
		stop()
		<-done
	})
}

// refusing refuses connections until it is up.
type refusing struct {
	*server
	up atomic.Bool
}

func (r *refusing) RoundTrip(request *http.Request) (*http.Response, error) {
	if r.up.Load() {
		return r.server.RoundTrip(request)
	}
	return nil, &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connect: connection refused")}
}

func TestCompressedAnswers(t *testing.T) {
	s := &server{}
	s.instead = func(request *http.Request) *http.Response {
		if request.Header.Get("Accept-Encoding") != "gzip" {
			t.Error("compressed answers are not asked for")
		}
		response, _ := s.answer(request)
		return gzipped(response)
	}
	play(t, s, Options{}, func(into *sink, _ *Source) {
		if h, m := into.look(); h.State != train.SourceLive || len(m.Readings) != 16 {
			t.Errorf("health is %+v with %d readings", h, len(m.Readings))
		}
	})
}

// A Prometheus without GPUs is healthy, and its health reports that it has none.
func TestNoGPUs(t *testing.T) {
	s := &server{instead: func(request *http.Request) *http.Response {
		if strings.Contains(request.URL.Path, "label") {
			return says(200, `{"status":"success","data":["up","node_load1"]}`)
		}
		return nil
	}}
	play(t, s, Options{}, func(into *sink, _ *Source) {
		if h, _ := into.look(); h.State != train.SourceLive || !strings.Contains(h.Text, "no metrics of GPUs") {
			t.Errorf("health is %+v", h)
		}
	})
}

// A query of many that is not answered is a health state of its own: the other
// answers are used, and nobody takes them for complete.
func TestOneQuestionIsNotAnswered(t *testing.T) {
	s := &server{instead: func(request *http.Request) *http.Response {
		if strings.Contains(request.URL.Query().Get("query"), "timestamp(") {
			return says(500, `{"status":"error","errorType":"internal","error":"store gone"}`)
		}
		return nil
	}}
	play(t, s, Options{}, func(into *sink, _ *Source) {
		if h, m := into.look(); h.State != train.SourceLive || len(m.Readings) != 16 {
			t.Errorf("health is %+v with %d readings", h, len(m.Readings))
		}
		if h := into.healthOf(PartSource); h.State != train.SourceRetrying || !strings.Contains(h.Text, "store gone") {
			t.Errorf("the health of the part is %+v", h)
		}
		s.set(func(s *server) { s.instead = nil })
		time.Sleep(2 * time.Minute)
		if h := into.healthOf(PartSource); h.State != "" {
			t.Errorf("the health of the part is %+v once all questions are answered", h)
		}
	})
}

// TestNumbersThatAreNone: a server that has only NaN for GPUs is reported.
func TestNumbersThatAreNone(t *testing.T) {
	s := &server{}
	s.instead = func(request *http.Request) *http.Response {
		query := request.URL.Query().Get("query")
		if !strings.HasSuffix(request.URL.Path, "/query") || !strings.Contains(query, "DCGM_FI") || strings.Contains(query, "timestamp(") || strings.Contains(query, "count") {
			return nil
		}
		return s.vector(query, fmt.Sprintf(`"value":[%d,"NaN"]`, s.now().Unix()))
	}
	play(t, s, Options{}, func(into *sink, _ *Source) {
		if h, m := into.look(); h.State != train.SourceLive || !strings.Contains(h.Text, "no number of 16 GPUs is known") || len(m.Readings) != 16 {
			t.Errorf("%d readings, health %+v", len(m.Readings), h)
		}
	})
}
