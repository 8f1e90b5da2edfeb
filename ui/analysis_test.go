package ui

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// loop runs a model as the terminal library does: commands in goroutines of
// their own, messages one at a time.
type loop struct {
	messages chan tea.Msg

	mu    sync.Mutex // guards the fields that the loop and the test share
	m     *model
	draws int
}

// look returns the model's current state.
func (l *loop) look() (a analysis, shown *store.Snapshot, draws int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.m.analysis, l.m.snapshot, l.draws
}

func newLoop(t *testing.T, s *store.Store) (*loop, context.CancelFunc) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	m, err := newModel(ctx, Options{Session: Session{Store: s, Context: "prod"}, Width: 120, Height: 30})
	if err != nil {
		t.Fatal(err)
	}
	l := &loop{m: m, messages: make(chan tea.Msg, 1000)}
	w := &watcher{ctx: ctx, send: func(msg tea.Msg) { l.messages <- msg }}
	m.follow = w.follow
	l.start(ctx, m.Init())
	go func() {
		for {
			select {
			case <-ctx.Done():
				w.end()
				return
			case msg := <-l.messages:
				if batch, is := msg.(tea.BatchMsg); is {
					for _, cmd := range batch {
						l.start(ctx, cmd)
					}
					continue
				}
				l.mu.Lock()
				was := m.content
				_, cmd := m.Update(msg)
				if m.content != was {
					l.draws++
				}
				l.mu.Unlock()
				l.start(ctx, cmd)
			}
		}
	}()
	return l, cancel
}

func (l *loop) start(ctx context.Context, cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() {
		if msg := cmd(); msg != nil {
			select {
			case l.messages <- msg:
			case <-ctx.Done():
			}
		}
	}()
}

func measured(node string, use float64, at time.Time) store.Measured {
	r := train.GPUReading{GPU: train.GPU{Node: node, Index: "0", UUID: "GPU-1234abcd-" + node, Namespace: "a", Pod: "p"}, Source: train.FromDCGM, At: at}
	r.Values.Set(train.GPUUtilization, use)
	return store.Measured{Source: "exporter/" + node, Node: node, Readings: []train.GPUReading{r}, Every: 15 * time.Second}
}

// However fast snapshots arrive, there is a pause between two runs, and the
// last one uses the newest snapshot.
func TestTheDiagnosisRestsBetweenRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := store.New(time.Now)
		l, cancel := newLoop(t, s)
		for range 100 {
			s.Apply(measured("n", 90, time.Now()))
			time.Sleep(100 * time.Millisecond)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		a, shown, _ := l.look()
		if most := int(11*time.Second/analysisRest) + 2; a.runs < 10 || a.runs > most {
			t.Errorf("ten seconds of changes are %d runs", a.runs)
		}
		if a.report == nil || a.gpus.Held != 1 || newer(shown, a.looked) {
			t.Errorf("the newest picture was not looked at: %+v", a.gpus)
		}
		cancel()
		synctest.Wait()
	})
}

// While a source lists for the first time nothing is diagnosed, as long as
// objects arrive and for half a minute at most; a source that never answers
// delays nothing.
func TestTheFirstDiagnosisWaitsForTheLists(t *testing.T) {
	trial := func(coming, settles time.Duration, want time.Duration) {
		t.Helper()
		synctest.Test(t, func(t *testing.T) {
			s := store.New(time.Now)
			state := func(state train.SourceState) store.Event {
				return store.HealthChanged{Health: train.Health{Source: "pods", State: state, Since: time.Now()}}
			}
			s.Apply(state(train.SourceListing))
			l, cancel := newLoop(t, s)
			began, first := time.Now(), time.Duration(0)
			for time.Since(began) < time.Minute && first == 0 {
				if since := time.Since(began); since < coming {
					s.Apply(store.Set{Kind: kinds.NodeKind, Object: &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("n", since)}}})
				} else if settles > 0 && since >= settles {
					s.Apply(state(train.SourceLive))
				}
				time.Sleep(100 * time.Millisecond)
				if a, _, _ := l.look(); a.report != nil {
					first = time.Since(began)
				}
			}
			if first < want || first > want+time.Second {
				t.Errorf("objects come for %s and the lists end after %s: the first diagnosis is there after %s, want %s", coming, settles, first, want)
			}
			cancel()
			synctest.Wait()
		})
	}
	trial(8*time.Second, 8*time.Second, 8*time.Second)
	trial(0, 0, analysisPatience)
	trial(7*time.Second, 0, 3*analysisPatience)
	trial(time.Minute, 0, analysisMost*analysisPatience)
}

