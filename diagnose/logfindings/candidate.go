package logfindings

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/traintop/traintop/sources/signatures"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// candidate is one line that may be the cause.
type candidate struct {
	cause   train.Cause
	weight  int
	symptom bool
	// rank is the rank that the line names, or its log's.
	rank int
	at   time.Time
	hit  train.LogHit
	log  *store.Log
	// beside is the report of another rank, where only both together show the
	// cause.
	beside *work
	// healed is true when the log shows that the run recovered from it.
	healed bool
	// reported is true for a launcher's report about a rank that failed first.
	reported bool
	// title is the title of the finding, "" for the general text of the cause.
	title string
	// ranks are the affected ranks, nil for rank alone.
	ranks []int
	// nobody is true when no single rank is affected.
	nobody bool
	// narrowed is true for an exception whose cause comes from its text alone.
	narrowed bool
	// doubtful is true for what may be harmless: it is reported as possible.
	doubtful bool
	// aside is true for a course of the loss or the speed beside an error that came later.
	aside bool
	// byPod is true where rank and ranks count pods. process is the number that the program
	// gives to a process, plus one, where its pod has another; else 0.
	byPod   bool
	process int
	// bearable is true for what is certain and may leave training as it should be.
	bearable bool
}

// tier is the kind of a candidate, in the order in which kinds are preferred
// as the root.
type tier int

const (
	tierOwn     tier = iota // a rank's own error, or what the system did to it
	tierGeneral             // an error of any kind
	tierLost                // follows from another rank
	tierWrapper             // reports only that something else failed
)

func (c *candidate) tier() tier {
	switch {
	case c.weight < 20:
		return tierWrapper
	case c.symptom, c.weight < 35:
		return tierLost
	case c.weight < 45:
		return tierGeneral
	}
	return tierOwn
}

// candidates returns the candidates of one rank: from its lines, its samples
// and its silence.
func (v *rankLog) candidates() []candidate {
	var all []candidate
	for _, log := range v.logs {
		for i := range log.Hits {
			hit := &log.Hits[i]
			if hit.Cause == TrainsOnCPU {
				continue
			}
			if skippedLoss(log, hit) {
				continue
			}
			weight, symptom, known := signatures.Weigh(hit)
			if !known || hit.Cause == "" {
				continue
			}
			c := candidate{cause: hit.Cause, weight: weight, symptom: symptom, rank: v.rank, at: hit.Time, hit: *hit, log: log, doubtful: deletedInUse.MatchString(hit.Text)}
			if hit.Rank >= 0 {
				c.rank = v.rankOf(log, hit)
				c.hit.Rank = c.rank
			} else if rank := tableRank(log, hit.Line); v.rank < 0 && rank >= 0 {
				c.rank, c.hit.Rank = rank, rank
			}
			if c.reported = reports(hit); c.reported && isRoot(hit) {
				c.weight++
			}
			c.healed = healed(log, hit) || v.trainsBeside(log) || v.repeated[log.ID]
			if c.healed && triesAgain.MatchString(hit.Text) {
				continue // it did what it says
			}
			if handled(hit) {
				c.healed, c.doubtful = c.healed || goesOn(log, hit), true
			}
			if v.roomyShm && BusErrorOnly(hit) {
				c.cause, c.title = "application-error", roomyBusError
			}
			c.narrow()
			c.nameDeepSpeed()
			all = append(all, c)
		}
		all = append(all, fromSamples(v, log)...)
		all = append(all, silence(v, log)...)
		all = append(all, fromDocument(v, log)...)
	}
	return all
}

// ofDeepSpeed matches DeepSpeed's own name, and those of the operations that it builds.
var ofDeepSpeed = regexp.MustCompile(`(?i)deepspeed|\b(?:fused|cpu)_adam\b`)

