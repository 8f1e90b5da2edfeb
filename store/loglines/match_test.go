package loglines

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/traintop/traintop/train"
)

func compile(t testing.TB, pattern string, o Options) *Matcher {
	t.Helper()
	m, err := Compile(pattern, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func ringOf(limit int, all ...string) *Ring {
	r := New(limit)
	for i, text := range all {
		r.Append(line(int64(i+1), text))
	}
	return r
}

func search(l Lines, m *Matcher, from, step int) (found []int) {
	l.Search(context.Background(), m, from, step, func(i int) bool {
		found = append(found, i)
		return true
	})
	return found
}

func TestSearch(t *testing.T) {
	lines := ringOf(1<<20,
		"step: 10  loss: 2.31",
		"\x1b[31mERROR\x1b[0m NCCL time\x1b[1mout",
		"loss is nan",
		"训练完成 Été",
		"",
		"Loss: NaN",
	).Lines()
	f := func(pattern string, o Options, want ...int) {
		t.Helper()
		m := compile(t, pattern, o)
		if got := search(lines, m, 0, 1); !slices.Equal(got, want) {
			t.Errorf("%q %+v: lines %v, want %v", pattern, o, got, want)
		}
		slices.Reverse(want)
		if got := search(lines, m, lines.Len()-1, -1); !slices.Equal(got, want) {
			t.Errorf("%q %+v backward: lines %v, want %v", pattern, o, got, want)
		}
	}
	f("loss", Options{}, 0, 2, 5)
	f("loss", Options{MatchCase: true}, 0, 2)
	f("LOSS", Options{Plain: true}, 0, 2, 5)
	f("timeout", Options{}, 1)
	f("error nccl", Options{Plain: true}, 1)
	f("^error", Options{}, 1)
	f("loss: [0-9]", Options{}, 0)
	f(`loss: .*\bnan$`, Options{}, 5)
	f("2.31", Options{Plain: true}, 0)
	f("2x31", Options{})
	f("完成", Options{}, 3)
	f("été", Options{Plain: true}, 3)
	f("", Options{}, 0, 1, 2, 3, 4, 5)
	f("^$", Options{}, 4)
	f("nan|timeout", Options{}, 1, 2, 5)
	f("(lo){1,2}ss", Options{}, 0, 2, 5)
	f("x*nan", Options{}, 2, 5)
	f("loss: 2.31\n", Options{})
	f(`\n`, Options{})
}

func TestABrokenPatternIsSaid(t *testing.T) {
	if _, err := Compile("loss(", Options{}); err == nil {
		t.Error("a pattern with an open parenthesis was taken")
	}
	if _, err := Compile("loss(", Options{Plain: true}); err != nil {
		t.Errorf("plain text was refused: %v", err)
	}
}

func TestPlaces(t *testing.T) {
	m := compile(t, "loss|x*", Options{})
	if got := fmt.Sprint(m.FindAll("Loss and loss", 10)); got != "[[0 4] [9 13]]" {
		t.Errorf("places are %v", got)
	}
}

func TestColoursComeBack(t *testing.T) {
	all := []string{"\x1b[1mbold\x1b[0m", "plain", "\x1b[38;5;12ma\x1b[mb\x1b[4:3mc", "end\x1b[0m", "\x1b[2J no colour", "\x1b[0m", "\x1b["}
	r := ringOf(1<<20, all...)
	r.Append(line(100, "newest \x1b[31mred"))
	l := r.Lines()
	wantTexts(t, l, append(all, "newest \x1b[31mred")...)
	for i, want := range []string{"bold", "plain", "abc", "end", "\x1b[2J no colour", "", "\x1b[", "newest red"} {
		if got := l.Plain(i); got != want {
			t.Errorf("line %d without colours is %q, want %q", i, got, want)
		}
	}
}

func TestASearchEndsWithItsContext(t *testing.T) {
	r := New(1 << 20)
	for i := range 10_000 {
		r.Append(line(int64(i+1), "loss"))
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r.Lines().Search(ctx, compile(t, "loss", Options{}), 0, 1, func(int) bool {
		t.Error("a line was visited after the end")
		return false
	})
}

// Every search gives the same as trying the expression on each line, from any
// index and in both directions, whatever is dropped meanwhile.
func TestSearchAgreesWithRegexp(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	patterns := []string{"ab", "a", "ba+b", "[ab]c", "A.c", "c$", "^b", "(abc)+", "ab|c", "a{2,}", "b?c", "é", "cab", "", "x", "ab+|ca|x", "a(b|c)", "(a|b?)c", "aa|bb|cc|é", "abc+$", "ab.c|ca+b", "(ab)+c", "a[^b]", "ab\\b", "aab"}
	for range 200 {
		r := New(200 + random.IntN(5000))
		for number := range int64(random.IntN(400)) {
			text := make([]rune, random.IntN(12))
			for i := range text {
				text[i] = []rune("abcABCéÉ \t")[random.IntN(10)]
			}
			r.Append(line(number+1, string(text)))
		}
		l := r.Lines()
		pattern := patterns[random.IntN(len(patterns))]
		o := Options{MatchCase: random.IntN(2) == 0}
		expression := pattern
		if !o.MatchCase {
			expression = "(?i)" + pattern
		}
		want := regexp.MustCompile(expression)
		from, step := random.IntN(l.Len()+1), 1-2*random.IntN(2)
		var expected []int
		for i := from; i >= 0 && i < l.Len(); i += step {
			if want.MatchString(l.At(i).Text) {
				expected = append(expected, i)
			}
		}
		if got := search(l, compile(t, pattern, o), from, step); !slices.Equal(got, expected) {
			t.Fatalf("%q %+v from %d by %d over %q: %v, want %v", pattern, o, from, step, texts(l), got, expected)
		}
	}
}

func FuzzCompile(f *testing.F) {
	for _, seed := range []string{"loss", "(?i)Loss", "a|b", "(", "[[:alpha:]]+x", `\Qx`, "(?s).*loss.*", "\xff"} {
		f.Add(seed, "step 1 loss 2")
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		for _, o := range []Options{{}, {Plain: true}, {MatchCase: true}} {
			m, err := Compile(pattern, o)
			if err != nil {
				continue
			}
			// letters beyond ASCII may be the other case of one of ASCII ("\u212a" of k)
			ascii := !strings.ContainsFunc(text, func(r rune) bool { return r >= 0x80 })
			if got, want := m.Match([]byte(text)), m.pattern.MatchString(text); got && !want || ascii && got != want {
				t.Errorf("%q %+v matches %q: %v, its expression: %v", pattern, o, text, got, want)
			}
			m.FindAll(text, 10)
			ringOf(1000, text, pattern).Lines().Search(context.Background(), m, 0, 1, func(int) bool { return true })
		}
	})
}

// million returns a ring of a million lines of some 100 bytes, as torchtitan
// prints them, with one that differs at the far end.
func million(b *testing.B) Lines {
	r := New(1 << 30)
	batch := make([]train.LogLine, 0, 1000)
	for i := range 1_000_000 {
		text := fmt.Sprintf("[titan] 2026-11-20 10:00:00,000 - root - INFO - step: %7d  loss: %7.4f  memory: 68.57GiB(86.69%%)  tps: 7,282", i, 12/float64(i+1))
		if i == 999_998 {
			text = "torch.distributed: Watchdog caught a collective operation timeout on Rank 3"
		}
		batch = append(batch, line(int64(i+1), text))
		if len(batch) == cap(batch) {
			r.Append(batch...)
			batch = batch[:0]
		}
	}
	return r.Lines()
}

// The only match is at the far end. Budget: 100 ms for plain text.
func BenchmarkSearchMillionLines(b *testing.B) {
	l := million(b)
	b.Logf("%d lines, %d MiB", l.Len(), l.Bytes()>>20)
	for _, c := range []struct {
		name, pattern string
		o             Options
	}{
		{"plain", "Watchdog caught", Options{Plain: true, MatchCase: true}},
		{"anycase", "watchdog CAUGHT", Options{Plain: true}},
		{"anycase-common-letters", "operation ti", Options{Plain: true}},
		{"anycase-short", "3\x01", Options{Plain: true}},
		{"regexp-with-literal", `caught .* timeout on rank [0-9]+`, Options{}},
		{"regexp-alternatives", `traceback|timeout on|cuda error`, Options{}},
		{"regexp-literal-everywhere", `loss: +[0-9]{4}\.|rank \d`, Options{}},
		{"regexp-without", `^\w+\.\w+: `, Options{}},
	} {
		for _, step := range []int{1, -1} {
			b.Run(fmt.Sprintf("%s/%+d", c.name, step), func(b *testing.B) {
				m := compile(b, c.pattern, c.o)
				from := 0
				if step < 0 {
					from = l.Len() - 3
				}
				b.ReportAllocs()
				for b.Loop() {
					l.Search(context.Background(), m, from, step, func(int) bool { return false })
				}
			})
		}
	}
}
