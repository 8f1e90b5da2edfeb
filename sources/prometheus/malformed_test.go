package prometheus

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/traintop/traintop/sources/metrics"
	"github.com/traintop/traintop/train"
)

// asksForGPUs reports whether a request queries series of GPUs.
func asksForGPUs(request *http.Request) bool {
	query := request.URL.Query().Get("query")
	return strings.Contains(query, "DCGM_") && !strings.Contains(query, "count")
}

// If an answer has a success status but is not the API's, health names the server,
// the query, the content and what to do, whether all answers are like it or only
// those about GPUs.
func TestAnswersThatAreNoneAreSaid(t *testing.T) {
	const curl = "shows what it answers"
	for _, bad := range []struct{ body, came, advice string }{
		{"\n<!DOCTYPE html><html><title>Sign in</title></html>", "a web page", "login page"},
		{"", "the answer is empty", curl},
		{`{"status":"success","data":{"resultType":"vector","result":[{"metric":{"gpu":"0"},"va`, "not sound after 0 series: unexpected EOF", curl},
		{`{"status":"success","data":{"resultType":"matrix","result":[]}}`, `of the type "matrix"`, curl},
		{`{"status":"success","data":{"resultType":"scalar","result":[1,"2"]}}`, `of the type "scalar"`, curl},
		{`{"status":"success","data":{"resultType":"streams","result":[{"stream":{},"values":[]}]}}`, `of the type "streams"`, curl},
		{`{"status":"success","data":{}}`, "without a list of results", curl},
		{`null`, "no JSON object", curl},
		{`{"ok":true}`, "not one of the Prometheus API", curl},
	} {
		for _, all := range []bool{true, false} {
			s := &server{instead: func(request *http.Request) *http.Response {
				if !all && !asksForGPUs(request) {
					return nil
				}
				answer := says(200, bad.body)
				answer.Header.Set("Content-Type", "application/json")
				return answer
			}}
			play(t, s, Options{}, func(into *sink, _ *Source) {
				h, _ := into.look()
				asked := "the names of metrics"
				if !all {
					asked = "query DCGM_FI_DEV_FB_USED and 2 more metrics"
				}
				for _, part := range []string{"https://prometheus.example.com/prefix", asked, bad.came, bad.advice} {
					if !strings.Contains(h.Text, part) || h.State != train.SourceRetrying {
						t.Errorf("%q: %s without %q: %s", bad.body, h.State, part, h.Text)
					}
				}
			})
		}
	}
}

// Objects in place of numbers are rejected, though the answer is the API's.
func TestNumbersThatAreObjects(t *testing.T) {
	s := &server{}
	s.instead = func(request *http.Request) *http.Response {
		if asksForGPUs(request) {
			return s.vector(request.URL.Query().Get("query"), `"value":[1,{"v":"42"}]`)
		}
		return nil
	}
	play(t, s, Options{}, func(into *sink, _ *Source) {
		if h, _ := into.look(); h.State != train.SourceRetrying || !strings.Contains(h.Text, "without a number in any of its 48 series") {
			t.Errorf("health is %+v", h)
		}
	})
}

// A server with millions of series is read up to a limit. Health reports the
// number of series left out and how to narrow the query.
func TestMillionsOfSeries(t *testing.T) {
	for _, counted := range []bool{true, false} {
		s := &server{most: 1 << 30}
		s.instead = func(request *http.Request) *http.Response {
			query := request.URL.Query().Get("query")
			switch {
			case strings.HasPrefix(query, "count(") && counted:
				return s.one("3000000")
			case strings.HasPrefix(query, "count("):
				return says(503, "overloaded")
			case !asksForGPUs(request):
				return nil
			}
			answer := says(200, "")
			answer.Body = io.NopCloser(io.MultiReader(strings.NewReader(`{"status":"success","data":{"resultType":"vector","result":[`),
				&repeated{text: fmt.Sprintf(`{"metric":{"__name__":"DCGM_FI_DEV_GPU_TEMP","gpu":"0","UUID":"GPU-1"},"value":[%d,"2"]},`, s.now().Unix())}))
			return answer
		}
		play(t, s, Options{}, func(into *sink, _ *Source) {
			h, m := into.look()
			if h.State != train.SourceLive || len(m.Readings) == 0 {
				t.Errorf("health is %+v with %d readings", h, len(m.Readings))
			}
			wants := []string{"https://prometheus.example.com/prefix", "3000000 series of DCGM_FI_DEV_GPU_TEMP", fmt.Sprint(metrics.MaxGPUs), "match under prometheus in the configuration"}
			if !counted {
				wants[1] = "more series of DCGM_FI_DEV_GPU_TEMP"
			}
			for _, want := range wants {
				if h := into.healthOf(PartSource); h.State != train.SourceRetrying || !strings.Contains(h.Text, want) {
					t.Errorf("%s without %q: %s", h.State, want, h.Text)
				}
			}
		})
	}
}
