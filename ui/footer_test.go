package ui

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// At every width of every screen the footer fits, and names no key in the place
// of one that is needed more.
func TestTheFooterGoesByNeed(t *testing.T) {
	for _, path := range screenPaths {
		d := drive(t, Options{}, 120, 30)
		path.lead(d)
		d.m.prompt.close()
		scope := d.m.top().Scope()
		all := d.m.acting.rights().Footer(scope)
		if !slices.ContainsFunc(all, func(b keymap.Binding) bool { return b.Action == keymap.ShowHelp }) {
			continue // a dialog, which has all keys
		}
		before := 0
		for width := leastWidth; width <= 240; width++ {
			d.m.width = width
			line := d.m.footer.keyLine()
			if got := draw.Width(strings.TrimRight(ansi.Strip(line), " ")); got > width {
				t.Fatalf("%s: at %d the footer has %d cells", scope, width, got)
			}
			named := fittingKeys(all, width)
			most, least := 0, 99
			for _, b := range all {
				if slices.ContainsFunc(named, func(n keymap.Binding) bool { return n.Keys[0] == b.Keys[0] }) {
					most = max(most, b.Need())
				} else {
					least = min(least, b.Need())
				}
			}
			if least < most {
				t.Errorf("%s: at %d a key of need %d is named and one of need %d is not", scope, width, most, least)
			}
			if len(named) < before {
				t.Errorf("%s: at %d there are fewer keys than in a narrower terminal", scope, width)
			}
			before = len(named)
			if width == leastWidth && !slices.ContainsFunc(named, func(b keymap.Binding) bool { return b.Action == keymap.ShowHelp }) {
				t.Errorf("%s: ? is not named at %d", scope, width)
			}
		}
	}
}

func TestTheFooterOfASmallTerminalNamesWhatIsNeeded(t *testing.T) {
	d := drive(t, Options{}, 80, 24)
	d.shows("enter open", "l logs", "D diagnosis", "C charts", "/ filter", ": command", "? help")
	d.keys("/").types("clip").keys("enter", "enter")
	d.shows("PyTorchJob vision/clip", "enter log", "l logs", "D diagnosis", "C charts", "/ filter", ": command", "? help")
	d.hides("v wall")
}

// Digits choose a tab in a job and how far back lines go in logs; the header
// does not offer them as namespaces there.
func TestTheHeaderOffersDigitsThatChooseNamespaces(t *testing.T) {
	d := drive(t, Options{}, 160, 45)
	d.shows("0 all", "1 ")
	first := "1 " + d.m.namespaces.favourites[0]
	d.shows(first)
	d.keys("enter")
	d.hides(first)
	d.keys("l")
	d.hides(first, "0 all")
}

func TestKeysThatAreShownMeanWhatIsSaid(t *testing.T) {
	d := drive(t, Options{}, 160, 45).keys("D")
	d.hides("/ filter") // nothing to narrow
	d.keys("?")
	d.hides("narrow the rows")
	d = drive(t, Options{}, 160, 45).keys("y")
	d.shows("/ search")
	d.hides("/ filter")
	d = drive(t, Options{Session: Session{Store: logFiles()}}, 120, 40)
	d.shows("f make a format") // no metric of the log is known
	d.hides("/ find metric").hides("/ filter")
	d = drive(t, Options{}, 160, 120).keys("?")
	d.hides("ctrl-~")
	d.shows("ctrl-left")
}

// Charts without curves name only the keys that do something.
func TestChartsWithoutCurvesOfferWhatWorks(t *testing.T) {
	d := drive(t, Options{}, 120, 30).keys("C")
	d.shows("no line of a log has been read yet", "l logs").hides("f make a format").hides("z zoom").hides("/ filter")
}

