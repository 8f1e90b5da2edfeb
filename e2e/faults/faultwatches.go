package faults

import (
	"io"
	"net/http"
)

// Faults of watches.
var (
	WatchExpires = Fault{Words: "each watch ends with 410 Gone", serve: func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		w.Header().Set("Content-Type", "application/json")
		sendEvent(w, "ERROR", status(http.StatusGone, "Expired", "too old resource version: 1000 (2000)"))
	}}
	WatchFails = Fault{Words: "each watch ends with an error", serve: func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		w.Header().Set("Content-Type", "application/json")
		sendEvent(w, "ERROR", status(http.StatusInternalServerError, "InternalError", "etcdserver: no leader"))
	}}
	WatchGarbage = Fault{Words: "garbage in the frames of a watch", serve: func(w http.ResponseWriter, r *http.Request, _ http.Handler) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, "{\"type\":\"ADDED\",\"object\":{\"kind\":\"Pod\"}}\n\x00\xff\x1b]0;title\x07}}}}[\n")
		flush(w)
		hang(r)
	}}
)
