package logfindings

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/traintop/traintop/sources/signatures"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// mostGuessed bounds the lines of one text that are searched for words alone,
// and mostGuessedAll those of all ranks: this is for pasted texts, not for the
// logs of whole runs.
const (
	mostGuessed    = 400
	mostGuessedAll = 2000
)

// FewLines returns how many lines of a text are searched for words alone: 0
// for one that is longer, or that shows training.
func FewLines(log *store.Log) int {
	if n := log.Lines.Len(); n <= mostGuessed && none(log.Lines.Dropped()) && len(log.Samples.Rows) == 0 {
		return n
	}
	return 0
}

func none(lines, bytes int64) bool { return lines == 0 && bytes == 0 }

// guess returns what a text without a known message may be about: the exception with
// which it ends, or else what its words hint at.
func guess(job *train.Job, rankLogs []rankLog, words Wording) []train.Finding {
	if !job.LogsOnly {
		return nil
	}
	if found := lastException(job, rankLogs, words); found != nil {
		return found
	}
	return guessFromHints(job, rankLogs, words)
}

// guessFromHints returns the line whose words name a cause best. It is reported only as
// possible, and not where training continues after the line.
func guessFromHints(job *train.Job, rankLogs []rankLog, words Wording) []train.Finding {
	var best, raised *candidate
	place, left := 0, mostGuessedAll
	for i := range rankLogs {
		for _, log := range rankLogs[i].logs {
			few := min(FewLines(log), left)
			left -= few
			for n := 0; n < few; n++ {
				if text, end, is := helpMessage(log, n, few); is {
					if c, at, is := helpCandidate(rankLogs[i].rank, log, n, text); is && (best == nil || at < place) {
						best, place = &c, at
					}
					n = end
					continue
				}
				line := log.Lines.At(n)
				if c, is := raisedAt(rankLogs[i].rank, log, n); is {
					raised = &c // the last one
					continue
				}
				cause, at, found := signatures.Hint(string(signatures.WithoutData([]byte(line.Text))))
				if !found || best != nil && at >= place {
					continue
				}
				hit := train.LogHit{Cause: cause, Line: line.Number, Time: line.Time, Text: line.Text, Rank: -1}
				if c := (candidate{cause: cause, rank: rankLogs[i].rank, at: line.Time, hit: hit, log: log}); !healed(log, &hit) {
					best, place = &c, at
				}
			}
		}
	}
	if raised != nil && (best == nil || raised.narrowed) {
		best = raised
	}
	if best == nil {
		if f, is := warnedEvent(job, rankLogs); is {
			return []train.Finding{f}
		}
		if found := raisedLosses(job, rankLogs, words); found != nil {
			return found
		}
		if found := saidError(job, rankLogs); found != nil {
			return found
		}
		return saidFailure(job, rankLogs)
	}
	if informs.MatchString(best.hit.Text) {
		if found := saidError(job, rankLogs); found != nil {
			return found
		}
	}
	return []train.Finding{best.guessed(job, words)}
}

// saysNoCause reports whether a line states only that something failed: a traceback
// without its exception, and reports of a program's end without a reason.
func (c *candidate) saysNoCause() bool {
	switch c.cause {
	case "application-error", "torchrun-child-failed", "abort-sigabrt":
		return c.tier() >= tierLost
	}
	return c.hit.Signature == "python-cut"
}

// nameByWords puts the cause that a line marked as an error names in its words before
// findings that name none.
func nameByWords(job *train.Job, rankLogs []rankLog, words Wording, found []train.Finding) []train.Finding {
	if !job.LogsOnly {
		return found
	}
	for i := range rankLogs {
		for _, log := range rankLogs[i].logs {
			for n := FewLines(log) - 1; n >= 0; n-- {
				line := log.Lines.At(n)
				if !marksError(line.Text) && reachOf(line.Text) < math.MaxInt && !headsError.MatchString(line.Text) && !leadsTo(&line, &found[0]) {
					continue
				}
				cause, _, is := signatures.Hint(level.ReplaceAllString(line.Text, ""))
				if !is || endsAlone[cause] || isHit(log, line.Number) {
					continue
				}
				hit := train.LogHit{Cause: cause, Line: line.Number, Time: line.Time, Text: line.Text, Rank: -1}
				if healed(log, &hit) {
					continue
				}
				c := candidate{cause: cause, rank: rankLogs[i].rank, at: line.Time, hit: hit, log: log}
				f := c.guessed(job, words)
				f.RootRank = found[0].RootRank
				for _, other := range found {
					f.Hides = append(f.Hides, other.Cause)
				}
				slices.Sort(f.Hides)
				return []train.Finding{f}
			}
		}
	}
	return found
}

