package client

import (
	"errors"
	"strings"
	"testing"
)

// TestErrorsOfConnectionsNameNoUser holds that no message about a server shows
// the user or the password in its address.
func TestErrorsOfConnectionsNameNoUser(t *testing.T) {
	for _, address := range []string{"https://ada@host:6443/prefix", "https://ada:hunter2@host:6443/prefix", "https://ada:hunter%zz@host:6443/prefix", "ada:hunter2@host:6443/prefix"} {
		for _, e := range []*ConnectionError{{}, {Unauthorized: true}, {Foreign: true}, {Plugin: "aws said nothing"}, {Cause: ErrWebPage}} {
			e.Address = address
			if e.Cause == nil {
				e.Cause = errors.New("refused")
			}
			if got := e.Error(); strings.Contains(got, "ada") || strings.Contains(got, "hunter") || !strings.Contains(got, "host:6443/prefix") {
				t.Errorf("%s: %s", address, got)
			}
		}
	}
}
