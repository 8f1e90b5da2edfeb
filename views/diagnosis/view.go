// Package diagnosis shows why one job is stuck, failed or slow: its way through
// the stages, the finding at the chosen stage with its evidence, what to do
// next, what was ruled out and what could not be checked.
package diagnosis

import (
	"slices"
	"strings"
	"time"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/store/streams"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/columns/jobrows"
	"github.com/traintop/traintop/views/draw"
)

// View is the diagnosis of one job.
type View struct {
	id  train.JobID
	job *train.Job // as last seen; stays when the job is deleted

	// stage is the chosen one, "" until a person chooses: then that of the
	// first finding is shown.
	stage train.Stage
	// at is the item under the cursor; offset the first line shown.
	at, offset int
	// listed is true where the causes that were ruled out are listed.
	listed bool
	page   page
	stages []int // right ends of the stages' names in the last drawing

	// before is the answer of the last report, and gone are the findings that
	// went away while the screen was open.
	before *diagnose.Answer
	gone   []healed
	// deleted is true once the job is not there any more, and looked the newest instant
	// that was shown.
	deleted bool
	looked  time.Time
	made    madeWay
}

// New makes the screen of a job.
func New(r views.DiagnosisRoute) *View { return &View{id: r.Job} }

// Name is the screen's name in breadcrumbs.
func (v *View) Name() string { return "diagnosis" }

// Scope is the scope of the screen's keys.
func (v *View) Scope() keymap.Scope { return keymap.Diagnosis }

// Title names the job and counts its findings.
func (v *View) Title(f views.Frame) views.Title {
	v.load(f)
	if v.job == nil {
		return views.Title{Text: "Diagnosis"}
	}
	title := views.Title{Text: draw.Clean(v.job.Ref.Title())}
	state := draw.Phase(f.Theme, v.job.Phase)
	title.Parts = append(title.Parts, draw.Span{Text: state.String(), Role: state.Role})
	if at := v.job.Finished; !at.IsZero() {
		title.Parts = append(title.Parts, draw.Span{Text: clock(at, f.Now()), Role: themes.Dim})
	}
	answer := v.answer(f)
	if v.deleted {
		title.Parts = append(title.Parts, draw.Span{Text: "deleted; this is how it was last seen", Role: themes.Bad})
	}
	switch {
	case answer == nil:
		title.Parts = append(title.Parts, draw.Span{Text: "looking" + f.Theme.Glyphs.Ellipsis, Role: themes.Dim})
	case len(answer.Findings) > 0:
		title.Parts = append(title.Parts, draw.Span{Text: draw.Plural(len(answer.Findings), "finding"), Role: roleOf(answer.Findings[0].Severity)})
	default:
		title.Parts = append(title.Parts, draw.Span{Text: answer.Verdict().Words(), Role: verdictRole(answer.Verdict())})
	}
	if why := v.why(f, answer); why.Text != "" {
		title.Parts = append(title.Parts, why)
	}
	return title
}

// why is the sentence that the list of jobs has about the job, where no finding
// on the screen contains it.
func (v *View) why(f views.Frame, answer *diagnose.Answer) draw.Span {
	reason := (&jobrows.Facts{Snapshot: f.Snapshot, Report: f.Diagnosis, Ages: f.Ages}).Reason(v.job)
	if answer != nil {
		here, _ := byStage(answer.Findings, v.chosen(f))
		if slices.ContainsFunc(here, func(x *train.Finding) bool { return strings.TrimPrefix(x.Title, "The job ") == reason.Text }) {
			return draw.Span{}
		}
	}
	return draw.Span{Text: draw.Clean(reason.Text), Role: reason.Role}
}

// Streams are the logs that a diagnosis needs.
func (v *View) Streams(views.Frame) []streams.Want {
	return []streams.Want{{Job: v.id, Previous: true, Shown: true}}
}

// Selected is the job: probes and changes started here concern it.
func (v *View) Selected(f views.Frame) []train.Ref {
	v.load(f)
	if v.job == nil {
		return nil
	}
	return []train.Ref{v.job.Ref}
}

// answer is what the newest report contains about the job or, once that is deleted, what
// the last one contained.
func (v *View) answer(f views.Frame) *diagnose.Answer {
	if answer := f.Diagnosis.Job(v.id); answer != nil || !v.deleted {
		return answer
	}
	return v.before
}

// load takes the newest report and records findings that are gone. A finding that an
// instant in the past does not have yet is not gone.
func (v *View) load(f views.Frame) {
	now := f.Snapshot.Job(v.id)
	if v.deleted = now == nil && v.job != nil; now != nil {
		v.job = now
	}
	if f.Now().Before(v.looked) {
		v.before, v.gone = nil, nil
	}
	v.looked = f.Now()
	if answer := f.Diagnosis.Job(v.id); answer != nil && answer != v.before {
		v.heal(answer, f)
		v.before = answer
	}
}