// justAbove is how many lines above the one with which a program ended may hold the reason.
const justAbove = 2

// leadsTo reports whether a line that states a failure is just above the one with which a
// program aborts: programs print why, and then end themselves.
func leadsTo(line *train.LogLine, f *train.Finding) bool {
	return f.Cause == "abort-sigabrt" && slices.ContainsFunc(f.Evidence, func(e train.Evidence) bool {
		return e.Line > line.Number && e.Line <= line.Number+justAbove
	}) && (plainFailure.MatchString(line.Text) || leadingError.MatchString(line.Text)) && !bearableFailure.MatchString(line.Text) && !ofCode.MatchString(line.Text)
}

// leadingError matches the word in front of a reason.
var leadingError = regexp.MustCompile(`(?i)^[^\n:]{0,60}\berror\b[^\n:]{0,20}: ?\S`)

// endsAlone are causes that state how a program ended, not why.
var endsAlone = map[train.Cause]bool{
	"application-error": true, "python-exception": true, "torchrun-child-failed": true, "abort-sigabrt": true, "segfault": true, "sigkill-received": true, "sigterm-received": true,
}

// isHit reports whether a row matched a line.
func isHit(log *store.Log, line int64) bool {
	return slices.ContainsFunc(log.Hits, func(hit train.LogHit) bool { return hit.Line == line })
}

// headsError matches a line with which a program reports an exception that it caught, above
// the traceback.
var headsError = regexp.MustCompile(`^(?:Unhandled |Uncaught |Caught )?(?:[Ee]xception|[Ee]rror) (?:in|during|while|at) \w[^\n]*: \S[^\n]{7,}`)

// guessed is the finding of a line whose words name a cause.
func (c *candidate) guessed(job *train.Job, words Wording) train.Finding {
	f := c.finding(job, words(c.cause))
	f.Severity, f.Confidence, f.Title = train.SeverityInfo, train.Possible, perhaps+f.Title
	f.Explanation = "The text holds no wording that is known; this line has the words of such a cause. " + f.Explanation
	return f
}

// warning matches an event of type Warning in what kubectl describe and kubectl
// get events print: the reason, what is between it and the message.
var warning = regexp.MustCompile(`\bWarning\s+([A-Z]\w+)\s+(?:(?:\d+\w*|<(?:unknown|invalid)>)(?: \((x\d+) over \w+\))?\s+([\w.-]+(?:, \S+)?)|[\w./-]+)\s+(\S[^\n]*)`)

var (
	// failureReason matches a reason that names a failure itself.
	failureReason = regexp.MustCompile(`Fail|Error|Reject|Denied|Refus|Timeout|TimedOut|Unable`)
	// failureWords matches words of a message that name one. A message that comes
	// three times or more counts as well: components repeat what they wait for.
	failureWords = regexp.MustCompile(`(?i)\b(?:error|fail\w*|fatal|cannot|can't|could ?n[o']t|unable|denied|refused|rejected|timed? ?out|invalid|not (?:found|enough|ready|allowed|available)|no (?:free|available|such|slots?|room|capacity)|insufficient|exceed\w*|missing|unavailable|lost|blocked|exhausted)\b`)
	// asideReason matches reasons of warnings that keep no pod from starting or running
	// (kubelet 1.36 pkg/kubelet/events, the autoscaler of pods, Kyverno where it only
	// audits), or that other rules weigh.
	asideReason = regexp.MustCompile(`^(?:DNSConfigForming|MissingClusterDNS|CheckLimitsForResolvConf|PolicyViolation|HostNetworkNotSupported|ImageGCFailed|FreeDiskSpaceFailed|InvalidDiskCapacity|FailedToRetrieveImagePullSecret|Unhealthy|ProbeWarning|BackOff|Failed(?:Get|Compute)\w*Metrics?\w*|FailedToUpdateEndpoint\w*|FailedPreStopHook)$`)
)

