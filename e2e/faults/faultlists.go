package faults

import (
	"encoding/json"
	"net/http"
	"strconv"
	"sync/atomic"
)

// Faults of lists that are sent in pages.
var (
	RepeatedToken = Fault{Words: "each page leads to itself", serve: func(w http.ResponseWriter, r *http.Request, c http.Handler) {
		page(w, r, c, "again")
	}}
	EndlessPages = Fault{Words: "each page leads to one more", heavy: true, serve: func(w http.ResponseWriter, r *http.Request, c http.Handler) {
		page(w, r, c, strconv.FormatInt(pagesSent.Add(1), 10))
	}}
)

var pagesSent atomic.Int64

// page sends a list with a continue token.
func page(w http.ResponseWriter, r *http.Request, c http.Handler, token string) {
	var list map[string]any
	if err := json.Unmarshal(whole(w, r, c), &list); err != nil {
		abort()
	}
	metadata(list)["continue"] = token
	answer(w, list)
}
