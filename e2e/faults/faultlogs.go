package faults

import (
	"bytes"
	"fmt"
	"net/http"
	"time"
)

// Faults of a kubelet's logs.
var (
	NeverEnds = Fault{Words: "a log that goes on although nobody follows", unbounded: true, serve: func(w http.ResponseWriter, r *http.Request, c http.Handler) {
		_, _ = w.Write(whole(w, r, c))
		every := time.NewTicker(20 * time.Millisecond)
		defer every.Stop()
		for line := 0; r.Context().Err() == nil; line++ {
			_, _ = fmt.Fprintf(w, "%s still here %d %01000d\n", time.Now().UTC().Format(time.RFC3339Nano), line, 0)
			flush(w)
			<-every.C
		}
	}}
	Timeless = Fault{Words: "lines without the times that were asked for", serve: func(w http.ResponseWriter, r *http.Request, c http.Handler) {
		for line := range bytes.Lines(whole(w, r, c)) {
			_, text, _ := bytes.Cut(line, []byte(" "))
			_, _ = w.Write(text)
		}
	}}
	// GoneFromDisk is how a kubelet reports that a log was rotated or removed: in
	// place of the log, with 200 (kubelet 1.36, ReadLogs).
	GoneFromDisk = Fault{Words: "a message of the kubelet in place of the log", serve: func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		_, _ = fmt.Fprintln(w, `failed to try resolving symlinks in path "/var/log/pods/speech/pytorch/0.log": lstat /var/log/pods/speech/pytorch/0.log: no such file or directory`)
	}}
)
