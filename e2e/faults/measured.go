package faults

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"
)

// exportedBy is the node of the exporter.
const exportedBy = "gpu-a100-06"

func recordedExport() ([]byte, error) { return unpacked("metrics/" + exportedBy + ".prom.gz") }

// proxy leads to the exporter and to Prometheus.
func (c *cluster) proxy(w http.ResponseWriter, r *http.Request, t target) {
	switch {
	case t.plural == "pods" && t.sub == "proxy/metrics":
		w.Header().Set("Content-Type", "text/plain; version=0.0.4")
		_, _ = w.Write(c.exports) // the client may have left
	case t.plural == "services" && strings.HasPrefix(t.sub, "proxy/api/v1/"):
		c.prometheus(w, r, strings.TrimPrefix(t.sub, "proxy/api/v1/"))
	default:
		refuse(w, http.StatusNotFound, "NotFound", "the server could not find the requested resource")
	}
}

// sample is one line of an exporter.
var sample = regexp.MustCompile(`(?m)^([A-Za-z_:][\w:]*)\{([^}]*)\} (\S+)`)

// prometheus answers with the exporter's page, as if it scraped it now.
func (c *cluster) prometheus(w http.ResponseWriter, r *http.Request, endpoint string) {
	query := r.URL.Query().Get("query")
	switch {
	case strings.HasSuffix(endpoint, "/values"):
		names := map[string]bool{"up": true}
		for _, m := range sample.FindAllSubmatch(c.exports, -1) {
			names[string(m[1])] = true
		}
		list := make([]string, 0, len(names))
		for name := range names {
			list = append(list, name)
		}
		answer(w, map[string]any{"status": "success", "data": list})
	case query == "vector(1)":
		c.vector(w, endpoint, []any{map[string]any{"metric": map[string]any{}, "value": at("1")}})
	case strings.Contains(query, "count_over_time"):
		c.vector(w, endpoint, []any{map[string]any{"metric": map[string]any{}, "value": at("10")}})
	default:
		c.vector(w, endpoint, c.series(query))
	}
}

func at(value string) []any { return []any{time.Now().Unix(), value} }

func (c *cluster) vector(w http.ResponseWriter, endpoint string, result []any) {
	kind := "vector"
	if endpoint == "query_range" {
		kind = "matrix"
		for _, row := range result {
			row := row.(map[string]any)
			row["values"] = []any{row["value"]}
			delete(row, "value")
		}
	}
	answer(w, map[string]any{"status": "success", "data": map[string]any{"resultType": kind, "result": result}})
}

// series are those that a query names.
func (c *cluster) series(query string) []any {
	result := []any{}
	for _, m := range sample.FindAllSubmatch(c.exports, -1) {
		if !strings.Contains(query, string(m[1])) {
			continue
		}
		labels := map[string]string{}
		for _, pair := range regexp.MustCompile(`(\w+)="([^"]*)"`).FindAllSubmatch(m[2], -1) {
			labels[string(pair[1])] = string(pair[2])
		}
		if strings.Contains(query, "__name__") {
			labels["__name__"] = string(m[1])
		}
		value := string(m[3])
		if strings.Contains(query, "timestamp(") {
			value = fmt.Sprint(time.Now().Unix())
		}
		result = append(result, map[string]any{"metric": labels, "value": at(value)})
	}
	return result
}
