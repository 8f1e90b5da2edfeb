package diagnose

import "testing"

func TestLastLinesThatSpeakOfAnEnd(t *testing.T) {
	for line, want := range map[string]bool{
		"Terminated": true,
		"thread 'main' panicked at src/main.rs:4:5":              true,
		"note: run with `RUST_BACKTRACE=1` environment variable": true,
		"\tat java.util.Arrays.copyOf(Arrays.java:3210)":         true,
		"Floating point exception (core dumped)":                 true,
		"Process exited with code 137":                           true,
		"make: *** [Makefile:12: train] Error 1":                 true,
		"Execution halted":                                       true,
		"2026-11-20 08:50:00 ERROR trainer failed, aborting":     true,
		"error: unexpected EOF":                                  true,
		"rpc error: code = NotFound desc = an error occurred":    true,
		"step 200 loss 1.83 lr 3e-4":                             false,
		"training finished, exit code 0":                         false,
		"eval error 0.031 accuracy 0.97":                         false,
		"saved checkpoint-400 to /ckpt":                          false,
		"error rate 0.02, mean absolute error 0.11 at step 80":   false,
		"{\"step\": 20, \"loss\": 2.1, \"status\": 200}":         false,
		"wandb: Run summary: train/loss 1.2":                     false,
	} {
		if got := speaksOfAnEnd.MatchString(line); got != want {
			t.Errorf("%q: %t, want %t", line, got, want)
		}
	}
}
