package faults

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
)

// Bombs: small to send, large to hold. Each is written from one buffer, so
// that the test itself stays small.
var (
	GzipBomb = Fault{Words: "a compressed answer that unpacks to 2 GB", heavy: true, serve: func(w http.ResponseWriter, r *http.Request, _ http.Handler) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Encoding", "gzip")
		pack, _ := gzip.NewWriterLevel(w, gzip.BestSpeed) // the level is valid
		_, _ = io.WriteString(pack, `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"1000","selfLink":"`)
		repeat(r, pack, 'a', 2<<30)
	}}
	HugeString = Fault{Words: "a string of 512 MB", heavy: true, serve: func(w http.ResponseWriter, r *http.Request, _ http.Handler) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"`)
		repeat(r, w, 'a', 512<<20)
	}}
	DeepJSON = Fault{Words: "JSON five million brackets deep", heavy: true, serve: func(w http.ResponseWriter, r *http.Request, _ http.Handler) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"kind":"PodList","apiVersion":"v1","items":`)
		repeat(r, w, '[', 5_000_000)
	}}
)

// repeat writes one byte so often, or until the client leaves.
func repeat(r *http.Request, to io.Writer, b byte, times int) {
	for piece := bytes.Repeat([]byte{b}, 1<<16); times > 0 && r.Context().Err() == nil; times -= len(piece) {
		if _, err := to.Write(piece); err != nil {
			return
		}
	}
}