// nameDeepSpeed takes an extension that cannot be built for one of DeepSpeed's, where the
// log names DeepSpeed: most often in the frames above the error.
func (c *candidate) nameDeepSpeed() {
	if c.cause != "extension-build-failed" {
		return
	}
	for i := range c.log.Lines.Len() {
		if ofDeepSpeed.MatchString(c.log.Lines.At(i).Text) {
			c.cause = "deepspeed-init"
			return
		}
	}
}

// reports reports whether a hit is a launcher's report about a rank that
// failed.
func reports(hit *train.LogHit) bool {
	_, is := signatures.EndReported(hit.Signature)
	return is || isRoot(hit) || (hit.Signature == "jax-peer-lost" || hit.Signature == "jax-unhealthy") && slices.ContainsFunc(hit.Captures, func(task string) bool { return task != "" })
}

// byLocalRank reports whether the only rank that a line names is a process's
// number on its own node, which every node of a job has: torchrun's agent
// prints it before its report (torch/distributed/elastic/multiprocessing/api.py).
func byLocalRank(line string) bool { return strings.Contains(line, ") local_rank: ") }

// isRoot reports whether a hit is torchrun's report about the first failure.
func isRoot(hit *train.LogHit) bool { return block(hit) == signatures.RootCause }

// block returns in which block of torchrun's report a hit is, "" for none.
func block(hit *train.LogHit) string {
	if n := len(hit.Captures); n > 1 && (hit.Captures[n-1] == signatures.RootCause || hit.Captures[n-1] == signatures.OtherFailure) {
		return hit.Captures[n-1]
	}
	return ""
}

// failedAt returns the time that torchrun's report gives for a failure, "" for none.
// Times of one report are compared as text.
func failedAt(hit *train.LogHit) string {
	if block(hit) == "" {
		return ""
	}
	return hit.Captures[len(hit.Captures)-2]
}

// beforePlace are causes that are over once a node has taken the pod.
var beforePlace = []train.Cause{
	"insufficient-gpu", "insufficient-cpu", "insufficient-memory", "insufficient-ephemeral-storage", "too-many-pods", "node-selector-mismatch",
	"pod-affinity-conflict", "untolerated-taint", "node-unschedulable", "node-not-ready", "unbound-pvc", "pvc-not-found", "volume-node-affinity-conflict",
	"gang-not-ready", "queue-quota-exceeded", "autoscaler-not-scaling-up", "dra-claim-pending", "host-port-conflict", "max-volume-count", "scheduling-gate", "mig-resource-mismatch", "numa-misplacement",
}

// refusedPods are causes for which the API server makes no pod of its owner.
var refusedPods = []train.Cause{
	"resource-quota-exceeded", "quota-requests-missing", "limit-range", "pod-security-denied", "service-account-missing",
	"admission-webhook-denied", "admission-webhook-down", "rbac-forbidden",
}

// healedBy are the events that report recovery.
var healedBy = map[string][]train.Cause{
	"event-scheduled":   beforePlace,
	"event-attached":    {"multi-attach", "csi-driver-missing", "failed-mount-timeout"},
	"event-mounted":     {"configmap-not-found", "configmap-key-missing", "secret-not-found", "secret-key-missing", "failed-mount-timeout", "hostpath-missing", "mount-helper-missing", "csi-driver-missing"},
	"event-provisioned": {"provisioning-failed", "unbound-pvc"},
	"event-pulled":      {"image-not-found", "image-pull-unauthorized", "image-pull-rate-limited", "image-registry-unreachable", "image-disk-full", "slow-image-pull"},
	"event-started": append([]train.Cause{
		"configmap-not-found", "configmap-key-missing", "secret-not-found", "secret-key-missing", "failed-mount-timeout", "hostpath-missing", "mount-helper-missing",
		"csi-driver-missing", "multi-attach", "sandbox-network", "runtime-class-missing", "command-not-found", "image-not-found", "image-pull-unauthorized", "image-pull-rate-limited", "image-registry-unreachable", "slow-image-pull", "application-error",
	}, beforePlace...),
	"event-scale-up":    {"autoscaler-not-scaling-up"},
	"event-kept":        {"node-lost"},
	"event-created":     refusedPods,
	"event-completed":   refusedPods,
	"event-admitted":    {"kueue-not-admitted", "kueue-inadmissible", "topology-mismatch", "queue-quota-exceeded", "suspended"},
	"event-node-well":   {"node-not-ready"},
	"event-node-ready":  {"node-not-ready"},
	"plugin-registered": {"device-plugin-missing"},
	"group-running":     {"gang-not-ready"},
	// The scheduler considers nodes once the claims exist.
	"volume-affinity":   {"pvc-not-found", "unbound-pvc"},
	"no-volume-to-bind": {"pvc-not-found"},
	"nfs-ok":            {"storage-hang", "failed-mount-timeout"},
	"rendezvous-done":   {"rendezvous-timeout", "master-addr-unresolvable", "gloo-connect-failure"},
}