// A dump pins time in the past while its first, empty snapshot is diagnosed:
// later events are diagnosed all the same, and the result stays on the screen.
func TestTheDiagnosisSeesWhatPinsTimeInThePast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := store.New(time.Now)
		l, cancel := newLoop(t, s)
		time.Sleep(time.Second)
		past := time.Now().Add(-time.Hour)
		s.Apply(store.Clock{Now: past}, measured("n", 90, past))
		time.Sleep(5 * time.Second)
		synctest.Wait()
		if a, shown, _ := l.look(); a.gpus.Held != 1 || !shown.Now.Equal(past) {
			t.Errorf("looked at %+v; the screen shows %v", a.gpus, shown.Now)
		}
		cancel()
		synctest.Wait()
	})
}

// Time alone makes a GPU idle: the diagnosis runs again when nothing happens,
// and the screen is drawn for it only when something differs.
func TestTheDiagnosisLooksAgainWhenNothingHappens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := store.New(time.Now)
		l, cancel := newLoop(t, s)
		time.Sleep(time.Second)
		s.Apply(measured("n", 90, time.Now()))
		time.Sleep(40 * time.Second)
		synctest.Wait()
		a, _, _ := l.look()
		before := a.runs
		if got := a.report.Signals().Node("n"); len(got) != 0 {
			t.Errorf("fresh numbers are %+v", got)
		}
		time.Sleep(30 * time.Second) // 70 s without a scrape: older than three intervals
		synctest.Wait()
		a, _, _ = l.look()
		if got := a.report.Signals().Node("n"); len(got) != 1 || got[0].Kind != "stale" {
			t.Errorf("old numbers are %+v", got)
		}
		if runs := a.runs - before; runs < 3 || runs > 12 {
			t.Errorf("half a minute without changes is %d runs", runs)
		}
		cancel()
		synctest.Wait()
	})
}

func TestNothingToSayDrawsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := store.New(time.Now)
		l, cancel := newLoop(t, s)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		_, _, before := l.look()
		time.Sleep(50 * time.Second)
		synctest.Wait()
		if _, _, draws := l.look(); draws != before {
			t.Errorf("the screen was drawn %d times", draws-before)
		}
		cancel()
		synctest.Wait()
	})
}

// A bug in the diagnosis is a notice: it is shown once, and the program
// continues.
func TestABrokenDiagnosisIsANotice(t *testing.T) {
	d := drive(t, Options{}, 120, 30)
	broken := analysed{from: d.m.session.Store, run: d.m.analysis.runs}
	broken.from = nil
	done := broken.look(diagnose.Options{}, nil, gpuSum{}).(analysed)
	if !strings.Contains(done.broken, "this is a bug of traintop: the diagnosis broke") {
		t.Fatalf("the run ended with %+v", done)
	}
	done.from = d.m.session.Store
	d.send(done)
	d.shows("this is a bug of traintop: the diagnosis broke")
	if d.quit {
		t.Error("the program ends")
	}
	d.send(noticeOver(d.m.notice.generation))
	d.send(done)
	d.hides("this is a bug of traintop")
}

// The result of a run of another session is dropped.
func TestAnAnalysisOfAnotherSessionIsDropped(t *testing.T) {
	d := drive(t, Options{}, 120, 30)
	was := d.m.analysis.report
	d.send(analysed{from: store.New(time.Now), run: d.m.analysis.runs})
	if d.m.analysis.report != was || was == nil {
		t.Error("the report of another session is shown")
	}
}

