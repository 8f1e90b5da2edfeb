package faults

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Answers to a query for numbers that report success and hold none.
var (
	EmptyBody   = Fault{Words: "200 with an empty body", serve: func(http.ResponseWriter, *http.Request, http.Handler) {}}
	WrongResult = Fault{Words: "a resultType that was not asked for", serve: func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		answer(w, map[string]any{"status": "success", "data": map[string]any{"resultType": "streams", "result": []any{}}})
	}}
	ObjectNumbers = Fault{Words: "objects where numbers should be", serve: func(w http.ResponseWriter, r *http.Request, c http.Handler) {
		var vector struct {
			Data struct {
				Result []struct {
					Metric json.RawMessage `json:"metric"`
				} `json:"result"`
			} `json:"data"`
		}
		_ = json.Unmarshal(whole(w, r, c), &vector) // the cluster's own answer
		rows := []any{}
		for _, series := range vector.Data.Result {
			rows = append(rows, map[string]any{"metric": series.Metric, "value": []any{1, map[string]any{"value": "1"}}})
		}
		answer(w, map[string]any{"status": "success", "data": map[string]any{"resultType": "vector", "result": rows}})
	}}
	MillionsOfSeries = Fault{Words: "three million series", heavy: true, serve: func(w http.ResponseWriter, r *http.Request, _ http.Handler) {
		w.Header().Set("Content-Type", "application/json")
		if strings.HasPrefix(r.URL.Query().Get("query"), "count") { // of all, or by cluster
			answer(w, map[string]any{"status": "success", "data": map[string]any{"resultType": "vector", "result": []any{map[string]any{"metric": map[string]any{}, "value": at("3000000")}}}})
			return
		}
		_, _ = io.WriteString(w, `{"status":"success","data":{"resultType":"vector","result":[`)
		manySeries(r, w, 3_000_000)
		_, _ = io.WriteString(w, `]}}`)
	}}
)

// manySeries writes so many series, or until the client leaves.
func manySeries(r *http.Request, to io.Writer, series int) {
	var piece []byte
	value := fmt.Sprintf(`[%d,"41"]}`, time.Now().Unix())
	for i := range series {
		if i > 0 {
			piece = append(piece, ',')
		}
		piece = append(piece, `{"metric":{"__name__":"DCGM_FI_DEV_GPU_TEMP","gpu":"`...)
		piece = strconv.AppendInt(piece, int64(i%8), 10)
		piece = append(piece, `","UUID":"GPU-`...)
		piece = strconv.AppendInt(piece, int64(1e8+i), 10)
		piece = append(piece, `","Hostname":"node-`...)
		piece = strconv.AppendInt(piece, int64(i/8), 10)
		piece = append(append(piece, `"},"value":`...), value...)
		if len(piece) < 1<<16 && i+1 < series {
			continue
		}
		if _, err := to.Write(piece); err != nil || r.Context().Err() != nil {
			return
		}
		piece = piece[:0]
	}
}