const (
	// progressAfter is how many samples after a line show that training
	// continued.
	progressAfter = 2
	// progressBeforeEnd is how many samples between a line and the end of a
	// container show that the line did not end it: the processes of one pod
	// share a log, and print a few more samples while one of them fails.
	progressBeforeEnd = 5
	// samplesOfOthers is how many samples of one other rank show that the rank
	// of a line continued too, since all ranks of a step wait for each other.
	// A few of them may have been under way.
	samplesOfOthers = 10
)

// beforeSteps are over with the first step: no rank takes one before all ranks
// have found each other.
var beforeSteps = map[train.Cause]bool{"rendezvous-timeout": true, "master-addr-unresolvable": true, "gloo-connect-failure": true}

// healed reports whether the log continues as if nothing had happened: an
// event that reports recovery, or samples of later steps.
func healed(log *store.Log, hit *train.LogHit) bool { return recovered(log, hit, progressAfter) }

// HealedBeforeEnd reports whether the run recovered from a line long before
// its log ended, so that the line does not explain how its container ended.
func HealedBeforeEnd(log *store.Log, hit *train.LogHit) bool {
	return recovered(log, hit, progressBeforeEnd)
}

// recovered reports whether an event after a line reports recovery, or that
// many samples follow it.
func recovered(log *store.Log, hit *train.LogHit, samples int) bool {
	for i := range log.Hits {
		later := &log.Hits[i]
		if slices.Contains(healedBy[later.Signature], hit.Cause) && cameAfter(later, hit) && sameThing(later, hit) {
			return true
		}
	}
	if fatalAnyway[hit.Cause] {
		return false
	}
	if ofClaims[hit.Cause] && described(log, hit) == "Bound" {
		return true
	}
	own, others := samplesAfter(log, hit)
	return own >= samples || others >= samplesOfOthers || own+others > 0 && beforeSteps[hit.Cause]
}

// ofClaims are causes that events of a claim report.
var ofClaims = map[train.Cause]bool{"provisioning-failed": true, "unbound-pvc": true, "storageclass-missing": true, "pvc-wrong-access-mode": true}

// described returns the status of the claim that kubectl describes above a
// line, "" for none: its events below are what happened on the way.
func described(log *store.Log, hit *train.LogHit) string {
	status := ""
	for i := range log.Hits {
		if h := &log.Hits[i]; h.Signature == "claim-status" && h.Line < hit.Line {
			status = h.Captures[0]
		}
	}
	return status
}

// ofOwner are events of what makes pods: what they report heals nothing of another kind.
var ofOwner = map[string]bool{"event-created": true, "event-completed": true}

// kindAndName splits the object that a hit names. The kind is "" for a pod, and for an
// object that kubectl describes.
func kindAndName(hit *train.LogHit) (kind, name string) {
	if kind, name, named := strings.Cut(hit.Object, "/"); named {
		return kind, name
	}
	return "", hit.Object
}