func TestTheHeaderSaysWhatGPUsDo(t *testing.T) {
	d := drive(t, withHealth(
		train.Health{Source: "kube", State: train.SourceLive},
		train.Health{Source: "exporters", State: train.SourceLive, Resource: "pods/proxy"},
		train.Health{Source: "exporter/n-7", State: train.SourceRetrying, Resource: "pods/proxy"},
		train.Health{Source: "prometheus", State: train.SourceLive},
	), 160, 30)
	d.m.session.Store.Apply(measured("n", 90, nine.Add(-9*time.Second)))
	d.drain(d.m.look())
	d.drain(d.m.look())
	d.shows("● dcgm 9s, 1 failing", "● prometheus live")
	if d.m.clock.headTurn != 0 {
		t.Error("the age of a source makes the screen tick")
	}
}

// However much of it there is room for, the words of the header stay apart.
func TestNumbersOfTheHeaderStandApart(t *testing.T) {
	session := Session{Store: fromFiles(t, "../testdata/demo"), Context: "demo"}
	d := drive(t, Options{Session: session}, 60, 30)
	d.drain(d.m.look())
	d.drain(d.m.look())
	for width := 60; width <= 200; width += 2 {
		d.send(tea.WindowSizeMsg{Width: width, Height: 30})
		head, _, _ := strings.Cut(d.screen(), "\n")
		if runTogether.MatchString(head) {
			t.Errorf("%d columns: %s", width, head)
		}
	}
}

// Busy and idle are those of whole GPUs, which come before them, and no more than are
// held; where many are not measured, that is shown, or none are counted.
func TestTheHeaderCountsTheUseOfWholeGPUs(t *testing.T) {
	session := Session{Store: fromFiles(t, "../testdata/demo"), Context: "demo"}
	counts := regexp.MustCompile(`GPUs (\d+) of \d+ held.*, (\d+) busy, (\d+) idle(?:, (\d+) not measured)?`)
	found := false
	d := drive(t, Options{Session: session}, 80, 30)
	d.drain(d.m.look())
	d.drain(d.m.look())
	for width := 80; width <= 240; width += 4 {
		d.send(tea.WindowSizeMsg{Width: width, Height: 30})
		head, _, _ := strings.Cut(d.screen(), "\n")
		if strings.Contains(head, "held, 1") && strings.Index(head, "busy") > strings.Index(head, "MIG") {
			t.Errorf("%d columns: the use of GPUs stands behind slices: %s", width, head)
		}
		if !strings.Contains(head, "busy") {
			continue
		}
		var n [5]int
		match := counts.FindStringSubmatch(head)
		for i := 1; i < len(match); i++ {
			n[i], _ = strconv.Atoi(match[i])
		}
		if found = true; match == nil || n[2]+n[3]+n[4] > n[1] || n[2]+n[3]+n[4] < n[1]*9/10 {
			t.Errorf("%d columns: %s", width, head)
		}
	}
	if !found {
		t.Error("no header says how many GPUs are busy")
	}
}

var runTogether = regexp.MustCompile(`[a-z][0-9]+ (idle|busy|free|not)`)

// BenchmarkPictureWithDiagnosis is the event loop's cost of a snapshot:
// starting a run and taking its result are all that the loop does for the
// diagnosis.
func BenchmarkPictureWithDiagnosis(b *testing.B) {
	for _, with := range []bool{false, true} {
		b.Run(fmt.Sprintf("diagnosis=%v", with), func(b *testing.B) {
			s := manyJobs(1_000)
			m := benchModel(b, s)
			m.analysis.running = !with
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				b.StopTimer()
				s.Apply(measured("n", float64(i%100), nine))
				p := snapshotTaken{s, s.Snapshot()}
				b.StartTimer()
				m.Update(p)
				_ = m.View()
				if !with {
					continue
				}
				b.StopTimer()
				m.analysis.running, m.analysis.resting = false, false
				cmd := m.analyse(false)
				if cmd == nil {
					b.Fatal("no run")
				}
				msg := cmd()
				b.StartTimer()
				m.Update(msg)
				_ = m.View()
			}
		})
	}
}
