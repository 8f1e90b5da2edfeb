package termtext

import (
	"slices"
	"strings"
	"testing"
)

func TestMoreCountsWhatIsNotNamed(t *testing.T) {
	for want, got := range map[string]string{
		"3 more": More(3, ""), "1 more": More(1, ""), "1 more job": More(1, "job"), "2 more jobs": More(2, "job"), "2 more policies": More(2, "policy"),
		" and 3 more": AndMore(3, ""), " and 1 more metric": AndMore(1, "metric"),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for _, n := range []int{0, -2} {
		if got := AndMore(n, "job"); got != "" {
			t.Errorf("of %d others it says %q", n, got)
		}
	}
}

func TestFewNamesTheFirstAndCountsTheOthers(t *testing.T) {
	upper := func(s string) string { return strings.ToUpper(s) }
	for want, names := range map[string][]string{"": nil, "a": {"a"}, "a, b": {"a", "b"}, "a, b and 1 more": {"a", "b", "c"}, "a, b and 2 more": {"a", "b", "c", "d"}} {
		if got := Few(names, 2); got != want {
			t.Errorf("%q became %q, want %q", names, got, want)
		}
		if got := FewOf(names, 2, upper); !strings.EqualFold(got, want) || strings.ContainsAny(got, "abc") && len(names) < 3 {
			t.Errorf("%q became %q, want %q", names, got, strings.ToUpper(want))
		}
	}
}

func TestFewLinesKeepsTheFirstAndCountsTheOthers(t *testing.T) {
	for _, c := range []struct{ lines, want []string }{
		{nil, nil}, {[]string{"a", "b"}, []string{"a", "b"}}, {[]string{"a", "b", "c", "d"}, []string{"a", "b", "and 2 more"}},
	} {
		given := slices.Clone(c.lines)
		if got := FewLines(c.lines, 2); !slices.Equal(got, c.want) || !slices.Equal(c.lines, given) {
			t.Errorf("%q became %q, want %q; it is %q now", given, got, c.want, c.lines)
		}
		if got := FewLinesOf(c.lines, 2, func(s string) string { return s }); !slices.Equal(got, c.want) {
			t.Errorf("%q became %q, want %q", given, got, c.want)
		}
	}
}
