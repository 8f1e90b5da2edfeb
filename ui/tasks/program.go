package tasks

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/actions/audit"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/ui/custom"
	"github.com/traintop/traintop/ui/terminal"
	"github.com/traintop/traintop/views/dialog"
	"github.com/traintop/traintop/views/draw"
)

// Programs runs programs of a person's own on this machine.
type Programs struct{ host *Host }

// ProgramCall is a program with what it is run for.
type ProgramCall struct {
	Key custom.Key
	// Runs are the command lines, one for each object of On.
	Runs []custom.Run
	On   []train.Ref
}

// maxOutput bounds what is kept of what a program prints, in bytes.
const maxOutput = 4 << 20

// Start runs a program, after a question where the person wants one.
func (p *Programs) Start(call ProgramCall) tea.Cmd {
	if !call.Key.Program.Confirm {
		return p.run(call)
	}
	d := &Dialog{Dialog: &dialog.Dialog{Title: "Run " + draw.Clean(call.Key.Name) + "?", Does: "Run"}}
	d.Lines = append(d.Lines, dialog.Line{Role: themes.Text, Text: "On this machine runs:"})
	for _, run := range call.Runs {
		d.Lines = append(d.Lines, dialog.Line{Role: themes.Dim, Text: draw.Clean(strings.Join(append(run.Environment, run.String()), " "))})
	}
	d.Pressed = func() tea.Cmd { return p.run(call) }
	p.host.Open(d)
	return nil
}

func (p *Programs) run(call ProgramCall) tea.Cmd {
	records, err := p.record(call)
	if err != nil {
		return p.host.Notify("it cannot be recorded, so it is not run: "+err.Error(), true)
	}
	switch program := call.Key.Program; {
	case program.Output:
		return tea.Batch(p.host.Notify(call.Key.Name+" runs …", false), p.host.OffLoop(func() tea.Msg {
			var out limitedBuffer
			err := endRecords(records, runAll(p.host.Ctx, call, streams{nil, &out, &out}))
			return programShown{p.host, call.Key.Name, out.String(), err}
		}))
	case program.Background:
		// It outlives traintop: a browser that was opened stays open.
		return tea.Batch(p.host.Notify(call.Key.Name+" runs", false), p.host.OffLoop(func() tea.Msg {
			var out limitedBuffer
			err := endRecords(records, runAll(context.WithoutCancel(p.host.Ctx), call, streams{nil, io.Discard, &out}))
			return p.host.Notice(endOf(call.Key.Name, out.String(), err))
		}))
	default:
		lent := &lentProgram{ctx: p.host.Ctx, call: call}
		return p.host.Lend(lent, func(err error) tea.Msg {
			return p.host.Notice(endOf(call.Key.Name, "", endRecords(records, err)))
		})
	}
}

// record records a program that may change something, before it runs.
func (p *Programs) record(call ProgramCall) ([]*audit.Record, error) {
	var records []*audit.Record
	for i := range call.Runs {
		record, err := p.host.beginRecord("run "+call.Key.Name, call.On[i], call.Runs[i].String())
		if err != nil {
			return nil, err
		}
		records = append(records, record)
	}
	return records, nil
}

func endRecords(records []*audit.Record, result error) error {
	var unrecorded error
	for _, record := range records {
		unrecorded = errors.Join(unrecorded, record.End(result))
	}
	return errors.Join(result, unrecorded)
}

// endOf is the notice about the end of a program.
func endOf(name, printed string, err error) (text string, failed bool) {
	if err == nil {
		return name + " is done", false
	}
	text = name + ": " + err.Error()
	if lines := strings.Split(strings.TrimSpace(printed), "\n"); lines[len(lines)-1] != "" {
		text += ": " + lines[len(lines)-1]
	}
	return text, true
}

// programShown is what a program printed.
type programShown struct {
	host *Host
	name string
	text string
	err  error
}

// Arrive shows it as a screen.
func (s programShown) Arrive() tea.Cmd {
	if s.text == "" {
		text, failed := endOf(s.name, "", s.err)
		return s.host.Notify(text+" and printed nothing", failed)
	}
	then := s.host.ShowText(s.name, termtext.Lines(s.text))
	if s.err != nil {
		then = tea.Batch(then, s.host.Notify(endOf(s.name, "", s.err)))
	}
	return then
}

type streams struct {
	in       io.Reader
	out, err io.Writer
}

// runAll runs the command lines one after another, until one fails.
func runAll(ctx context.Context, call ProgramCall, s streams) error {
	for _, run := range call.Runs {
		command := exec.CommandContext(ctx, run.Arguments[0], run.Arguments[1:]...)
		command.Env = append(os.Environ(), run.Environment...)
		command.Stdout, command.Stderr = s.out, s.err
		if file, is := s.in.(*os.File); is {
			command.Stdin = file // another reader would lose a key that is typed after the end
		}
		if err := command.Run(); err != nil {
			return fmt.Errorf("%s: %w", run.Arguments[0], err)
		}
	}
	return nil
}

// lentProgram is a program that has the terminal. It is a tea.ExecCommand.
type lentProgram struct {
	ctx     context.Context //nolint:containedctx // the interface of bubbletea's commands has none
	call    ProgramCall
	streams streams
}

var _ tea.ExecCommand = (*lentProgram)(nil)

// SetStdin implements tea.ExecCommand.
func (l *lentProgram) SetStdin(r io.Reader) { l.streams.in = r }

// SetStdout implements tea.ExecCommand.
func (l *lentProgram) SetStdout(w io.Writer) { l.streams.out = w }

// SetStderr implements tea.ExecCommand.
func (l *lentProgram) SetStderr(w io.Writer) { l.streams.err = w }

// Run implements tea.ExecCommand. After a failure, and where the person wants
// it, the terminal stays until enter is pressed: what was printed is read.
func (l *lentProgram) Run() error {
	err := terminal.KeepMode(l.streams.in, func() error { return runAll(l.ctx, l.call, l.streams) })
	if file, is := l.streams.in.(*os.File); is && (err != nil || l.call.Key.Program.Wait) {
		text := "enter goes back to traintop"
		if err != nil {
			text = termtext.Line(err.Error()) + "; " + text
		}
		fmt.Fprint(l.streams.out, "\n-- "+text+" ")
		_, _ = bufio.NewReaderSize(file, 16).ReadString('\n') // any end is the end
	}
	return err
}

// limitedBuffer keeps the beginning of what is written to it.
type limitedBuffer struct {
	bytes.Buffer
	cut bool
}

// Write implements io.Writer.
func (b *limitedBuffer) Write(text []byte) (int, error) {
	if room := maxOutput - b.Len(); room < len(text) {
		b.cut = true
		b.Buffer.Write(text[:max(room, 0)])
		return len(text), nil
	}
	return b.Buffer.Write(text)
}

// String is what was kept.
func (b *limitedBuffer) String() string {
	if b.cut {
		return b.Buffer.String() + fmt.Sprintf("\n-- cut after %d MiB\n", maxOutput>>20)
	}
	return b.Buffer.String()
}
