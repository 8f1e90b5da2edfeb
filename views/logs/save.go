package logs

import (
	"context"
	"fmt"
	"strings"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// mostCopied bounds copies to the clipboard: terminals accept a sequence (OSC
// 52) of some 100 kB at most, xterm and tmux among them, and drop longer ones
// silently. Base64 makes four bytes of three.
const mostCopied = 74_000

// copied copies the newest lines of the focused rank to the clipboard, as many
// as it accepts.
func (v *View) copied(f views.Frame) views.Effect {
	if v.merged {
		return v.copiedEntries()
	}
	s := v.focused()
	l := v.linesIn(&s.pane)
	if l == nil || l.Len() == 0 {
		return views.Notice{Text: "there is no line to copy", Failed: true}
	}
	from, size := l.Len(), 0
	for from > 0 {
		size += len(draw.LogPlain(l.At(from-1).Text)) + 1
		if size > mostCopied && from < l.Len() {
			break
		}
		from--
	}
	var b strings.Builder
	for i := from; i < l.Len(); i++ {
		b.WriteString(draw.LogPlain(l.At(i).Text))
		b.WriteByte('\n')
	}
	text := b.String()
	notice := fmt.Sprintf("copied %s of rank %d", draw.Plural(l.Len()-from, "line"), s.rank.Index)
	if from > 0 || len(text) > mostCopied {
		text = text[max(0, len(text)-mostCopied):]
		notice = fmt.Sprintf("copied the last %s of %s of rank %d: a terminal takes no more; ctrl-s saves all",
			draw.Count(l.Len()-from), draw.Plural(l.Len(), "line"), s.rank.Index)
	}
	return views.CopyText{Text: strings.ToValidUTF8(text, ""), Notice: notice}
}

// copiedEntries copies the merged lines on the screen to the clipboard.
func (v *View) copiedEntries() views.Effect {
	var b strings.Builder
	for _, e := range v.merge.entries {
		who := fmt.Sprintf("rank %d", e.track.rankPane.rank.Index)
		if e.ranks > 1 {
			who = fmt.Sprintf("%d ranks", e.ranks)
		}
		fmt.Fprintf(&b, "%s: %s\n", who, draw.LogPlain(e.line.Text))
	}
	if b.Len() == 0 {
		return views.Notice{Text: "there is no line to copy", Failed: true}
	}
	text := b.String()
	return views.CopyText{Text: strings.ToValidUTF8(text[max(0, len(text)-mostCopied):], ""), Notice: "copied the " + draw.Plural(len(v.merge.entries), "line") + " on the screen"}
}

// save writes the kept lines to files, one for each rank: of the picked ranks
// or, in full size, of the one; of all where none was picked.
func (v *View) save() views.Effect {
	v.saving = true
	return views.Notice{Text: "saving" + fmt.Sprintf(" %s", draw.Plural(len(v.toSave()), "log"))}
}

// toSave are the ranks whose logs are saved.
func (v *View) toSave() []int {
	if v.alone && !v.merged {
		return []int{v.shown[v.focus]}
	}
	return v.shown
}

// makeFiles is the work of building the files.
func (v *View) makeFiles(f views.Frame) func(context.Context) any {
	v.saving = false
	type one struct {
		name string
		log  *store.Log
	}
	var all []one
	allRanks := v.toSave()
	for _, at := range allRanks {
		s := v.allRanks[at]
		v.loadPane(f, s)
		if lineCount(s.pane.log) > 0 {
			all = append(all, one{fileName(v.job, s), s.pane.log})
		}
	}
	return func(ctx context.Context) any {
		var files []views.File
		for _, o := range all {
			if ctx.Err() != nil {
				return nil
			}
			files = append(files, views.File{Name: o.name, Text: wholeText(o.log)})
		}
		if len(files) == 0 {
			return views.Notice{Text: "there is no line to save", Failed: true}
		}
		return views.SaveFiles{Files: files, Note: notSaved(len(allRanks) - len(files))}
	}
}

// notSaved explains how to save logs of which nothing was read.
func notSaved(ranks int) string {
	if ranks == 0 {
		return ""
	}
	return "nothing was read yet of " + draw.Plural(ranks, "rank") + ": v or ] reads them"
}

// fileName is JOB-rankN-attemptM.log, with the container where it is not the
// one that trains.
func fileName(job *train.Job, s *rankPane) string {
	name := fmt.Sprintf("%s-rank%d-attempt%d", job.Ref.Name, s.rank.Index, s.pane.at+1)
	if c := s.pane.container; c != "" && c != s.rank.Container {
		name += "-" + c
	}
	return views.FileName(name) + ".log"
}

// wholeText is all that is kept of a log, as it was printed.
func wholeText(log *store.Log) string {
	var b strings.Builder
	b.Grow(log.Lines.Bytes())
	if lines, _ := log.Lines.Dropped(); lines > 0 {
		fmt.Fprintf(&b, "(%s before this are no longer kept)\n", draw.Plural(int(lines), "line"))
	}
	for i := range log.Lines.Len() {
		b.WriteString(draw.LogPlain(log.Lines.At(i).Text))
		b.WriteByte('\n')
	}
	return b.String()
}