// sameThing reports whether an event of recovery is about what failed: a node
// may have mounted several servers, and it reports one condition at a time.
func sameThing(well, hit *train.LogHit) bool {
	if well.Object != "" && hit.Object != "" {
		kind, name := kindAndName(well)
		ofKind, ofName := kindAndName(hit)
		if same := name == ofName && (kind == ofKind || kind == "" || ofKind == ""); !same && (kind == ofKind || ofOwner[well.Signature]) {
			return false
		}
	}
	switch well.Signature {
	case "nfs-ok":
		return hit.Signature == "nfs-not-responding" && well.Captures[0] == hit.Captures[0] || hit.Signature == "ceph-unreachable" && well.Captures[0] == ""
	case "event-started":
		return hit.Cause != "application-error" || hit.Signature == "name-reserved"
	case "event-attached": // an attached volume may not be mounted yet
		return hit.Cause == "multi-attach" || strings.HasPrefix(hit.Signature, "attach-")
	case "event-mounted":
		return strings.Contains(hit.Text, `"`+well.Captures[0]+`"`)
	case "plugin-registered":
		return hit.Signature == "plugin-no-device"
	case "event-node-ready":
		return strings.Contains(hit.Text, well.Captures[0]+" status is now: NodeNotReady")
	case "event-node-well":
		return hit.Signature == "node-pressure" && strings.HasSuffix(well.Captures[0], strings.TrimPrefix(hit.Captures[1], "Insufficient"))
	}
	return true
}

// eventAge is the age of an event: kubectl describe has it third, kubectl get
// events first.
var eventAge = regexp.MustCompile(`^(?:#\s*)?(?:(?:Normal|Warning)\s+\S+\s+((?:\d+[smhdy])+)\s|(?:\S+\s+)?((?:\d+[smhdy])+)\s+(?:\(x[^)]*\)\s+)?(?:Normal|Warning)\s)`)

// cameAfter reports whether a line is of a later time than another: kubectl
// sorts events by more than one of their times, so their ages are compared
// first. A pod is placed once, and its ages may be whole minutes: its place comes after
// all that kept it from it.
func cameAfter(later, hit *train.LogHit) bool {
	a, b := ageOf(later.Text), ageOf(hit.Text)
	if a >= 0 && a == b && later.Signature == "event-scheduled" && later.Object != "" && later.Object == hit.Object {
		return true
	}
	if later.Signature == "event-created" && (a < 0 || a >= b) {
		return false // with pods that were made, one may have been refused
	}
	if a < 0 || b < 0 || a == b {
		return later.Line > hit.Line
	}
	return a < b
}

// ageOf returns the age of an event in seconds, -1 for a line without one. Screens draw a
// frame before it.
func ageOf(text string) int {
	m := eventAge.FindStringSubmatch(strings.TrimLeft(text, " \t│|"))
	if m == nil {
		return -1
	}
	age, n := 0, 0
	for _, c := range m[1] + m[2] {
		if '0' <= c && c <= '9' {
			n = 10*n + int(c-'0')
			continue
		}
		age, n = age+n*map[rune]int{'s': 1, 'm': 60, 'h': 3600, 'd': 86400, 'y': 365 * 86400}[c], 0
	}
	return age
}

// fatalAnyway are not healed while training continues: samples of one rank do
// not heal a GPU or a kernel's line.
var fatalAnyway = map[train.Cause]bool{
	"gpu-ecc-error": true, "gpu-fell-off-bus": true, "nvlink-error": true, "network-hw-degraded": true, "storage-hang": true, "nan-loss": true,
}

// finding builds a finding from the most informative candidate of its cause,
// with the words w.
func (c *candidate) finding(job *train.Job, w Words) train.Finding {
	w = wordsOf(&c.hit, w)
	f := train.Finding{
		Cause: c.cause, Severity: c.severity(), JobID: job.ID, Job: job.Ref, RootRank: -1, Since: c.at,
		Title: c.sentence(w), Explanation: w.Meaning, Confidence: c.confidence(), Next: w.Steps(),
	}
	if !c.nobody && c.rank >= 0 && (c.tier() <= tierGeneral || c.reported || c.ranks != nil || c.cause == "python-exception") {
		f.RootRank = c.rank
	}
	c.addTo(&f)
	f.Explanation += c.processNote(job)
	return f
}

