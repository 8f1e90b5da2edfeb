package job

import (
	"fmt"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/screentest"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/themes"
)

func one(rank, gpu int, odd reading) func(int, int) reading {
	return func(r, g int) reading {
		if r == rank && (gpu < 0 || g == gpu) {
			return odd
		}
		return well
	}
}

func TestEachGPUOfARankHasItsNumber(t *testing.T) {
	s := big(4)
	minutes(s, 4, 10, one(2, 3, reading{41, 390, 0.17}))
	sc := open(t, s, 160, 30).diagnosed()
	sc.shows("97  97  97  41  97  97  97  97", "5.1 kW", "4.9 kW", "45 %", "lowest 41 % on rank 2", "DCGM exporter 15s ago", "GPUs 95 % busy")
	row := ""
	for _, line := range strings.Split(sc.draw(), "\n") {
		if strings.Contains(line, " 41 ") && strings.Contains(line, "gpu-0002") {
			row = line
		}
	}
	if !strings.Contains(row, "▲ slow") || !strings.Contains(row, "GPU 3: ") {
		t.Errorf("the row of the slow GPU does not say so: %q", row)
	}
}

func TestCellsShowWhatIsAskedFor(t *testing.T) {
	s := big(4)
	minutes(s, 4, 5, one(1, 0, reading{97, 410, 0.3}))
	sc := open(t, s, 160, 30)
	sc.draw()
	sc.v.Do(keymap.CellsShow, sc.f)
	sc.shows("410 640 640")
	sc.v.Do(keymap.CellsShow, sc.f)
	sc.shows(" 30  45  45")
	sc.v.Do(keymap.CellsShow, sc.f) // no source reports SM activity, so the state of ranks comes next
	sc.v.Do(keymap.ToggleWall, sc.f)
	sc.shows("0 ●●●●")
}

func TestWithoutReadingsNothingIsClaimed(t *testing.T) {
	sc := open(t, big(4), 160, 30)
	if picture := sc.draw(); strings.Contains(picture, "GPU USE") || strings.Contains(picture, "busy") {
		t.Errorf("GPUs that nobody measured are told of:\n%s", picture)
	}
	if effect, _ := sc.v.Do(keymap.CellsShow, sc.f); !strings.Contains(screentest.In[views.Notice](effect).Text, "nothing is measured") {
		t.Errorf("%+v", effect)
	}
}

// Numbers that are older than three intervals are greyed, and gone after twelve.
func TestOldNumbersFade(t *testing.T) {
	s := big(2)
	measure(s, 2, nine.Add(-10*time.Second), one(0, 0, well))
	sc := open(t, s, 160, 30)
	theme := sc.f.Theme
	hot, grey := theme.Open(themes.Heat7, true)+" 97", theme.Open(themes.Dim, true)+" 97"
	row := func() string {
		for _, line := range sc.coloured() {
			if strings.Contains(line, "gpu-0000") {
				return line
			}
		}
		return ""
	}
	if !strings.Contains(row(), hot) {
		t.Errorf("a fresh number is not hot: %q", row())
	}
	measure(s, 2, nine.Add(-60*time.Second), one(0, 0, well))
	if !strings.Contains(row(), grey) || strings.Contains(row(), hot) {
		t.Errorf("a number of a minute ago is not grey: %q", row())
	}
	measure(s, 2, nine.Add(-5*time.Minute), one(0, 0, well))
	if strings.Contains(row(), "97") {
		t.Errorf("a number of five minutes ago is still there: %q", row())
	}
}

// Among 1,024 ranks the odd one is the only cell of its role, and is named.
func TestTheOddRankStandsOutAmongMany(t *testing.T) {
	const ranks = 1024
	s := big(ranks)
	for i := range 4 { // the newest minute is enough for the rules
		measure(s, ranks, nine.Add(time.Duration(-50+15*i)*time.Second), one(637, 5, reading{38, 380, 0.1}))
	}
	sc := open(t, s, 160, 45).diagnosed()
	lines := sc.coloured()
	odd := sc.f.Theme.Open(themes.Waiting, false) + "▲"
	cells := 0
	for _, line := range lines[:20] {
		if strings.Contains(line, "each cell") {
			break
		}
		cells += strings.Count(line, odd)
	}
	if cells != 1 {
		t.Errorf("%d cells are drawn as odd, want 1:\n%s", cells, sc.draw())
	}
	sc.shows("each cell is a rank: use %", "▲ rank 637 slow")
	if r, ok := sc.v.ranks.Current(); !ok || r.Index != 637 {
		t.Errorf("the odd rank is not on top of the list, but %d", r.Index)
	}
}

func TestAWallOfGPUsShowsTheSlowOneInItsPlace(t *testing.T) {
	s := big(16)
	minutes(s, 16, 5, one(9, 2, reading{20, 200, 0}))
	sc := open(t, s, 160, 45).diagnosed()
	sc.draw()
	sc.v.Do(keymap.ToggleWall, sc.f)
	sc.shows("each cell is a GPU", "██▲█████", "rank 9")
	if n := strings.Count(sc.draw(), "████████ ") + strings.Count(sc.draw(), "████████\n"); n != 15 {
		t.Errorf("%d ranks are drawn as well, want 15", n)
	}
}

func TestGPUsAtAnySize(t *testing.T) {
	s := big(130)
	measure(s, 130, nine.Add(-time.Second), one(7, -1, reading{3, 90, 0}))
	sc := open(t, s, 160, 45).diagnosed()
	for _, width := range []int{1, 2, 10, 24, 40, 80, 109, 111, 300} {
		for _, height := range []int{1, 2, 5, 9, 24, 90} {
			sc.f.Width, sc.f.Height = width, height
			for range cellKinds {
				sc.draw()
				sc.v.Do(keymap.CellsShow, sc.f)
			}
		}
	}
}

func BenchmarkRanksWall(b *testing.B) {
	const ranks = 1024
	for _, measured := range []bool{false, true} {
		b.Run(fmt.Sprintf("measured=%v", measured), func(b *testing.B) {
			s := big(ranks)
			if measured {
				measure(s, ranks, nine.Add(-15*time.Second), one(637, 5, reading{38, 380, 0.1}))
			}
			sc := open(b, s, 160, 45)
			sc.draw()
			b.ReportAllocs()
			for b.Loop() {
				if len(sc.v.Render(sc.f)) != 45 {
					b.Fatal("no screen")
				}
			}
		})
	}
}

// BenchmarkRanksReading is the screen after one node's exporter was read.
func BenchmarkRanksReading(b *testing.B) {
	const ranks = 1024
	s := big(ranks)
	measure(s, ranks, nine.Add(-15*time.Second), one(637, 5, reading{38, 380, 0.1}))
	sc := open(b, s, 160, 45)
	sc.draw()
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		measure(s, 1, nine, one(0, 0, well))
		sc.f.Snapshot = s.Snapshot()
		b.StartTimer()
		if len(sc.v.Render(sc.f)) != 45 {
			b.Fatal("no screen")
		}
	}
}
