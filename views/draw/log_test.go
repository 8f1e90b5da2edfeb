package draw

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/themes"
)

func darkTheme(t testing.TB) *themes.Theme {
	t.Helper()
	theme, err := themes.Named("dark", themes.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return theme
}

func TestLogLineIsCutByCells(t *testing.T) {
	theme := darkTheme(t)
	f := func(text string, from, to int, want string) {
		t.Helper()
		got := ansi.Strip(NewLine(theme, 80, false).AddLog(LogText{Text: text}, from, to).String())
		if got != want {
			t.Errorf("cells %d..%d of %q are %q, want %q", from, to, text, got, want)
		}
	}
	f("hello world", 0, 5, "hello")
	f("hello world", 6, 99, "world")
	f("hello", 9, 12, "")
	f("a\tb", 0, 20, "a       b")
	f("a\tb", 4, 9, "    b")
	f("日本語", 0, 3, "日 ")
	f("日本語", 1, 6, " 本語")
	f("e\u0301te\u0301", 0, 3, "e\u0301te\u0301")
	f("\x1b[31mred\x1b[0m plain", 1, 6, "ed pl")
	f("x\xffy", 0, 3, "x"+theme.Glyphs.Invalid+"y")
	f("a\x1b]0;title\x07b", 0, 20, "a]0;titleb")
	f("right\u202eleft", 0, 20, "rightleft")
}

// torchtitan's logger prints "\x1b[31mstep: 10 \x1b[32mloss: 8.1\x1b[39m".
func TestColoursOfTheProgramAreKeptAndEnd(t *testing.T) {
	theme := darkTheme(t)
	line := NewLine(theme, 40, false).AddLog(LogText{Text: "\x1b[31mstep: 10 \x1b[1;38;5;12mloss"}, 0, 40).Add(themes.Rule, "|").String()
	for _, want := range []string{"\x1b[31mstep: 10 ", "\x1b[1;38;5;12mloss\x1b[m", theme.Open(themes.Rule, false) + "|"} {
		if !strings.Contains(line, want) {
			t.Errorf("%q is not in %q", want, line)
		}
	}
	plain, err := themes.Named(themes.Plain, themes.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if line := NewLine(plain, 40, false).AddLog(LogText{Text: "\x1b[31mred"}, 0, 40).String(); strings.Contains(line, "31m") {
		t.Errorf("a terminal without colours gets %q", line)
	}
}

func TestSGRIsReadAsTerminalsDo(t *testing.T) {
	f := func(parameters, want string) {
		t.Helper()
		var c colours
		c.apply(parameters)
		var b strings.Builder
		c.write(&b, &themes.Theme{})
		if b.String() != want {
			t.Errorf("%q makes %q, want %q", parameters, b.String(), want)
		}
	}
	f("", "")
	f("0", "")
	f("1;31", "\x1b[1;31m")
	f("31;0", "")
	f("38;5;200;4", "\x1b[4;38;5;200m")
	f("38;2;1;2;3;48;5;7", "\x1b[38;2;1;2;3;48;5;7m")
	f("38:2::1:2:3", "\x1b[38;2;1;2;3m")
	f("38;5", "")
	f("38;2;1;2;999", "")
	f("38;9;31", "\x1b[31m")
	f("5;8;25;28", "") // blinking and hidden text is left out
	f("4:3", "\x1b[4m")
	f("1;22;3;23;9;29;7;27;4;24", "")
	f("31;39;41;49", "")
	f(";;", "")
	f("99999999999999999999", "")
}

func TestHitsAreMarkedWhereTheTextIs(t *testing.T) {
	theme := darkTheme(t)
	text := "\x1b[32mloss\x1b[0m: 日本 loss"
	plain := LogPlain(text)
	hits := regexp.MustCompile("loss").FindAllStringIndex(plain, -1)
	line := NewLine(theme, 40, false).AddLog(LogText{Text: text, Hits: hits}, 0, 40).String()
	if n := strings.Count(line, theme.Open(themes.Match, false)+"loss"); n != 2 {
		t.Errorf("%d of 2 hits are marked in %q", n, line)
	}
	if got := ansi.Strip(line); got != plain {
		t.Errorf("the line reads %q, want %q", got, plain)
	}
	part := NewLine(theme, 40, false).AddLog(LogText{Text: text, Hits: hits}, 2, 40).String()
	if !strings.Contains(part, theme.Open(themes.Match, false)+"ss") {
		t.Errorf("a hit that begins left of the window is not marked in %q", part)
	}
}

func TestWrappedRowsShowEveryLetter(t *testing.T) {
	theme := darkTheme(t)
	for _, text := range []string{"", "abcdefghij", "日本語日本語x", "a\tb\tc", "ab日本語cd", "\x1b[31m日本\x1b[0m語", "👩‍👩‍👧‍👦👩‍👩‍👧‍👦"} {
		for width := 2; width < 12; width++ {
			var got strings.Builder
			rows := LogRows(text, width)
			for row := range rows {
				from, to := LogRow(text, width, row), LogRow(text, width, row+1)
				if row == rows-1 {
					to = from + width
				}
				line := ansi.Strip(NewLine(theme, width, false).AddLog(LogText{Text: text}, from, to).String())
				if ansi.StringWidth(line) > width {
					t.Errorf("%q at %d: row %d takes %d cells", text, width, row, ansi.StringWidth(line))
				}
				got.WriteString(line)
			}
			want := strings.ReplaceAll(LogPlain(text), "\t", "")
			if squeeze(got.String()) != squeeze(want) {
				t.Errorf("%q at %d shows %q", text, width, got.String())
			}
		}
	}
}

func squeeze(s string) string { return strings.ReplaceAll(s, " ", "") }

func TestLevels(t *testing.T) {
	f := func(line string, want LogLevel) {
		t.Helper()
		if got := LevelOf(line); got != want {
			t.Errorf("%q is of level %d, want %d", line, got, want)
		}
	}
	f("", LevelNone)
	f("step 10 | loss 2.31", LevelNone)
	f("val_error: 0.3 errors=0 Error rate 0.2", LevelNone)
	f("[titan] 2026-11-20 08:50:00,123 - root - INFO - step: 10  loss:  8.1", LevelInfo)
	f("WARNING:root:slow", LevelWarning)
	f("/usr/lib/python3/site.py:12: UserWarning: deprecated", LevelWarning)
	f("time=2026 level=error msg=boom", LevelError)
	f(`{"level": "warn", "msg": "x"}`, LevelWarning)
	f("error: no such file", LevelError)
	f("[error] bad", LevelError)
	f("Traceback (most recent call last):", LevelError)
	f("[rank3]: torch.OutOfMemoryError: CUDA out of memory.", LevelError)
	f("ValueError", LevelError)
	f("E1120 08:50:00.123456 12 main.go:3] lost", LevelError)
	f("[rank3]:[E1120 08:50:00.123 ProcessGroupNCCL.cpp:616] [Rank 3] Watchdog caught collective operation timeout", LevelError)
	f("[E ProcessGroupNCCL.cpp:475] [Rank 0] Watchdog", LevelError)
	f("[W1120 08:50:00 socket.cpp:697] [c10d] no IPv6", LevelWarning)
	f("gpu-0:12:345 [0] NCCL INFO Bootstrap : Using eth0", LevelInfo)
	f("node:1:2 [3] NCCL WARN Call to connect failed", LevelWarning)
	f("E 12 apples", LevelNone)
	f("Epoch 3 Loss=0.41", LevelNone)
	f("Segmentation fault (core dumped)", LevelError)
	f("DEBUG:asyncio:Using selector", LevelDebug)
	f("INFO: handled ValueError: x", LevelInfo)
}

func FuzzLogLine(f *testing.F) {
	for _, seed := range []string{"hello", "\x1b[31mred\x1b[0m", "日本\t語\xff", "\x1b]8;;x\x07", "a\u0301\u202e", "\x1b[38;2;1;2;3mx\x1b[", "🇩🇪👩‍👧"} {
		f.Add(seed, 3, 20)
	}
	theme := darkTheme(f)
	f.Fuzz(func(t *testing.T, text string, from, width int) {
		from, width = from&0xff, width&0x7f
		hits := regexp.MustCompile("[a-e]+").FindAllStringIndex(LogPlain(text), -1)
		line := NewLine(theme, width, false).AddLog(LogText{Text: text, Hits: hits}, from, from+width).String()
		if !utf8.ValidString(line) {
			t.Errorf("invalid UTF-8 in %q", line)
		}
		if n := ansi.StringWidth(line); n > width {
			t.Errorf("%d cells of %d in %q", n, width, line)
		}
		rest := regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(line, "")
		for _, r := range rest {
			if termtext.Forbidden(r) {
				t.Errorf("%q reaches the terminal in %q", r, line)
			}
		}
		if LogRows(text, width) < 1 || LogWidth(text) < 0 {
			t.Error("a line without rows")
		}
	})
}

func BenchmarkLogLine(b *testing.B) {
	theme := darkTheme(b)
	for name, text := range map[string]string{
		"plain":    strings.Repeat("step 12430 | loss 1.843 | lr 2.9e-05 | ", 5),
		"coloured": strings.Repeat("\x1b[31mstep: 10 \x1b[32mloss: 8.1\x1b[39m ", 6),
		"wide":     strings.Repeat("日本語 ", 40),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_ = NewLine(theme, 160, false).AddLog(LogText{Text: text}, 0, 160).String()
			}
		})
	}
	b.Run("level", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			LevelOf("[titan] 2026-11-20 08:50:00,123 - root - step: 10  loss:  8.1  memory: 12.3GiB(15%)  tps: 1,234")
		}
	})
}