// recorded matches an event of type Warning as client-go's recorder logs it, in the log of
// any controller: the object, the reason, the message (tools/record/event.go).
var recorded = regexp.MustCompile(`\bEvent\(v1\.ObjectReference\{Kind:"(\w+)", Namespace:"[^"]*", Name:"([^"]*)"[^}]*\}\): type: 'Warning' reason: '(\w+)' (\S[^\n]*)`)

// occurred is the same as client-go logs it since klog is structured: "Event occurred" and
// the fields behind it (tools/record/event.go, StartStructuredLogging).
var occurred = regexp.MustCompile(`"Event occurred" object="([^"]*)"[^\n]* kind="(\w+)"[^\n]* type="Warning" reason="(\w+)" message="((?:[^"\\\n]|\\.)*)"`)

// aWarning reads an event of type Warning: the reason, how often, who wrote it, the message.
func aWarning(line string) (reason, times, by, message string, is bool) {
	if m := warning.FindStringSubmatch(line); m != nil {
		return m[1], m[2], cmp.Or(m[3], "an event"), m[4], true
	}
	if m := recorded.FindStringSubmatch(line); m != nil {
		return m[3], "", "an event of " + m[1] + " " + m[2], m[4], true
	}
	if m := occurred.FindStringSubmatch(line); m != nil {
		return m[3], "", "an event of " + m[2] + " " + m[1], m[4], true
	}
	return "", "", "", "", false
}

// warns reports whether an event of type Warning is about a failure.
func warns(reason, times, message string) bool {
	if asideReason.MatchString(reason) {
		return false
	}
	return failureReason.MatchString(reason) || failureWords.MatchString(message) || len(times) > 2 || times >= "x3"
}

// warnedEvent quotes the last event that warns of a failure in words that nobody
// knows, unless the log shows that its pod started after it.
func warnedEvent(job *train.Job, rankLogs []rankLog) (train.Finding, bool) {
	for i := range rankLogs {
		for _, log := range rankLogs[i].logs {
			for n := FewLines(log) - 1; n >= 0; n-- {
				line := log.Lines.At(n)
				reason, times, said, message, is := aWarning(line.Text)
				if !is || !warns(reason, times, message) || signatures.IsHarmless(line.Text) {
					continue
				}
				hit := train.LogHit{Signature: "name-reserved", Cause: "application-error", Line: line.Number, Time: line.Time, Text: line.Text, Rank: -1}
				if healed(log, &hit) {
					continue
				}
				c := candidate{cause: "application-error", rank: rankLogs[i].rank, at: line.Time, hit: hit, log: log, title: said + " says " + reason + ": " + message}
				f := c.finding(job, Words{
					Meaning: "The text holds no wording that is known; this event warns of a failure. " + capital(said) + " wrote it, and what it is about waits as long as it repeats.",
					Fix:     "Look for the words in the documentation and the log of the component that wrote the event.",
				})
				f.Severity, f.Confidence, f.Title = train.SeverityInfo, train.Possible, perhaps+safe(f.Title)
				return f, true
			}
		}
	}
	return train.Finding{}, false
}

