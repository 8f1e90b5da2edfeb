package cli

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/cli/process"
)

// TestABlockedWriteEndsWithAnInterrupt: the output has no reader, and the
// command ends all the same once it is interrupted.
func TestABlockedWriteEndsWithAnInterrupt(t *testing.T) {
	read, write := io.Pipe()
	defer func() { _ = read.Close() }()
	ctx, interrupt := context.WithCancel(t.Context())
	w := process.NewInterruptible(ctx, write)
	time.AfterFunc(50*time.Millisecond, interrupt)
	began := time.Now()
	for range 100 {
		if n, err := w.Write([]byte("step 1\n")); n != 0 || !errors.Is(err, context.Canceled) {
			t.Fatalf("%d bytes, %v", n, err)
		}
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it took %s", took)
	}
}

// TestAnInterruptedCommandStillPrints: output that has a reader is written,
// interrupted or not, and a buffer may be used again after a write.
func TestAnInterruptedCommandStillPrints(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	read, write := io.Pipe()
	w := process.NewInterruptible(ctx, write)
	go func() {
		line := []byte("step 1\n")
		_, _ = w.Write(line)
		copy(line, "step 2\n")
		interrupt()
		_, _ = w.Write(line)
		_ = write.Close()
	}()
	if text, err := io.ReadAll(read); string(text) != "step 1\nstep 2\n" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
}

// TestOnlyAnswersAreCommands: a command that was renamed would no longer end.
func TestOnlyAnswersAreCommands(t *testing.T) {
	root := (&app{out: io.Discard, err: io.Discard}).root()
	for _, name := range onlyAnswers {
		if cmd, _, err := root.Find(strings.Fields(name)); err != nil || cmd.CommandPath() != root.CommandPath()+" "+name {
			t.Errorf("%s finds %v, %v", name, cmd.CommandPath(), err)
		}
	}
}
