package kinds

import (
	"strings"
	"testing"
)

func TestOneLine(t *testing.T) {
	f := func(text, want string) {
		t.Helper()
		got := oneLine(text)
		if got != want {
			t.Errorf("%q reads %q, want %q", text, got, want)
		}
		if again := oneLine(got); again != got {
			t.Errorf("%q is cut again to %q", got, again)
		}
	}
	f("", "")
	f("0/6 nodes are available", "0/6 nodes are available")
	f("  two\n\tlines  ", "two lines")
	f("red \x1b[31malert\x1b[0m", "red alert")
	f("title \x1b]0;owned\x07set", "title set")
	f("title \x1b]0;owned\x1b\\set", "title set")
	f("\x9b31m bell\a", `\x9b31m bell\x07`)
	f("bad \xff byte", `bad \xff byte`)
	f("cut off \x1b[", "cut off")
	f("right\u202eleft", "rightleft")
	f("größer", "größer")
	f(strings.Repeat("x", 300), strings.Repeat("x", longestLine)+"…")
}

func TestShortenPull(t *testing.T) {
	f := func(message, want string) {
		t.Helper()
		if got := shortenPull(message); got != want {
			t.Errorf("%q reads %q, want %q", message, got, want)
		}
	}
	// kubelet 1.36, containerd
	f(`Back-off pulling image "r.example/a:v2": ErrImagePull: rpc error: code = NotFound desc = failed to pull and unpack image "r.example/a:v2": failed to resolve reference "r.example/a:v2": r.example/a:v2: not found`, "r.example/a:v2: not found")
	// kubelet before 1.33
	f(`Back-off pulling image "r.example/a:v2"`, "r.example/a:v2")
	f(`rpc error: code = Unknown desc = something else`, `rpc error: code = Unknown desc = something else`)
	f(`image "`, `image "`)
}
