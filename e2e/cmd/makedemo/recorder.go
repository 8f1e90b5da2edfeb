package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/traintop/traintop/e2e/undertest"
)

// recorder is `traintop record` as its own process, as people run it.
type recorder struct {
	program, path string
	process       *exec.Cmd
	said          bytes.Buffer
	ended         chan error
}

// buildRecorder builds traintop from the folder above e2e.
func buildRecorder(ctx context.Context, work string) (*recorder, error) {
	program, err := undertest.Traintop(ctx, "..", work)
	return &recorder{program: program, path: filepath.Join(work, "demo.ttrec"), ended: make(chan error, 1)}, err
}

// start begins to record, and returns when the first events are in the file.
func (r *recorder) start(ctx context.Context, kubeconfig string) error {
	r.process = exec.CommandContext(ctx, r.program, "record", "-o", r.path, "--prometheus=off", "--kubeconfig="+kubeconfig)
	r.process.Stderr = &r.said
	r.process.Env = append(os.Environ(), "XDG_CONFIG_HOME="+filepath.Join(filepath.Dir(r.path), "config"))
	if err := r.process.Start(); err != nil {
		return fmt.Errorf("start traintop record: %w", err)
	}
	go func() { r.ended <- r.process.Wait() }()
	for {
		if info, err := os.Stat(r.path); err == nil && info.Size() > 8<<10 {
			return nil
		}
		select {
		case err := <-r.ended:
			return fmt.Errorf("traintop record ended: %w\n%s", err, &r.said)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// stop ends the recording in order.
func (r *recorder) stop() error {
	if err := r.process.Process.Signal(syscall.SIGTERM); err != nil {
		return fmt.Errorf("end traintop record: %w", err)
	}
	select {
	case err := <-r.ended:
		if err != nil {
			return fmt.Errorf("end traintop record: %w\n%s", err, &r.said)
		}
		say(r.said.String())
		return nil
	case <-time.After(time.Minute):
		return errors.Join(errors.New("traintop record does not end"), r.process.Process.Kill())
	}
}