// processNote names the pod in which the process of a candidate runs, "" where that needs no word.
func (c *candidate) processNote(job *train.Job) string {
	for i := range job.Ranks {
		r := &job.Ranks[i]
		if c.process > 0 && (c.log != nil && c.log.ID.Pod != "" && c.ranks == nil && r.Pod == c.log.ID.Pod && r.Namespace == c.log.ID.Namespace || c.ranks != nil && r.Index == c.rank) {
			return ProcessNote(job, r, c.process-1)
		}
	}
	return ""
}

// addTo adds the line and its rank to a finding.
func (c *candidate) addTo(f *train.Finding) {
	for _, rank := range append(slices.Clone(c.ranks), c.rank) {
		if rank >= 0 && !slices.Contains(f.Ranks, rank) {
			f.Ranks = append(f.Ranks, rank)
		}
	}
	slices.Sort(f.Ranks)
	if len(f.Evidence) < maxEvidence && c.hit.Text != "" && !slices.ContainsFunc(f.Evidence, c.quoted) {
		f.Evidence = append(f.Evidence, c.evidence())
	}
	if len(f.Evidence) < maxEvidence && c.beside != nil {
		f.Evidence = append(f.Evidence, c.beside.evidence())
	}
}

// quoted reports whether e is the candidate's line.
func (c *candidate) quoted(e train.Evidence) bool {
	return e.Kind == train.EvidenceLog && e.Stream == c.log.ID && e.Line == c.hit.Line && c.log.ID != (train.StreamID{})
}

// maxEvidence is how many lines a finding quotes.
const maxEvidence = 6

func (c *candidate) evidence() train.Evidence {
	text := c.hit.Text
	if c.hit.Frame != "" {
		text += " (" + c.hit.Frame + ")"
	}
	return train.Evidence{Kind: train.EvidenceLog, Text: text, Time: c.at, Rank: c.rank, Stream: c.log.ID, Line: c.hit.Line}
}

// severity returns info for what the run recovered from, and for a line that
// is often harmless.
func (c *candidate) severity() train.Severity {
	if _, is := repairedBy(&c.hit); is {
		return train.SeverityInfo
	}
	switch {
	case c.healed, c.cause == "slow-image-pull", hints[c.hit.Signature]:
		return train.SeverityInfo
	case c.doubtful, c.bearable, waitsItsTurn[c.hit.Signature], c.cause == "one-rank-behind", c.cause == "loss-spike", c.cause == "loss-scale-minimum" && c.hit.Signature != "scale-minimum", c.cause == "network-hw-degraded", c.cause == "node-unschedulable", slowed[c.cause]:
		return train.SeverityWarning
	}
	return train.SeverityError
}

// hints are signatures of lines that are often harmless.
var hints = map[string]bool{"client-retry": true, "lightgbm-retry": true, "tf-worker-wait": true, "rabit-retry": true, "checkpoint-none-yet": true, "smi-power-cap": true, "pcie-speed": true, "hub-asked-again": true, "cuda-not-seen": true, "tpu-skipped": true}

// waitsItsTurn are signatures of a job that is next or not yet next in a queue.
var waitsItsTurn = map[string]bool{"slurm-reason-insufficient-gpu": true, "slurm-pending-insufficient-gpu": true}

// slowed are causes of a job that runs, but more slowly than it could.
var slowed = map[train.Cause]bool{"thermal-throttle": true, "power-cap": true, "pcie-degraded": true}

func (c *candidate) confidence() train.Confidence {
	switch {
	case c.healed, c.doubtful, c.narrowed && lastWords[c.hit.Signature] != nil, c.weight < 20, SigkillOnly(&c.hit), BusErrorOnly(&c.hit), c.title == "" && signatureTitles[c.hit.Signature] != "":
		return train.Possible
	case c.weight >= 80 && !IsRefusal(&c.hit):
		return train.Certain
	}
	return train.Likely
}