// A format of one's own is written without the secrets of its example.
func TestAFormatIsWritten(t *testing.T) {
	var got string
	d := drive(t, Options{ConfigPath: "c.yaml", AddPattern: func(name, match, example string) error {
		got = name + " " + match + " " + example
		return nil
	}}, 120, 30)
	d.drain(d.m.nav.apply(views.SavePattern{Name: "ours", Match: "q (?P<q>.)", Example: "q 1 password=hunter2secret"}))
	d.shows("the format is written to c.yaml")
	patterns := reloaded(func(string) Reload { return Reload{Logs: "logs are read again"} })
	d.send(patterns) // by what was written
	d.shows("the format is written to c.yaml; logs are read again")
	d.send(patterns) // by an editor
	d.shows("the configuration was read again; logs are read again")
	if !strings.HasPrefix(got, "ours q (?P<q>.) q 1 ") || strings.Contains(got, "hunter2secret") {
		t.Errorf("written %q", got)
	}
}

// In a terminal with room for one column of keys, what they do has all of it, and
// is not cut.
func TestTheHelpFitsNarrowTerminals(t *testing.T) {
	drive(t, Options{}, 80, 24).keys("?").shows("open the job: its ranks, events and YAML")
	drive(t, Options{}, 40, 24).keys("?").shows(" open the job: its\n", "ranks, events and YAML")
	drive(t, Options{}, 120, 24).keys("?").shows("open the job: its ranks, events")
}

// An action on nodes is named where there is room for it.
func TestTheFooterOfNodesNamesCordonAndDrain(t *testing.T) {
	d := drive(t, Options{Session: Session{Actor: &fakeActor{}}}, 120, 30).command("nodes")
	d.shows("enter pods", "n nvidia-smi", "c cordon", "r drain", "? help").hides("u uncordon")
	d.send(tea.WindowSizeMsg{Width: 160, Height: 30})
	d.shows("c cordon", "u uncordon", "r drain")
	d = drive(t, Options{Session: Session{Actor: &fakeActor{}, Settings: Settings{ReadOnly: true}}}, 160, 30).command("nodes")
	d.hides("c cordon").hides("r drain")
}

// The key that changes a choice is named where there is one under the cursor.
func TestTheFooterOfADialogNamesTheKeyOfAChoice(t *testing.T) {
	d, _ := actingOn(t, "", nil)
	d.keys("ctrl+d").shows("Delete ", "tab next").hides("right change")
	d.keys("tab", "tab").shows("right change").keys("tab", "tab").hides("right change")
}

// Rows that a filter shows or hides because of a column for which the terminal
// is too narrow are explained beside the filter.
func TestAFilterNamesColumnsForWhichThereIsNoRoom(t *testing.T) {
	for width, explained := range map[int]bool{80: true, 200: false} {
		d := drive(t, Options{}, width, 24)
		d.keys("/").types("!trainjob").keys("enter")
		d.shows("/!trainjob")
		if got := strings.Contains(d.screen(), "/!trainjob (also in KIND, not shown)"); got != explained {
			t.Errorf("%d columns:\n%s", width, d.screen())
		}
	}
}

// The footer names no key that does nothing, and shows what each does on the tab
// that is shown.
func TestTheFooterNamesWhatKeysDoNow(t *testing.T) {
	d := drive(t, Options{}, 160, 40)
	footer := func(has, not []string) {
		t.Helper()
		line := ansi.Strip(d.m.footer.keyLine())
		for _, text := range has {
			if !strings.Contains(line, text) {
				t.Errorf("%q is not in %q", text, line)
			}
		}
		for _, text := range not {
			if strings.Contains(line, text) {
				t.Errorf("%q is in %q", text, line)
			}
		}
	}
	footer([]string{"enter open", "l logs", "y YAML"}, nil)
	d.keys("/").types("no-such-job").keys("enter")
	footer([]string{"/ filter", ": command", "? help"}, []string{"enter", "l logs", "y YAML", "d describe"})
	d.keys("esc", "enter")
	footer([]string{"enter log", "l logs"}, nil)
	d.keys("2")
	footer([]string{"enter object", "l logs", "D diagnosis"}, []string{"enter log"})
	d.keys("/").types("no-such-event").keys("enter")
	footer([]string{"l logs", "D diagnosis", "C charts"}, []string{"enter", "y YAML"})
}
