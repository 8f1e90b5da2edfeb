package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/traintop/traintop/cli/process"
	"github.com/traintop/traintop/sources"
	"github.com/traintop/traintop/sources/dump"
	"github.com/traintop/traintop/sources/logfeed"
	"github.com/traintop/traintop/sources/recording"
)

// openFiles reads files; with follow, it follows the logs among them while they
// grow. A recording is opened at its instant.
func (o *opening) openFiles(s *session, follow bool) error {
	s.place, s.context = strings.Join(o.from, ", "), contextOfFiles(o.from)
	for _, path := range o.from {
		if path == "-" || !isRecording(path) {
			continue
		}
		if len(o.from) > 1 {
			return fmt.Errorf("%s is a recording, which is opened alone; leave the other --from out", path)
		}
		return o.openRecording(s, path)
	}
	if err := dump.CheckRanks(o.from); err != nil {
		return &usageError{"traintop", err}
	}
	timeout, err := o.requestTimeout()
	if err != nil {
		return err
	}
	in := &peeked{in: o.app.in}
	s.files = dump.New(o.from, dump.Options{
		Stdin: in, Follow: follow, Logs: logfeed.Options{Formats: *o.loaded.formats.Load(), LinesOnly: o.linesOnly, Zone: time.Local}, Now: o.app.clock,
		ListWithin: limitOfAnswer(timeout, o.endless(timeout)).whole, AnswerWithin: limitOfAnswer(timeout, o.endless(timeout)).whole,
	})
	s.files.FindRanks(s.ownerOfRank)
	switch {
	case len(o.from) == 1 && o.from[0] == "-" && o.app.in != nil:
		s.source = &fromStandardInput{opened: o, files: s.files, in: in}
	case o.at != "":
		return &usageError{"traintop", errAtWithoutRecording}
	default:
		s.source = s.files
	}
	return nil
}

// isRecording reads the first bytes of a file. An unreadable file is left to
// the reader of files, which reports why. A pipe is not touched: bytes read
// from it are gone. Nor is what is too short for a recording, such as a file of
// /proc, the size of which is 0: reading the kernel's log takes bytes too, or waits.
func isRecording(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || info.Size() < int64(recording.MagicSize) {
		return false
	}
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = file.Close() }() // read only
	head := make([]byte, recording.MagicSize)
	n, _ := io.ReadFull(file, head) // its reader reports why it cannot be read
	return recording.Is(head[:n])
}

func (o *opening) openRecording(s *session, path string) error {
	f, err := recording.Open(path)
	if err != nil {
		return err
	}
	source, err := o.instant(path, f)
	if err != nil {
		_ = f.Close() // read only
		return err
	}
	if o.backlog == 0 {
		process.KeepMemorySmall(process.InstantGrowth) // the screen sets its own
	}
	s.source, s.replay = source, newReplay(f, source, o.app.clock)
	s.fromInstant = o.at != ""
	return nil
}

// fromStandardInput reads standard input: a recording, or anything else that
// files may hold. Its first bytes decide which.
type fromStandardInput struct {
	opened *opening
	files  *dump.Files
	in     *peeked
}

// Run implements sources.Source.
func (f *fromStandardInput) Run(ctx context.Context, sink sources.Sink) error {
	is, err := f.in.isRecording(ctx)
	if err != nil {
		return nil // the reader left; that is not a failure
	}
	if !is {
		if f.opened.at != "" {
			return &usageError{"traintop", errAtWithoutRecording}
		}
		return f.files.Run(ctx, sink)
	}
	return f.recording(ctx, sink)
}

// recording copies standard input to a file, since a recording is read from
// many places.
func (f *fromStandardInput) recording(ctx context.Context, sink sources.Sink) error {
	spool, err := os.CreateTemp("", "traintop-*.ttrec")
	if err != nil {
		return fmt.Errorf("keeping the recording from standard input: %w", err)
	}
	defer func() { _ = os.Remove(spool.Name()) }()
	defer func() { _ = spool.Close() }() // it is removed
	size, err := io.Copy(spool, f.in)
	if err != nil {
		return fmt.Errorf("keeping the recording from standard input: %w", err)
	}
	file, err := recording.Read(spool, size)
	if err != nil {
		return fmt.Errorf("reading the recording from standard input: %w", err)
	}
	source, err := f.opened.instant("standard input", file)
	if err != nil {
		return err
	}
	return source.Run(ctx, sink)
}

// peeked is a stream whose beginning is inspected before it is read.
type peeked struct {
	in   io.Reader
	head []byte
	err  error
}

// isRecording waits for enough bytes to decide. It returns an error only when
// the context ends before.
func (p *peeked) isRecording(ctx context.Context) (bool, error) {
	done := make(chan struct{})
	go func() { // a read that blocks cannot be canceled; it touches p alone
		defer close(done)
		buf := make([]byte, recording.MagicSize)
		for p.err == nil && len(p.head) < len(buf) && recording.Begins(p.head) {
			var n int
			n, p.err = p.in.Read(buf[:len(buf)-len(p.head)])
			p.head = append(p.head, buf[:n]...)
		}
	}()
	select {
	case <-done:
		return recording.Is(p.head), nil
	case <-ctx.Done():
		return false, ctx.Err()
	}
}

// Read implements io.Reader.
func (p *peeked) Read(into []byte) (int, error) {
	if len(p.head) > 0 {
		n := copy(into, p.head)
		p.head = p.head[n:]
		return n, nil
	}
	if p.err != nil {
		return 0, p.err
	}
	if p.in == nil {
		return 0, errors.New("standard input is not available here; name a file instead")
	}
	return p.in.Read(into)
}
