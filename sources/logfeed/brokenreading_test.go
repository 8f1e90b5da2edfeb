package logfeed

import (
	"testing"

	"github.com/traintop/traintop/sources/formats"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

type noSink struct{}

func (noSink) Apply(...store.Event) {}

// missingIn reads a text and returns the notices that lines are missing.
func missingIn(text string) Missing {
	feed := NewFeed(noSink{}, train.StreamID{File: "a.log"}, Options{Formats: formats.Options{}})
	_, _ = feed.Write([]byte(text))
	feed.End()
	return feed.Missing()
}

// A keeper of a log writes that lines are missing where they are: Databricks, Jenkins
// (ConsoleNote's page and its annotated log), systemd 255's journald, rsyslog 8's imjournal and imuxsock,
// BuildKit's clipped output, Jupyter, Colab, Heroku's and editors' ways.
func TestNoticesOfMissingLines(t *testing.T) {
	const before, after = "step: 1 loss: 3.5\nstep: 2 loss: 3.4\n", "\nstep: 3 loss: 3.3\n"
	for _, line := range []string{
		"*** WARNING: skipped 81234 bytes of output ***", "[...truncated 3.2 MB...]", "[...truncated 1,204 lines...]", "Skipping 3,214 KB.. Full Log", "<1234 lines omitted>", "... 12 lines skipped ...",
		"Nov 20 10:03:00 gpu-1 systemd-journald[300]: Suppressed 12345 messages from train.service", "Suppressed 12345 messages from train.service", "Nov 20 10:03:00 gpu-1 systemd-journald[300]: Missed 20 kernel messages",
		"Nov 20 10:03:00 gpu-1 rsyslogd: imjournal: 12345 messages lost due to rate-limiting (20000 allowed within 600 seconds)", "Nov 20 10:03:00 gpu-1 rsyslogd-2177: imuxsock lost 231 messages from pid 4567 due to rate-limiting",
		"rsyslogd: imuxsock[pid 4567]: begin to drop messages due to rate-limiting", "[output clipped, log speed 100KiB/s reached]", "[output truncated]", "--- 300 lines truncated ---", "(1,200 more lines not shown)",
		"[2026-11-20 10:03] [... 500 lines omitted ...]", "Streaming output truncated to the last 5000 lines.", "IOPub data rate exceeded.", "12,000 bytes of output were dropped",
		"train loop:  41%|####      | 5169/12724 [28:24<40:33,  3.10it/s, cost=8.39]  IOPub message rate exceeded.", "\x1b[33m[... truncated 2.1 MiB ...]\x1b[0m",
	} {
		if got := missingIn(before + line + after); got.Line != 3 || got.Count != 1 || got.Text == "" {
			t.Errorf("%q: %+v", line, got)
		}
	}
	for _, line := range []string{
		"skipped 12 batches", "truncated 300 sequences", "dropped 5 samples", "[12 tokens truncated]", "WARNING: skipped 3 lines of train.jsonl", "Skipping 12 lines", "dropped 100 messages", "lost 3 messages in the queue",
		"[WARNING] output truncated to 512 tokens", "truncated 3.2 MB", "12 lines skipped", "Total lines skipped (#nosec): 0", "[... 1200 characters truncated ...]", "... 12 frames hidden ...",
		"net_ratelimit: 12 callbacks suppressed", "Lustre: 3315:0:(client.c:2116:ptlrpc_expire_one_request()) Skipped 68 previous similar messages", "[node1:1234] *** MPI_ERR_TRUNCATE: message truncated",
		"(raylet) [repeated 12x across cluster]", "packets dropped 12, bytes 3000", "lost 3 bytes", "[Previous line repeated 996 more times]", "last message repeated 3 times", "loss: 3 lines omitted=2", "<omitted>", "...",
	} {
		if got := missingIn(before + line + after); got.Count != 0 {
			t.Errorf("%q: %+v", line, got)
		}
	}
}