// errorLine matches a line that a program marks as an error: the level, behind a time, a
// name of the program, a place in its source or nothing, or as one of several fields in brackets.
var errorLine = regexp.MustCompile(`^\s*(?:\[?\d{4}[-/]\d\d[-/]\d\d[T ,]+[\d:.,]+(?:Z| UTC)?\]?:?\s+|\d\d:\d\d:\d\d(?:[.,]\d+)?(?: [AP]M)?\s+)?(?:\{[\w./-]+:\d+\}\s+)?(?:[\w./-]+(?:\[\d+\])?:\s+)?[\[(]?(?:FATAL|ERROR|CRITICAL|SEVERE|Fatal|fatal|Error|error)(?:[\])]:?\s|:\s| - | \|)\s*\S[^\n]{7,}` +
	`|^\s*(?:\[[^\]\n]{0,60}\]\s?){0,4}\[(?:FATAL|ERROR|CRITICAL|SEVERE|Fatal|Error|Critical|fatal|error|critical)\s*\](?:\s?\[[^\]\n]{0,60}\]){0,4}:?\s*\S[^\n]{7,}` +
	// Behind fields between signs, as loguru and many a format of Python's logging have
	// it, and with a name behind it: "ERROR:name:", "[ERROR|trainer.py:12] ", "ERROR worker.py:3 -- ".
	`|^\s*\[?(?:\d{4}|\d\d)[-/]\d\d[-/]\d\d[T ][\d:.,]+Z?\]?\s*[|-]\s+(?:[\w./:<>-]{1,60}\s*[|-]\s+){0,3}(?:FATAL|ERROR|CRITICAL|SEVERE)\s*[|:-]\s*\S[^\n]{7,}` +
	`|^\s*\[?(?:\d{4}|\d\d)[-/]\d\d[-/]\d\d[T ][\d:.,]+Z?\]?\s+(?:FATAL|ERROR|CRITICAL|SEVERE)\s+\[?[\w./]*[./:]\w*[\]:]*\s\S[^\n]{7,}` +
	`|^(?:ERROR|CRITICAL):[\w.-]+:\S[^\n]{7,}|^\[(?:ERROR|CRITICAL)\|[^\]\n]{1,60}\][^\n]{8,}`)

// levelWord matches a level in capitals among the first words of a line, behind a time, and
// what a logger names behind it: loggers of any language have it there.
var levelWord = regexp.MustCompile(`^\W*(?:\d[\d:.,/TZ+-]+\W+){1,2}((?:[\w./\[\]:@-]+\s+){0,2}\W?)(?:FATAL|ERROR|CRITICAL|SEVERE)\b[\])]?[: ]\s*\S[^\n]{7,}`)

// lowLevel matches a level of no error. Behind it, the line is what a program passes on of
// another one.
var lowLevel = regexp.MustCompile(`\b(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?)\b`)

// hasLevel reports whether a line has the level of an error behind its time.
func hasLevel(line string) bool {
	m := levelWord.FindStringSubmatch(line)
	return m != nil && !lowLevel.MatchString(m[1])
}

// errorRecord matches a record of an error as components of clusters write them: klog,
// zap on a console, logfmt, JSON.
var errorRecord = regexp.MustCompile(`(?:^|\s)[EF]\d{4} \d\d:\d\d:\d\d\.\d+\s+\d+ \S+:\d+\] \S[^\n]{7,}|^\S+\s+(?:DPANIC|PANIC|ERROR|FATAL)\t\S[^\n]{7,}|(?:^|\s)level=(?i:error|fatal|panic)\s[^\n]*\bmsg=|"(?:level|lvl|severity)": ?"(?i:error|fatal|critical|panic)"`)

// informs matches a record that its program marks as information.
var informs = regexp.MustCompile(`^\s*I\d{4} \d\d:\d\d:\d\d\.\d|(?:^|\s)level=(?i:info)\s|"(?:level|lvl|severity)": ?"(?i:info)"`)

// marksError reports whether a program marks a line as an error.
func marksError(line string) bool {
	return (errorLine.MatchString(line) || hasLevel(line) || errorRecord.MatchString(line)) && !signatures.IsHarmless(line)
}