// Do carries out an action.
func (v *View) Do(action keymap.Action, f views.Frame) (views.Effect, bool) {
	v.load(f)
	switch action {
	case keymap.NextStage, keymap.PrevStage:
		v.walk(f, action == keymap.NextStage)
	case keymap.Up, keymap.LineUp:
		v.move(-1)
	case keymap.Down, keymap.LineDown:
		v.move(1)
	case keymap.Top, keymap.TextTop:
		v.move(-len(v.page.items))
	case keymap.Bottom, keymap.TextBottom:
		v.move(len(v.page.items))
	case keymap.PageDown, keymap.TextPageDn:
		v.offset += max(1, f.Height-2)
	case keymap.PageUp, keymap.TextPageUp:
		v.offset -= max(1, f.Height-2)
	case keymap.Open:
		return v.open(f), true
	case keymap.ShowRuledOut:
		v.listed = !v.listed
	case keymap.CopyText:
		return v.copied(), true
	case keymap.SaveText:
		return views.SaveFiles{Files: []views.File{{Name: "diagnosis-" + views.FileName(v.name()) + ".txt", Text: v.Text(f)}}}, true
	default:
		return v.elsewhere(action)
	}
	return nil, true
}

// elsewhere opens the other screens of the job.
func (v *View) elsewhere(action keymap.Action) (views.Effect, bool) {
	switch action {
	case keymap.OpenLogs, keymap.OpenPrevious:
		return views.OpenScreen{Route: views.LogsRoute{Job: v.id, Previous: action == keymap.OpenPrevious}}, true
	case keymap.OpenCharts:
		return views.OpenScreen{Route: views.ChartsRoute{Job: v.id}}, true
	case keymap.Describe, keymap.YAML:
		if v.job == nil {
			return views.Notice{Text: "the job is not there", Failed: true}, true
		}
		if action == keymap.YAML {
			return views.ShowManifest{Ref: v.job.Ref}, true
		}
		return views.Described(v.job.Ref), true
	}
	return nil, false
}

func (v *View) name() string {
	if v.job == nil {
		return string(v.id)
	}
	return v.job.Ref.Name
}

func (v *View) move(by int) {
	v.at = max(0, min(v.at+by, len(v.page.items)-1))
	v.page.follow = true
}

// walk goes to the stage to the right or left.
func (v *View) walk(f views.Frame, right bool) {
	at := slices.Index(train.Stages, v.chosen(f))
	if right {
		at++
	} else {
		at--
	}
	v.choose(train.Stages[(at+len(train.Stages))%len(train.Stages)])
}

func (v *View) choose(stage train.Stage) {
	v.stage, v.at, v.offset, v.page.items = stage, 0, 0, nil
}

// chosen is the stage that is shown: the one that a person chose, that of the
// first finding, the one that the job waits at, or progress.
func (v *View) chosen(f views.Frame) train.Stage {
	if v.stage != "" {
		return v.stage
	}
	answer := v.answer(f)
	if answer != nil && len(answer.Findings) > 0 && answer.Findings[0].Stage != "" {
		return answer.Findings[0].Stage
	}
	for _, s := range v.way(f) {
		if s.State == diagnose.StageWaiting {
			return s.Stage
		}
	}
	return train.StageProgress
}

// Click handles the mouse: a stage's name, an item; twice opens the item.
func (v *View) Click(x, y int, double bool, f views.Frame) views.Effect {
	if y == 0 {
		for i, end := range v.stages {
			if x < end {
				v.choose(train.Stages[i])
				break
			}
		}
		return nil
	}
	line := v.offset + y - v.page.head
	for i, item := range v.page.items {
		if y >= v.page.head && line >= item.first && line <= item.last {
			v.at = i
			if double {
				return v.open(f)
			}
		}
	}
	return nil
}

// Wheel scrolls.
func (v *View) Wheel(lines int, _ views.Frame) { v.offset += lines }

// Text is the whole diagnosis, without colours.
func (v *View) Text(f views.Frame) string { return v.plain(f) }

// Render draws the job's stages and the text of the chosen stage.
func (v *View) Render(f views.Frame) []string {
	v.load(f)
	if v.job == nil {
		return f.Message("this job is there no more", "esc goes back")
	}
	head := v.drawStages(f)
	if len(head) > max(0, f.Height-1) {
		head = head[:max(0, f.Height-1)]
	}
	v.draft(f)
	v.page.head = len(head)
	height := f.Height - len(head)
	v.scroll(height)
	return append(head, v.page.window(f, v.offset, height, v.at)...)
}

// draft lays the page out again. The cursor stays on its item; when that is no
// longer there, at its index.
func (v *View) draft(f views.Frame) {
	key := ""
	if v.at < len(v.page.items) {
		key = v.page.items[v.at].key
	}
	v.page = v.compose(f, v.page.follow)
	if same := slices.IndexFunc(v.page.items, func(i item) bool { return i.key == key }); key != "" && same >= 0 && !v.page.has(v.at, key) {
		v.at = same
		v.page.follow = true
	}
	v.at = max(0, min(v.at, len(v.page.items)-1))
}

// has reports whether the item at an index has this key; several may.
func (p *page) has(at int, key string) bool { return at < len(p.items) && p.items[at].key == key }

// scroll keeps the item under the cursor on the screen after it was moved,
// and the window within the text.
func (v *View) scroll(height int) {
	if v.page.follow && v.at < len(v.page.items) {
		item := v.page.items[v.at]
		v.offset = min(v.offset, item.first)
		v.offset = max(v.offset, item.last-height+1)
		if v.at == 0 {
			v.offset = 0
		}
		v.page.follow = false
	}
	v.offset = max(0, min(v.offset, len(v.page.lines)-height))
}
