package logfindings

import (
	"regexp"
	"slices"
	"strings"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// maxDocument is how many lines of a file are read as output of kubectl
// describe: longer files are logs.
const maxDocument = 2000

var (
	// resourceHead and resourceLine match a node's allocatable resources, in
	// kubectl describe node, YAML and JSON.
	resourceHead = regexp.MustCompile(`^\s*"?[Aa]llocatable"?:\s*\{?\s*$`)
	resourceLine = regexp.MustCompile(`^\s+"?([\w./-]+)"?:\s+"?([^\s",]+)"?,?\s*$`)
	deviceName   = regexp.MustCompile(`gpu|GPU|tpu|npu|neuron|mig-|habana|Ascend|mlu|dcu`)
)

// fromDocument reads kubectl output that spans several lines. A table of jobs
// may lack their states; in a node's description, a node without any
// allocatable device lacks its device plugin, or is no GPU node; a node with
// none of the devices it names allocatable has lost its plugin, or all of them
// are unhealthy.
func fromDocument(v *rankLog, log *store.Log) []candidate {
	if log.ID.Pod != "" || log.Lines.Len() > maxDocument {
		return nil
	}
	if c, found := withoutState(log); found {
		return []candidate{c}
	}
	if c, found := waitingRow(log); found {
		return []candidate{c}
	}
	if c, found := unreadyRow(log); found {
		return []candidate{c}
	}
	if c, found := pendingObject(log); found {
		return []candidate{c}
	}
	if c, found := pendingCheck(log); found {
		return []candidate{c}
	}
	if c, found := withoutDevices(log); found {
		return []candidate{c}
	}
	if c, found := failedPods(log); found {
		return []candidate{c}
	}
	if c, found := failedCondition(log); found {
		return []candidate{c}
	}
	return nil
}

// row returns a line without quotation marks or the frame of a screen.
func row(log *store.Log, i int) string {
	text := log.Lines.Plain(i)
	trimmed := strings.TrimLeft(text, " ")
	for _, mark := range [...]string{"> ", "│ ", "| "} {
		if rest, found := strings.CutPrefix(trimmed, mark); found {
			return strings.TrimRight(rest, " │|")
		}
	}
	return text
}

// withoutDevices reads the allocatable resources of nodes.
func withoutDevices(log *store.Log) (candidate, bool) {
	c := candidate{cause: "device-plugin-missing", weight: 48, rank: -1, log: log, nobody: true}
	listed, inside, none, at := 0, false, "", int64(0)
	for i := range log.Lines.Len() {
		text := row(log, i)
		m := resourceLine.FindStringSubmatch(text)
		switch {
		case resourceHead.MatchString(text):
			inside, at = true, log.Lines.At(i).Number
		case !inside || m == nil:
			inside = false
		case !deviceName.MatchString(m[1]):
			listed++
		case m[2] != "0":
			return candidate{}, false
		case none == "":
			none, c.hit = m[1], train.LogHit{Line: log.Lines.At(i).Number, Rank: -1, Text: "Allocatable: " + m[1] + ": 0"}
		}
	}
	switch {
	case none != "": // outweighs the scheduler's "Insufficient", which follows from it
		c.weight = 80
		c.title = "The node may hand out no " + none + ": its device plugin is gone, or all of them are unhealthy"
	case listed < 3:
		return candidate{}, false
	default:
		c.hit = train.LogHit{Line: at, Rank: -1, Text: "Allocatable: " + termtext.Count(listed, "resource") + ", no GPU among them"}
		c.title = "The node offers no GPU: its allocatable resources name none"
	}
	return c, true
}

var (
	checksHead = regexp.MustCompile(`^\s*"?(?:admissionChecks|Admission Checks)"?:`)
	checkState = regexp.MustCompile(`^\s*(?:- )?"?[Ss]tate"?:\s+"?(?:Pending|Retry|Rejected)"?,?\s*$`)
	isAdmitted = regexp.MustCompile(`^\s*(?:- )?"?[Rr]eason"?:\s+"?Admitted\b`)
	conditions = regexp.MustCompile(`^\s*"?[Cc]onditions"?:`)
)

// pendingCheck finds an admission check that a Workload of Kueue waits for:
// its quota is reserved by then, so no condition reports a problem.
func pendingCheck(log *store.Log) (candidate, bool) {
	inside, c := false, candidate{cause: "kueue-not-admitted", weight: 46, rank: -1, log: log, nobody: true}
	for i := range log.Lines.Len() {
		switch text := row(log, i); {
		case isAdmitted.MatchString(text):
			return candidate{}, false
		case checksHead.MatchString(text):
			inside = true
		case conditions.MatchString(text):
			inside = false
		case inside && c.hit.Text == "" && checkState.MatchString(text):
			c.hit = train.LogHit{Line: log.Lines.At(i).Number, Rank: -1, Text: "admissionChecks: " + strings.TrimLeft(strings.TrimSpace(text), "- ")}
		}
	}
	return c, c.hit.Text != ""
}

var (
	// kindLine and phaseLine match fields of an object in YAML or JSON, and in
	// kubectl describe. A claim's description has no kind.
	kindLine  = regexp.MustCompile(`^\s*"?[Kk]ind"?:\s+"?(\w+)|^\s*(Name|StorageClass|Min Available):`)
	phaseLine = regexp.MustCompile(`^\s*"?(?:[Pp]hase|Status)"?:\s+"?(Pending|Inqueue)"?,?\s*$`)
	waiting   = map[string]train.Cause{"PersistentVolumeClaim": "unbound-pvc", "StorageClass": "unbound-pvc", "PodGroup": "gang-not-ready", "Min Available": "gang-not-ready"}
)

// pendingObject finds a claim or a group of pods that waits: without other
// information its phase is the only evidence. A claim may wait for its first
// pod.
func pendingObject(log *store.Log) (candidate, bool) {
	kind, found := "", candidate{}
	for i := range log.Lines.Len() {
		text := row(log, i)
		if strings.Contains(text, "WaitForFirstConsumer") {
			return candidate{}, false
		}
		if m := kindLine.FindStringSubmatch(text); m != nil {
			kind = m[1] + m[2]
		}
		if cause := waiting[kind]; cause != "" && found.cause == "" && phaseLine.MatchString(text) {
			found = candidate{cause: cause, weight: 46, rank: -1, log: log, nobody: true}
			found.hit = train.LogHit{Line: log.Lines.At(i).Number, Rank: -1, Text: strings.TrimSpace(text)}
		}
	}
	return found, found.cause != ""
}

// waitingRows are rows of kubectl's tables that show by a blank or a word that
// the object has waited for minutes, below the header that identifies the
// table.
var waitingRows = []struct {
	head, row *regexp.Regexp
	cause     train.Cause
}{
	// Kueue's Workloads: no queue has reserved quota.
	{regexp.MustCompile(`^\s*(?:NAMESPACE +)?NAME +QUEUE +(?:RESERVED IN +ADMITTED|ADMITTED BY)\b.* AGE\s*$`), regexp.MustCompile(`^\s*(?:\S+ +)?\S+ +\S+ {8,}(?:False +)?\d+[mhd]\S*\s*$`), "kueue-not-admitted"},
	// Volcano's jobs and groups of pods.
	{regexp.MustCompile(`^\s*(?:NAMESPACE +)?NAME +STATUS +MIN(?:AVAILABLE|MEMBER) +RUNNINGS +AGE\b`), regexp.MustCompile(`^\s*(?:\S+ +)?\S+ +(?:Pending|Inqueue) +\d+ +(?:0 +)?\d+[mhd]\S*`), "gang-not-ready"},
}

// waitingRow finds the first such row.
func waitingRow(log *store.Log) (candidate, bool) {
	below := -1
	for i := range log.Lines.Len() {
		text := row(log, i)
		for k := range waitingRows {
			if waitingRows[k].head.MatchString(text) {
				below = k
			}
		}
		if below >= 0 && waitingRows[below].row.MatchString(text) {
			c := candidate{cause: waitingRows[below].cause, weight: 46, rank: -1, log: log, nobody: true}
			c.hit = train.LogHit{Line: log.Lines.At(i).Number, Rank: -1, Text: strings.TrimSpace(text)}
			return c, true
		}
	}
	return candidate{}, false
}

// readyHead is the head of a table of kubectl with a condition and its reason, as the
// additional printer columns of many kinds have it (Knative, cert-manager, Flux).
var readyHead = regexp.MustCompile(`^(?:NAMESPACE +)?NAME .*\b(READY)\b.* (?:REASON|STATUS|MESSAGE)\s*$`)

// unreadyRow finds an object that a table shows as not ready, with the reason that its
// controller gives.
func unreadyRow(log *store.Log) (candidate, bool) {
	ready := -1
	c := candidate{cause: "application-error", weight: 10, symptom: true, rank: -1, log: log, nobody: true}
	for i := range log.Lines.Len() {
		text := row(log, i)
		if m := readyHead.FindStringSubmatchIndex(text); m != nil {
			ready = m[2]
			continue
		}
		if ready < 0 || ready >= len(text) {
			continue
		}
		if fields := strings.Fields(text[ready:]); len(fields) > 1 && fields[0] == "False" && text[ready-1] == ' ' {
			name, _, _ := strings.Cut(strings.TrimSpace(text), " ")
			c.note(log, i, name+" is not ready: "+strings.Join(fields[1:], " "))
		}
	}
	return c, c.hit.Text != ""
}

var (
	stateHead = regexp.MustCompile(`^NAME +STATE +AGE\s*$`)
	oldRow    = regexp.MustCompile(`^([\w.-]+) +(\d+[mhd]\S*)\s*$`)
)

// withoutState finds a job of the training operator in kubectl's table that
// has no state after minutes: the operator writes Created first.
func withoutState(log *store.Log) (candidate, bool) {
	state, age := -1, -1
	for i := range log.Lines.Len() {
		text := row(log, i)
		if stateHead.MatchString(text) {
			state, age = strings.Index(text, "STATE"), strings.Index(text, "AGE")
			continue
		}
		m := oldRow.FindStringSubmatchIndex(text)
		if age < 0 || m == nil || m[3] > state || m[4] != age {
			continue
		}
		c := candidate{cause: "no-pods-operator-down", weight: 50, rank: -1, log: log, nobody: true}
		c.hit = train.LogHit{Line: log.Lines.At(i).Number, Rank: -1, Text: strings.TrimSpace(text)}
		c.title = "The job has no state after " + text[m[4]:m[5]] + ": no operator has looked at it"
		return c, true
	}
	return candidate{}, false
}

var (
	// podCounts and completions match kubectl describe job; Active since 1.24.
	podCounts   = regexp.MustCompile(`^Pods Statuses:\s+(\d+) (?:Running|Active[^/]*) / (\d+) Succeeded / (\d+) Failed`)
	completions = regexp.MustCompile(`^Completions:\s+(\d+)`)
	// replicasHead, replicaRole and replicasFailed match the counts of pods for each role
	// in the status of a job of the training-operator, described or in YAML.
	replicasHead   = regexp.MustCompile(`^\s*"?(?:\w+ )?[Rr]eplica ?Statuses"?:`)
	replicaRole    = regexp.MustCompile(`^\s+"?(\w+)"?:(?: \{)?\s*$`)
	replicasFailed = regexp.MustCompile(`^\s+"?[Ff]ailed"?:\s+([1-9]\d*),?\s*$`)
	replicaCount   = regexp.MustCompile(`^\s+"?(?:[Aa]ctive|[Ss]ucceeded|[Ff]ailed|[Ss]elector|[Ll]abel ?[Ss]elector)"?:`)
	endedWell      = regexp.MustCompile(`^\s*(?:- )?"?[Tt]ype"?:\s+"?(?:Succeeded|Complete|SuccessCriteriaMet)\b|^Completed At:`)
)

// failedPods finds pods that the description of a job counts as failed, where none of the
// Job's runs and the job did not succeed after all: their containers show why they failed.
func failedPods(log *store.Log) (candidate, bool) {
	c := candidate{cause: "application-error", weight: 12, symptom: true, rank: -1, log: log, nobody: true}
	inside, role, needed := false, "", ""
	for i := range log.Lines.Len() {
		text := row(log, i)
		counts, failed := podCounts.FindStringSubmatch(text), replicasFailed.FindStringSubmatch(text)
		switch m := replicaRole.FindStringSubmatch(text); {
		case endedWell.MatchString(text):
			return candidate{}, false
		case completions.MatchString(text):
			needed = completions.FindStringSubmatch(text)[1]
		case counts != nil && counts[1] == "0" && counts[3] != "0" && counts[2] != needed && (needed != "" || counts[2] == "0"):
			c.note(log, i, counts[3]+" of the pods of the job failed, and none runs")
		case replicasHead.MatchString(text):
			inside = true
		case inside && failed != nil && role != "":
			c.note(log, i, failed[1]+" of the pods of role "+role+" failed")
		case inside && m != nil:
			role = m[1]
		case inside && !replicaCount.MatchString(text):
			inside = false
		}
	}
	return c, c.hit.Text != ""
}

// note keeps the first line of a document that names a cause, and its text.
func (c *candidate) note(log *store.Log, i int, title string) {
	if c.hit.Text == "" {
		c.hit, c.title = train.LogHit{Line: log.Lines.At(i).Number, Rank: -1, Text: strings.TrimSpace(row(log, i))}, title
	}
}

var (
	// conditionField matches a field of a condition in YAML, JSON and kubectl describe,
	// which order them by name: the type comes last.
	conditionField = regexp.MustCompile(`^\s*(?:- )?"?(?:[Ll]ast \w+ \w+|last\w+Time|([Ss]tatus|[Rr]eason|[Mm]essage|[Tt]ype)|[Oo]bserved ?Generation)"?:\s+["']?(.*?)["']?,?\s*$`)
	conditionFails = map[string]bool{"Failed": true, "FailureTarget": true}
)

// failedCondition finds a condition of an object of any kind that reports that it failed.
// The words that its controller gives are seldom the reason: what it is made of shows
// more.
func failedCondition(log *store.Log) (candidate, bool) {
	c := candidate{cause: "application-error", weight: 10, symptom: true, rank: -1, log: log, nobody: true}
	fields := map[string]string{}
	for i := range log.Lines.Len() {
		text := row(log, i)
		m := conditionField.FindStringSubmatch(text)
		switch {
		case endedWell.MatchString(text) && fields["status"] == "True":
			return candidate{}, false
		case m == nil:
			clear(fields)
		case m[1] == "":
		case strings.EqualFold(m[1], "type"):
			if conditionFails[m[2]] && fields["status"] == "True" {
				c.note(log, i, "An object has the condition "+m[2]+", "+strings.Join(nonEmpty(fields["reason"], fields["message"]), ": "))
			}
			clear(fields)
		default:
			fields[strings.ToLower(m[1])] = m[2]
		}
	}
	return c, c.hit.Text != ""
}

func nonEmpty(texts ...string) []string {
	return slices.DeleteFunc(texts, func(text string) bool { return text == "" })
}
