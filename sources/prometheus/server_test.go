package prometheus

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// server is a fake Prometheus of two nodes with eight GPUs each behind a transport,
// so that tests run on a fake clock. Series have the labels that the ServiceMonitor
// of dcgm-exporter's chart produces.
type server struct {
	mu sync.Mutex
	// instead handles requests first; if it returns nil, the server handles them.
	instead func(*http.Request) *http.Response
	skew    time.Duration
	years   int // beside skew
	took    time.Duration
	warning string
	asked   []string
	age     time.Duration
	// most is the maximum size of an answer in bytes; 0 is a MiB.
	most int64
}

func (s *server) RoundTrip(request *http.Request) (*http.Response, error) {
	s.mu.Lock()
	instead, took := s.instead, s.took
	s.asked = append(s.asked, request.URL.String())
	s.mu.Unlock()
	if took > 0 {
		select {
		case <-time.After(took):
		case <-request.Context().Done():
			return nil, request.Context().Err()
		}
	}
	if instead != nil {
		if answer := instead(request); answer != nil {
			return answer, nil
		}
	}
	return s.answer(request)
}

func (s *server) set(change func(*server)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(s)
}

// count returns how many requests contained part.
func (s *server) count(part string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, asked := range s.asked {
		if asked, _ := url.QueryUnescape(asked); strings.Contains(asked, part) {
			n++
		}
	}
	return n
}

const metricsThere = `["up","DCGM_FI_DEV_GPU_UTIL","DCGM_FI_DEV_GPU_TEMP","DCGM_FI_DEV_FB_USED","DCGM_FI_DEV_FB_FREE","node_infiniband_state_id","container_memory_working_set_bytes"]`

func (s *server) answer(request *http.Request) (*http.Response, error) {
	query := request.URL.Query().Get("query")
	switch {
	case strings.HasSuffix(request.URL.Path, "/api/v1/label/__name__/values"):
		return says(200, `{"status":"success","data":`+metricsThere+`}`), nil
	case strings.HasSuffix(request.URL.Path, "/api/v1/query_range"):
		return replaced(s.vector(query, `"values":[[%[1]d,"40"],[%[2]d,"50"]]`), `"vector"`, `"matrix"`), nil
	case query == "vector(1)":
		return s.one("1"), nil
	case strings.Contains(query, "count_over_time"):
		return s.one("10"), nil
	case strings.Contains(query, "node_infiniband_state_id"):
		return says(200, fmt.Sprintf(`{"status":"success","data":{"resultType":"vector","result":[{"metric":{"node":"gpu-0"},"value":[%d,"8"]}]}}`, s.now().Unix())), nil
	case strings.Contains(query, "container_memory"):
		return says(200, fmt.Sprintf(`{"status":"success","data":{"resultType":"vector","result":[{"metric":{"namespace":"ml","pod":"bert-0","container":"c"},"value":[%d,"1024"]},{"metric":{"namespace":"ml","pod":"web","container":"c"},"value":[%d,"1"]}]}}`, s.now().Unix(), s.now().Unix())), nil
	case strings.Contains(query, "timestamp("):
		return s.vector(query, fmt.Sprintf(`"value":[%d,"%d"]`, s.now().Unix(), s.now().Add(-s.age).Unix())), nil
	}
	return s.vector(query, fmt.Sprintf(`"value":[%d,"42"]`, s.now().Unix())), nil
}

func (s *server) now() time.Time { return time.Now().AddDate(s.years, 0, 0).Add(s.skew) }

func (s *server) one(value string) *http.Response {
	return says(200, fmt.Sprintf(`{"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[%d,"%s"]}]}}`, s.now().Unix(), value))
}

// vector returns a value for each metric that a query names, and each GPU.
func (s *server) vector(query, value string) *http.Response {
	var rows []string
	for _, name := range []string{"DCGM_FI_DEV_GPU_UTIL", "DCGM_FI_DEV_GPU_TEMP", "DCGM_FI_DEV_FB_USED", "DCGM_FI_DEV_FB_FREE"} {
		if !strings.Contains(query, name) {
			continue
		}
		for gpu := range 16 {
			labels := fmt.Sprintf(`"gpu":"%d","UUID":"GPU-%08x-0000","Hostname":"gpu-%d","exported_namespace":"ml","exported_pod":"bert-%d"`, gpu%8, gpu+1, gpu/8, gpu/8)
			if strings.Contains(query, "__name__") {
				labels += `,"__name__":"` + name + `"`
			}
			text := value
			if strings.Contains(text, "%[") {
				text = fmt.Sprintf(text, s.now().Add(-2*time.Minute).Unix(), s.now().Add(-time.Minute).Unix())
			}
			rows = append(rows, `{"metric":{`+labels+`},`+text+`}`)
		}
	}
	warnings := ""
	if s.warning != "" {
		warnings = `,"warnings":["` + s.warning + `"]`
	}
	return says(200, `{"status":"success","data":{"resultType":"vector","result":[`+strings.Join(rows, ",")+`]}`+warnings+`}`)
}

func says(code int, body string) *http.Response {
	header := http.Header{"Content-Type": {"application/json"}}
	if strings.HasPrefix(body, "<") {
		header.Set("Content-Type", "text/html; charset=utf-8")
	}
	return &http.Response{StatusCode: code, Header: header, Body: io.NopCloser(strings.NewReader(body))}
}

// replaced returns a response with other text.
func replaced(response *http.Response, before, after string) *http.Response {
	body, _ := io.ReadAll(response.Body) // reading a string cannot fail
	response.Body = io.NopCloser(strings.NewReader(strings.ReplaceAll(string(body), before, after)))
	return response
}

func gzipped(response *http.Response) *http.Response {
	var out bytes.Buffer
	packer := gzip.NewWriter(&out)
	_, _ = io.Copy(packer, response.Body)
	_ = packer.Close()
	response.Header.Set("Content-Encoding", "gzip")
	response.Body = io.NopCloser(&out)
	return response
}

// sink keeps the newest event of each type.
type sink struct {
	mu       sync.Mutex
	health   map[string]train.Health
	measured store.Measured
	times    int
	recalled []train.GPUPast
	used     store.Used
}

func (s *sink) Apply(events ...store.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, event := range events {
		switch e := event.(type) {
		case store.HealthChanged:
			if s.health == nil {
				s.health = map[string]train.Health{}
			}
			s.health[e.Health.Source] = e.Health
		case store.Measured:
			s.measured = e
			s.times++
		case store.Backfilled:
			s.recalled = append(s.recalled, e.Past...)
		case store.Used:
			s.used = e
		}
	}
}

func (s *sink) look() (train.Health, store.Measured) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.health[SourceName], s.measured
}

// past, usage and rounds are the events received so far.
func (s *sink) past() []train.GPUPast {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.recalled
}

func (s *sink) usage() store.Used {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.used
}

func (s *sink) rounds() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.times
}

func (s *server) endpoint(t *testing.T) *Endpoint {
	t.Helper()
	at, err := url.Parse("https://prometheus.example.com/prefix")
	if err != nil {
		t.Fatal(err)
	}
	return &Endpoint{URL: at, Transport: s}
}

// healthOf is the health of a part of the source.
func (s *sink) healthOf(source string) train.Health {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.health[source]
}