// saidError quotes the last line of a pasted text that its program marks as an error, where
// nobody knows its words and no training follows.
func saidError(job *train.Job, rankLogs []rankLog) []train.Finding {
	for i := range rankLogs {
		for _, log := range rankLogs[i].logs {
			for n := FewLines(log) - 1; n >= 0; n-- {
				line := log.Lines.At(n)
				if !marksError(line.Text) {
					continue
				}
				hit := train.LogHit{Signature: "name-reserved", Cause: "application-error", Line: line.Number, Time: line.Time, Text: line.Text, Rank: -1}
				if healed(log, &hit) {
					continue
				}
				c := candidate{cause: "application-error", rank: rankLogs[i].rank, at: line.Time, hit: hit, log: log, title: strings.TrimSpace(line.Text)}
				f := c.finding(job, Words{
					Meaning: "The text holds no wording that is known; its program marks this line as an error.",
					Fix:     "Read the lines before it, and look for its words in the documentation of the program that printed it.",
				})
				f.Severity, f.Confidence, f.Title = train.SeverityInfo, train.Possible, perhaps+safe(f.Title)
				return []train.Finding{f}
			}
		}
	}
	return nil
}

// perhaps begins the title of what only words hint at.
const perhaps = "Perhaps: "

// Guessed reports whether a finding rests on words alone: no line of the text
// is known.
func Guessed(f *train.Finding) bool { return strings.HasPrefix(f.Title, perhaps) }

// mistakes are exceptions of a program that is wrong in itself, whatever names
// they contain. OutOfResources is Triton's, of a kernel that needs more of the
// GPU's own shared memory than a block can have.
var mistakes = regexp.MustCompile(`\b(?:Type|Key|Attribute|Index|Name|UnboundLocal|Syntax|Indentation|ZeroDivision|NotImplemented)Error\b|\bOutOfResources\b|\bWeights only load failed\b|\bWeightsUnpickler error: Unsupported\b|environment variable \w+ expected, but not set`)

// lastWords are signatures of what a program in another language than Python prints as it
// ends, in words of its own. Messages of Go programs are most often about the cluster.
var lastWords = map[string]func(text string) (train.Cause, bool){
	"go-fatal-log": hintOfGo, "fatal-level": hintOfGo, "go-panic": hintOfGo,
	"rust-panic": hintOfPanic, "java-thread": hintOfPanic, "java-exception": hintOfPanic, "julia-error": hintOfPanic,
}

func hintOfPanic(text string) (train.Cause, bool) {
	return signatures.HintOfException(text, func(train.Cause) bool { return true })
}

func hintOfGo(text string) (train.Cause, bool) {
	cause, _, found := signatures.Hint(text)
	return cause, found
}

// narrow gives an exception without a known message the cause that its own
// words name. Its text remains its title. The deadline of an exception is that of a call,
// not the job's; what Hydra does not find is an option, whatever its name.
func (c *candidate) narrow() {
	if hint := lastWords[c.hit.Signature]; hint != nil && c.cause == "application-error" && !c.healed {
		if cause, found := hint(level.ReplaceAllString(c.hit.Text, "")); found {
			c.cause, c.narrowed = cause, true
		}
		return
	}
	if c.cause == "file-not-found" {
		c.narrowAbsence()
		return
	}
	if c.cause != "python-exception" || c.healed || c.hit.Signature == "hydra-absent" || mistakes.MatchString(c.hit.Text) {
		return
	}
	if missesPackage(c.message()) {
		c.cause, c.narrowed = "python-import-error", true
		return
	}
	text := examples.ReplaceAllString(withoutModule(signatures.WithoutQuotes(c.message())), "")
	fits := func(cause train.Cause) bool {
		return fitsException(cause, c.hit.Text) && !(cause == "dataset-download-failure" && ofTracker.MatchString(c.hit.Text))
	}
	if cause, found := signatures.HintOfException(text, fits); found && cause != c.cause {
		c.cause, c.narrowed = cause, true
		if cause == "file-not-found" {
			c.narrowAbsence()
		}
	}
}

// messageLines is how many lines below an exception are read as the rest of its message.
const messageLines = 3

// listedBelow matches a line of a message that an exception announces with a colon: gRPC's
// fields, XGBoost's list of what failed.
var listedBelow = regexp.MustCompile(`^(?:\s+|- |\w+ = )\S`)

// message returns the text of an exception with the lines below that it announces.
func (c *candidate) message() string {
	text := strings.TrimRight(c.hit.Text, " ")
	if !strings.HasSuffix(text, ":") {
		return c.hit.Text
	}
	for n := range int64(messageLines) {
		line := lineText(c.log, c.hit.Line+1+n)
		if !listedBelow.MatchString(line) || strings.HasPrefix(strings.TrimLeft(line, " "), "File \"") {
			break
		}
		text += " " + strings.TrimSpace(line)
	}
	return text
}

