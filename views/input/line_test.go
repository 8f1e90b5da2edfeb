package input

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/termtext/corpus"
	"github.com/traintop/traintop/views/draw"
)

// at makes a line from a text in which | is the cursor.
func at(marked string) Line {
	head, tail, _ := strings.Cut(marked, "|")
	l := New(head+tail, 500)
	l.editor.SetCursor(len([]rune(head)))
	return l
}

func (l *Line) marked() string {
	runes := []rune(l.Text())
	return string(runes[:l.editor.Position()]) + "|" + string(runes[l.editor.Position():])
}

// Each action does what it does in a shell; a letter is one with its marks.
func TestEveryActionEdits(t *testing.T) {
	const accent, family = "e\u0301", "\U0001f469\u200d\U0001f467"
	rows := []struct {
		action       keymap.Action
		before, want string
	}{
		{keymap.CursorLeft, "ab|c", "a|bc"},
		{keymap.CursorLeft, "|abc", "|abc"},
		{keymap.CursorLeft, "a" + accent + "|", "a|" + accent},
		{keymap.CursorLeft, family + "|b", "|" + family + "b"},
		{keymap.CursorRight, "a|bc", "ab|c"},
		{keymap.CursorRight, "|" + accent + "a", accent + "|a"},
		{keymap.CursorRight, "日|本", "日本|"},
		{keymap.CursorRight, "abc|", "abc|"},
		{keymap.CursorWordLeft, "jobs llm  qwen|", "jobs llm  |qwen"},
		{keymap.CursorWordLeft, "jobs llm  |qwen", "jobs |llm  qwen"},
		{keymap.CursorWordRight, "jo|bs llm", "jobs| llm"},
		{keymap.CursorWordRight, "jobs| llm", "jobs llm|"},
		{keymap.CursorStart, "jo|bs", "|jobs"},
		{keymap.CursorEnd, "jo|bs", "jobs|"},
		{keymap.EraseLeft, "ab|c", "a|c"},
		{keymap.EraseLeft, "|abc", "|abc"},
		{keymap.EraseLeft, "a" + accent + "|", "a|"},
		{keymap.EraseLeft, family + "|x", "|x"},
		{keymap.EraseRight, "a|bc", "a|c"},
		{keymap.EraseRight, "a|" + accent + "c", "a|c"},
		{keymap.EraseRight, "abc|", "abc|"},
		{keymap.EraseWordLeft, "jobs llm|", "jobs |"},
		{keymap.EraseWordLeft, "jobs |llm", "|llm"},
		{keymap.EraseWordLeft, "日本 語|", "日本 |"},
		{keymap.EraseWordRight, "jobs| llm x", "jobs| x"},
		{keymap.EraseWordRight, "job|s", "job|"},
		{keymap.EraseWordRight, "|a", "|"},
		{keymap.EraseToStart, "jobs |llm", "|llm"},
		{keymap.EraseToEnd, "jobs |llm", "jobs |"},
	}
	seen := map[keymap.Action]bool{}
	for _, row := range rows {
		seen[row.action] = true
		l := at(row.before)
		if !l.Do(row.action) || l.marked() != row.want {
			t.Errorf("%s on %q gives %q, want %q", row.action, row.before, l.marked(), row.want)
		}
	}
	for _, b := range keymap.All() {
		if b.Scope == keymap.Typing && !seen[b.Action] {
			t.Errorf("no row tries %s", b.Action)
		}
	}
	l := at("abc|")
	if l.Do(keymap.Quit) || l.Text() != "abc" {
		t.Errorf("an action that edits nothing gives %q", l.Text())
	}
}

func TestInsertedTextIsOneSafeLine(t *testing.T) {
	l := at("jobs |llm")
	l.Insert("a\r\nb\tc ")
	if l.marked() != "jobs a b c |llm" {
		t.Errorf("pasted lines give %q", l.marked())
	}
	l = at("a|")
	l.Insert(strings.Repeat("x", 600))
	if len(l.Text()) != 500 {
		t.Errorf("%d characters are kept, want 500", len(l.Text()))
	}
}

// After any editing the text is safe, and the cursor is between letters and
// visible.
func TestAnyEditingStaysSafeAndVisible(t *testing.T) {
	var texts []string
	for _, text := range append(corpus.Hostile(), corpus.Honest()...) {
		texts = append(texts, text.Text)
	}
	texts = append(texts, "日本語", "e\u0301", "\u0301\u0302", "\u200d", "\U0001f469", "\U0001f3fd", "word ", " ")
	random := rand.New(rand.NewPCG(1, 2))
	l := New("", 60)
	for range 20_000 {
		if random.IntN(3) == 0 {
			l.Insert(texts[random.IntN(len(texts))])
		} else {
			l.Do(actions[random.IntN(len(actions))])
		}
		if text := l.Text(); draw.Clean(text) != text {
			t.Fatalf("%q is not safe", text)
		}
		width := 2 + random.IntN(30)
		shown, cursor := l.Window(width)
		if draw.Width(shown) > width || cursor < 0 || cursor >= width {
			t.Fatalf("%q: %d cells shown of %d, cursor at %d", l.marked(), draw.Width(shown), width, cursor)
		}
		if !strings.Contains(l.Text(), shown) {
			t.Fatalf("%q shows %q", l.Text(), shown)
		}
	}
}

var actions = func() (all []keymap.Action) {
	for _, b := range keymap.All() {
		if b.Scope == keymap.Typing {
			all = append(all, b.Action)
		}
	}
	return all
}()

func TestWindowFollowsTheCursor(t *testing.T) {
	l := New("0123456789", 50)
	check := func(want string, cursor int) {
		t.Helper()
		if shown, at := l.Window(5); shown != want || at != cursor {
			t.Errorf("shows %q with the cursor at %d, want %q at %d", shown, at, want, cursor)
		}
	}
	check("6789", 4)
	l.Do(keymap.CursorLeft)
	check("6789", 3)
	l.Do(keymap.CursorStart)
	check("01234", 0)
	l.Do(keymap.CursorEnd)
	l.Do(keymap.EraseLeft)
	check("5678", 4)
	l.SetText("日本語日本")
	check("日本", 4)
	l.Do(keymap.EraseToStart)
	check("", 0)
}
