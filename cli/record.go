package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/traintop/traintop/cli/config"
	"github.com/traintop/traintop/cli/process"
	"github.com/traintop/traintop/sources/recording"
	"github.com/traintop/traintop/sources/redact/eventmask"
	"github.com/traintop/traintop/termtext"
)

// recordFlags are the flags of `traintop record` as they were typed.
type recordFlags struct {
	output        string
	length        string
	size, keep    string
	logs          string
	job           string
	secretsStayIn bool
	metrics       string
}

// recordWanted is the parsed flags.
type recordWanted struct {
	output string
	length time.Duration // 0 is until it is ended
	size   int64         // bytes, 0 is no limit
	keep   time.Duration // 0 is no limit
	logs   recording.Logs
	redact bool
	// job is the one to extract from a recording, "" to record all.
	job string
	// metrics is where Prometheus is served, "" for nowhere.
	metrics string
}

func (a *app) recordCommand(opened *opening) *cobra.Command {
	typed := recordFlags{logs: string(recording.LogsAll)}
	cmd := &cobra.Command{
		Use:   "record -o FILE",
		Short: "Write what happens into a file that can be replayed",
		Long: `Write what happens into a file: objects, the logs of all training jobs, GPUs and
how the sources are doing, as they come. 'traintop --from FILE' opens it, with
every screen and at any instant; --at TIME does the same for commands.

Of each pod of a cluster the log of the container that trains is recorded, and of
others (init containers, sidecars) of those that fail; logs --all-containers names
the others that ran.

It goes on until it is ended with ctrl-c or SIGTERM, or for --for; files of --from
are recorded as they are, and with --for their logs while they grow. A recording
of the same cluster or files that is there already is continued; any other file
is left alone, and the exit code is 1. Secrets are taken out (docs/redaction.md).
-n records one namespace of a cluster; of files everything is recorded, and -l
chooses nothing: such flags are refused.

With --from FILE --job JOB a recording of that job alone is taken out of a
larger one, up to --at, or made of files, to attach to a ticket.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			wanted, err := typed.read()
			if err = cmp.Or(err, namesAddress(cmd), opened.recordsChoice(wanted.job)); err != nil {
				return usage(cmd, err)
			}
			if wanted.job != "" {
				return a.recordJob(cmd.Context(), opened, wanted)
			}
			return a.record(cmd.Context(), opened, wanted)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&typed.output, "output", "o", "", "the `FILE` to write (required)")
	f.StringVar(&typed.length, "for", "", "end after this `TIME`: 90s, 10m, 2h, 7d")
	f.StringVar(&typed.size, "max-size", "", "drop the oldest part when the file grows beyond this `SIZE`: 500M, 2Gi")
	f.StringVar(&typed.keep, "keep", "", "drop what is older than this `TIME`: 12h, 7d")
	f.StringVar(&typed.logs, "logs", typed.logs, "what of logs is recorded: all, metrics (no lines) or none")
	f.StringVar(&typed.job, "job", "", "write only what the recording or the files in --from tell of this `JOB`: name, kind/name, namespace/name or namespace/kind/name")
	f.StringVar(&typed.metrics, "metrics", "", "serve the state of jobs to Prometheus at this `ADDRESS`, as in :9464")
	f.BoolVar(&typed.secretsStayIn, "no-redact", false, "leave secrets in the file")
	_ = cmd.RegisterFlagCompletionFunc("logs", cobra.FixedCompletions([]string{"all", "metrics", "none"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// recordsChoice refuses flags that choose among jobs where a recording would hold
// others too: labels always, a namespace where files are recorded.
func (o *opening) recordsChoice(job string) error {
	switch {
	case job != "":
		return nil
	case o.selector != "":
		return errors.New("record writes all jobs that it reads, and cannot follow -l; leave it out, or take one job out of the recording with --from FILE --job JOB")
	case len(o.from) > 0 && *o.cluster.Namespace != "":
		return errors.New("record writes all that is in the files of --from, and cannot follow -n; leave it out, or take one job out with --job JOB")
	}
	return nil
}

func (f *recordFlags) read() (w recordWanted, err error) {
	w = recordWanted{output: f.output, logs: recording.Logs(f.logs), redact: !f.secretsStayIn, job: f.job, metrics: f.metrics}
	if w.output == "" {
		return w, errors.New("-o names no file; a recording needs one, traintop record -o FILE")
	}
	if w.output == "-" {
		return w, errors.New("-o - is standard output, and a recording needs a file that it can go on with, traintop record -o FILE; ./- is a file of that name")
	}
	if w.length, err = span("for", f.length); err != nil {
		return w, err
	}
	if w.keep, err = span("keep", f.keep); err != nil {
		return w, err
	}
	if f.size != "" {
		size, err := resource.ParseQuantity(f.size)
		if err != nil {
			return w, fmt.Errorf("--max-size %q is no size such as 500M or 2Gi", f.size)
		}
		if w.size = size.Value(); w.size < config.SmallestRecording {
			return w, fmt.Errorf("--max-size %s is less than 1Mi, which holds hardly a snapshot", f.size)
		}
	}
	if w.job != "" && (w.metrics != "" || w.length > 0 || w.size > 0 || w.keep > 0 || w.logs != recording.LogsAll) {
		return w, errors.New("--job takes all that is told of the job; --for, --max-size, --keep, --logs and --metrics do not go with it")
	}
	switch w.logs {
	case recording.LogsAll, recording.LogsMetrics, recording.LogsNone:
		return w, nil
	}
	return w, fmt.Errorf("--logs %q is none of all, metrics, none", f.logs)
}

// span parses a length of time as Go writes it, or in days.
func span(flag, text string) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	length, err := time.ParseDuration(text)
	if days, isDays := strings.CutSuffix(text, "d"); isDays {
		var n int
		n, err = strconv.Atoi(days)
		length = time.Duration(n) * 24 * time.Hour
	}
	if err != nil || length < time.Second || length > 10*365*24*time.Hour {
		return 0, fmt.Errorf("--%s %q is no length of time such as 90s, 10m, 2h or 7d", flag, text)
	}
	return length, nil
}

// record writes until the context ends, the time is over or files are read.
func (a *app) record(ctx context.Context, opened *opening, w recordWanted) error {
	session, err := opened.recorded(w)
	if err != nil {
		return err
	}
	session.readClock(ctx)
	options := recording.Options{
		About: recording.About{Program: version(), Source: session.place, Began: a.clock().UTC(), Logs: w.logs, Namespace: session.namespace, Redacted: w.redact},
		Now:   a.clock, SameSource: true, MaxSize: w.size, Keep: w.keep, Trouble: a.reportDisk,
		Said: func(text string) { fmt.Fprintf(a.err, "traintop: %s\n", termtext.Line(text)) },
	}
	var secrets *eventmask.Redactor
	if w.redact {
		secrets, options.Ready = session.redactor()
		options.Redact = secrets
	}
	writer, err := recording.Create(w.output, options)
	if err != nil {
		return err
	}
	doing := "recording %s into %s"
	if writer.Continued() {
		doing = "continuing the recording of %s in %s"
	}
	if session.files != nil && !w.follows() {
		doing += ", as it is now; --for TIME goes on while logs grow"
	} else {
		doing += "; ctrl-c ends it"
	}
	fmt.Fprintf(a.err, "traintop: "+doing+"\n", termtext.Line(session.place), termtext.Line(w.output))
	r := &recorder{session: session, writer: writer, logs: w.logs, now: a.clock, follower: logFollower{session: session, most: followedLogs(config.Number(opened.loaded.config.LogStreams))}}
	process.KeepMemorySmall(process.RecordGrowth)
	began := a.clock()
	r.trouble = recordTrouble{app: a, namespace: session.namespace, now: a.clock, began: began}
	err = session.besideNamespaceCheck(ctx, func(ctx context.Context) error {
		return a.serveMetrics(ctx, w.metrics, &r.observe, func(ctx context.Context) error { return r.run(ctx, w.length) })
	})
	if closing := writer.Close(); err == nil {
		err = closing
	}
	fmt.Fprintf(a.err, "traintop: recorded %s into %s, %s%s\n", termtext.Duration(a.clock().Sub(began)), termtext.Line(w.output), termtext.Bytes(writer.Size()), takenOut(secrets))
	if missing := unread(session.store.Snapshot()); len(missing) > 0 {
		fmt.Fprintf(a.err, "traintop: at the end %d sources could not be read: %s\n", len(missing), listed(missing))
	}
	a.reportLeftOut(session)
	a.sayUnreadLogs(session.store.Snapshot())
	return err
}

// readClock sets the clock by the cluster's before it is read.
func (s *session) readClock(ctx context.Context) {
	if s.cluster != nil {
		s.cluster.ReadClock(ctx)
	}
}

// reportDisk reports that the disk accepts no writes, and when it does again.
func (a *app) reportDisk(text string) {
	if text == "" {
		text = "the recording goes on; what is missing is noted in it"
	} else {
		text += "; what comes meanwhile is not recorded, and it is tried again"
	}
	fmt.Fprintf(a.err, "traintop: %s\n", termtext.Line(text))
}

func takenOut(secrets *eventmask.Redactor) string {
	if secrets == nil {
		return "; secrets were left in it"
	}
	total := 0
	for _, n := range secrets.Counts() {
		total += n
	}
	if total == 0 {
		return "" // values of variables are removed before they arrive here, and are not counted
	}
	return fmt.Sprintf("; %d secrets were taken out of objects and logs", total)
}

// recorded opens the source to record: the files, or all that may be read of
// the cluster, or of it the one namespace alone that is named.
func (o *opening) recorded(w recordWanted) (*session, error) {
	return o.followed(*o.cluster.Namespace != "", w.follows())
}

// follows reports whether logs in files are recorded while they grow, rather than as
// they are: a time to record was asked for, or somebody to be served.
func (w recordWanted) follows() bool { return w.length > 0 || w.metrics != "" }

// followed opens the source to follow without a screen. A cluster that is pinned is
// read in one namespace alone; logs in files are followed where they may grow.
func (o *opening) followed(pinned, growing bool) (*session, error) {
	s, err := o.begin()
	if err != nil {
		return nil, err
	}
	s.store.SetLimits(recordingLimits)
	if len(o.from) > 0 {
		return s, o.openFiles(s, growing)
	}
	if err := o.openCluster(s, pinned, o.loaded.config.Measuring()); err != nil {
		return nil, err
	}
	return s, o.openPrometheus(s, 0, true)
}
