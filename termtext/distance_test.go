package termtext

import "testing"

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"jobs", "jobs", 0}, {"job", "jobs", 1}, {"jbos", "jobs", 2}, {"", "gpus", 4}, {"theme", "thme", 1}, {"kitten", "sitting", 3}} {
		if got := Distance(c.a, c.b); got != c.want || Distance(c.b, c.a) != got {
			t.Errorf("%q to %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
