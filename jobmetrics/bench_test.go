package jobmetrics

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/traintop/traintop/train"
)

// many is a lab of jobs with a log and two nodes of eight GPUs each.
func many(b *testing.B, jobs int) *lab {
	l := newLab(b, Options{})
	for i := range jobs {
		of := l.start(job(fmt.Sprintf("team-%02d", i%20), fmt.Sprintf("job-%04d", i), 2), 2)
		l.follow(of, 0)
		for step := range 10 {
			l.now = began.Add(time.Minute + time.Duration(step)*time.Second)
			l.print(of, 0, float64(step), metric(train.MetricLoss, 3), metric(train.MetricTokens, 5000), metric(train.MetricLR, 1e-4))
		}
		l.measure(of, 0, 8)
		l.measure(of, 1, 4)
	}
	return l.observe()
}

// Budget: 100 ms of one core for a scrape of 1,000 jobs, some 23,000 series.
func BenchmarkCollect1000Jobs(b *testing.B) {
	l := many(b, 1000)
	b.Run("collect", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			metrics := make(chan prometheus.Metric, 1000)
			go func() {
				l.exporter.Collect(metrics)
				close(metrics)
			}()
			n := 0
			for range metrics {
				n++
			}
			b.ReportMetric(float64(n), "series")
		}
	})
	b.Run("scrape", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			w := httptest.NewRecorder()
			l.exporter.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", http.NoBody))
			n, _ := io.Copy(io.Discard, w.Body)
			b.ReportMetric(float64(n), "bytes")
		}
	})
}

// Budget: 10 ms for 1,000 jobs with 16,000 GPUs, without a change, in which the
// logs of ten go on, or all.
func BenchmarkObserve1000Jobs(b *testing.B) {
	for _, grow := range []int{0, 10, 1000} {
		b.Run(fmt.Sprintf("logs=%d", grow), func(b *testing.B) {
			l := many(b, 1000)
			b.ReportAllocs()
			for step := 100; b.Loop(); step++ {
				b.StopTimer()
				l.now = l.now.Add(time.Second)
				for i := range grow {
					of := job(fmt.Sprintf("team-%02d", i%20), fmt.Sprintf("job-%04d", i), 2)
					l.print(of, 0, float64(step), metric(train.MetricLoss, 3), metric(train.MetricTokens, 5000))
				}
				s := l.Snapshot()
				b.StartTimer()
				l.exporter.Observe(s, l.report)
			}
		})
	}
}