// fitsException reports whether an exception's words can mean a cause: those of what the
// cluster does need a client of the cluster, and an exception that demands something of
// the program's own values means none but what is wrong with settings and files.
func fitsException(cause train.Cause, text string) bool {
	switch {
	case cause == "application-error" || cause == "active-deadline-exceeded":
		return false
	case slices.Contains(beforePlace, cause) || ofCluster.MatchString(string(cause)):
		return ofClient.MatchString(text)
	case cause == "no-gpu-visible" && ofPackage.MatchString(text):
		return false
	}
	return settings.MatchString(string(cause)) || !demands.MatchString(text)
}

// examples matches what a message names as one of several things that may be: it is not
// what happened.
var examples = regexp.MustCompile(`(?i)\b(?:such as|for (?:example|instance),?|e\.g\.,?) [^.;()]*`)

var (
	// ofCluster matches causes that a program does not see: what pulls images, mounts
	// volumes, allocates devices, admits and ends pods reports them.
	ofCluster = regexp.MustCompile(`^(?:image-(?:disk|never|not|pull|registry)|invalid-image|device-(?:allocation|plugin)|pvc-|csi-|storageclass|provisioning|failed-mount|multi-attach|mount-helper|hostpath|configmap|secret|service-account|admission|pod-|quota-|resource-quota|limit-range|api-version|kueue|runtime-class|sandbox|init-container|evicted|backoff|liveness|node-|spot-|thermal|power-cap|pcie)`)
	ofClient  = regexp.MustCompile(`(?i)\bApiException\b|kubernetes|\bk8s\b|\bkube\w+|\bpods?\b|\b(?:docker|containerd|registry|pull(?:ing)? image)\b`)
	ofPackage = regexp.MustCompile(`(?i)\b(?:module|package|binary|librar(?:y|ies)|pip3? install|extensions?|graphs?|CUDA_HOME)\b`)
	// settings matches causes that a demand on a value can mean.
	settings = regexp.MustCompile(`^(?:deepspeed-init|parallel-sizes|extension-build-failed|checkpoint-|file-not-found|hf-hub-auth|python-import-error|cuda-(?:arch|driver)-mismatch|mpi-launcher|no-gpu-visible|pickle-spawn)`)
	// demands matches words by which an exception states what the program may ask for.
	demands = regexp.MustCompile(`(?i)^(?:\w+\.)*(?:Value|Assertion)Error: (?:invalid|unrecognized|unknown|unsupported|(?:could not|failed to|cannot|unable to) parse) |\b(?:is|are|was|were) (?:not |un|only |currently not )supported\b|\b(?:does|do|did)(?: not|n't) support\b|\bunsupported\b|\brequires?\b|\bmust (?:be|have|match|not|specify|provide)\b|\bexpected (?:\w+ )?(?:one of|to be|either)\b|\bmutually exclusive\b|\bshould be\b|\b(?:cannot|can't|can not) (?:be|both|specify|use|set|import|pass|have|get|combine)\b|\binvalid (?:\w+ ){0,3}(?:option|config\w*|combination|groups?|backend|allocator|scheme|policy|plugin)\b|\bplease (?:set|specify|install|correct|use)\b`)
)

// moduleOfException matches the module before an exception's name. The name of
// a package is not what went wrong: hydra.errors is Hydra's configuration, not
// MPI's launcher of that name.
var moduleOfException = regexp.MustCompile(`^(?:[A-Za-z_]\w*\.)+([A-Z]\w*(?::|$))`)

func withoutModule(text string) string { return moduleOfException.ReplaceAllString(text, "$1") }

// ofTracker matches exceptions of experiment trackers, which speak HTTP and
// read no data.
var ofTracker = regexp.MustCompile(`(?i)^(?:mlflow|comet_ml|clearml|neptune|aim|tensorboard)\b|^(?:\w+\.)*(?:Mlflow|Comet|Neptune)\w*`)
