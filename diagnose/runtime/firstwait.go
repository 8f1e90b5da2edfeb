package runtime

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// firstWaitGrace is how long an init container may wait for a rank that is
// ready: an answer that there is no such name is cached for 30 seconds (CoreDNS,
// plugin cache), and the operators' containers ask every few seconds.
const firstWaitGrace = 2 * time.Minute

// Commands of init containers that wait for the first rank, with its address:
// by its name alone (training-operator 1.8 pkg/controller.v1/pytorch,
// KubeRay's samples before 0.5), or by a connection (KubeRay 1.3
// controllers/ray/common/pod.go).
var (
	looksUp  = regexp.MustCompile(`\b(?:nslookup|getent (?:ahosts|hosts)) +([$a-z0-9][-$\w.]*)`)
	connects = regexp.MustCompile(`\bray health-check --address[ =]([$a-z0-9][-$\w.]*)(?::\S*)?|\bnc (?:-\S+ (?:\d+ )?)+([$a-z0-9][-$\w.]*) +\S+`)
)

// firstWait is an init container that waits for another rank of its job, which
// is ready.
type firstWait struct {
	pod, first    *rule.Pod
	init          *corev1.Container
	host, command string
	since         time.Time
}

// firstWaitOf returns the wait of a pod whose init container runs a command
// that matches; nil for none, and while the rank that it waits for is the one
// to look at.
func firstWaitOf(s *rule.JobContext, p *rule.Pod, command *regexp.Regexp) *firstWait {
	if p.Rank.State != train.RankStarting {
		return nil
	}
	init, since := runningInit(p.Pod)
	if init == nil {
		return nil
	}
	found := command.FindStringSubmatch(strings.Join(slices.Concat(init.Command, init.Args), " "))
	if found == nil {
		return nil
	}
	w := &firstWait{pod: p, init: init, host: cmp.Or(found[1:]...), command: found[0], since: since}
	if w.first = rankNamed(s, p, w.host); w.first == nil {
		return nil
	}
	ready := rule.PodCondition(w.first.Pod, corev1.PodReady)
	if ready == nil || ready.Status != corev1.ConditionTrue {
		return nil
	}
	if ready.LastTransitionTime.After(w.since) {
		w.since = ready.LastTransitionTime.Time
	}
	if !s.OlderThan(w.since, firstWaitGrace) {
		return nil
	}
	return w
}

// rankNamed returns the pod of the job that an address names: the pod or, as
// Services of operators are named, its job and role; the first rank where the
// address is a variable. nil for another.
func rankNamed(s *rule.JobContext, self *rule.Pod, host string) *rule.Pod {
	first, _, _ := strings.Cut(host, ".")
	service := strings.TrimSuffix(first, "-svc")
	for _, p := range s.Pods {
		switch {
		case p == self:
		case p.Name == first, strings.HasPrefix(p.Name, service+"-") && service != first,
			strings.HasPrefix(host, "$") && p.Rank.Index == 0:
			return p
		}
	}
	return nil
}

// finding returns the finding of a wait.
func (w *firstWait) finding(s *rule.JobContext, title, explanation string) train.Finding {
	f := s.NewFinding(train.SeverityError, w.since, w.pod)
	f.Confidence = train.Likely
	f.Title, f.Explanation = title, explanation
	rank, created := rule.RankOf(w.pod), w.pod.CreationTimestamp.Time
	f.Evidence = []train.Evidence{
		rule.StatusEvidence(s.Ref(w.pod), "status.initContainerStatuses["+w.init.Name+"]", "running for "+termtext.Duration(s.Now.Sub(w.since))+" while "+rule.RankName(w.first.Rank)+" is ready", w.since, rank),
		rule.FieldEvidence(s.Ref(w.pod), "spec.initContainers["+w.init.Name+"]", w.command, created, rank),
	}
	if w.pod.Spec.HostNetwork {
		f.Evidence = append(f.Evidence, rule.FieldEvidence(s.Ref(w.pod), "spec.hostNetwork", "true, dnsPolicy "+cmp.Or(string(w.pod.Spec.DNSPolicy), "ClusterFirst"), created, rank))
	}
	f.Next = append(s.Current.Advice(), rule.Look("Read what the init container prints.", "kubectl", "logs", w.pod.Name, "-n", w.pod.Namespace, "-c", w.init.Name))
	f.Verify = "The init container ends, and the ranks meet."
	return f
}

// waitsForName returns a finding about a pod whose init container still looks
// up the name of a rank that is ready.
func waitsForName(s *rule.JobContext, p *rule.Pod) *train.Finding {
	w := firstWaitOf(s, p, looksUp)
	if w == nil {
		return nil
	}
	f := w.finding(s, fmt.Sprintf("%s waits for the name %s to resolve, though %s is ready", rule.RankName(p.Rank), rule.Plain(w.host), rule.RankName(w.first.Rank)),
		fmt.Sprintf("Init container %s asks the DNS for %s again and again before the training container may start. The pod of that name is ready, so its Service is missing or has no endpoint, or the pod cannot reach the cluster's DNS: with hostNetwork it needs dnsPolicy ClusterFirstWithHostNet.", w.init.Name, rule.Plain(w.host)))
	return &f
}

// unreachedFirst finds ranks whose init container cannot connect to a rank that
// is ready.
func unreachedFirst(s *rule.JobContext) []train.Finding {
	if s.Job.Phase.Terminal() {
		return nil
	}
	for _, p := range s.Pods {
		if w := firstWaitOf(s, p, connects); w != nil {
			return []train.Finding{w.finding(s,
				fmt.Sprintf("%s waits for a connection to %s, though %s is ready", rule.RankName(p.Rank), rule.Plain(w.host), rule.RankName(w.first.Rank)),
				fmt.Sprintf("Init container %s tries to connect to %s again and again before the training container may start. The pod there is ready, so the way to it is closed: its Service has no endpoint, the name does not resolve, or a network policy or another network keeps the nodes apart.", w.init.Name, rule.Plain(w.host)))}
		}
	}
	return nil
}

// runningInit returns the init container of a pod that runs and must end before
// the others start, and since when; nil for none.
func runningInit(pod *corev1.Pod) (*corev1.Container, time.Time) {
	for i := range pod.Status.InitContainerStatuses {
		status := &pod.Status.InitContainerStatuses[i]
		if status.State.Running == nil {
			continue
		}
		at := slices.IndexFunc(pod.Spec.InitContainers, func(c corev1.Container) bool { return c.Name == status.Name })
		if at >= 0 && pod.Spec.InitContainers[at].RestartPolicy == nil {
			return &pod.Spec.InitContainers[at], status.State.Running.StartedAt.Time
		}
	}
	return nil, time.Time{}
}

// missingName is a name that has no address, as nslookup of busybox and of bind
// print it.
var missingName = regexp.MustCompile(`can't (?:resolve|find) '?([^'\s]+?):?(?:'| NXDOMAIN| SERVFAIL|$)`)

// NameWaitOfInit turns a finding of a name that has no address into one of the
// wait of an init container, where that printed it and the name is no rank's:
// a database or a store that the pod waits for is not the first rank.
func NameWaitOfInit(s *rule.JobContext, f *train.Finding) {
	if f.Cause != masterAddrUnresolvable.ID || len(f.Evidence) == 0 {
		return
	}
	from, text := f.Evidence[0].Stream, f.Evidence[0].Text
	at := slices.IndexFunc(s.Pods, func(p *rule.Pod) bool { return p.Name == from.Pod && p.Namespace == from.Namespace })
	if at < 0 {
		return
	}
	p := s.Pods[at]
	init, since := runningInit(p.Pod)
	m := missingName.FindStringSubmatch(text)
	if init == nil || init.Name != from.Container || m == nil || rankNamed(s, p, m[1]) != nil || isFirstRank(p, m[1]) {
		return
	}
	f.Cause, f.Stage, f.Severity = initContainerFailing.ID, initContainerFailing.Stage, s.SeverityAfter(since, firstWaitGrace)
	f.Title = fmt.Sprintf("Init container %s of %s waits for %s, a name without an address", rule.Plain(init.Name), rule.RankName(p.Rank), rule.Plain(m[1]))
	f.Explanation = "The container that trains starts after it. The Service of that name does not exist, has another name or namespace, or the pod cannot reach the cluster's DNS."
	f.Next = []train.Step{rule.Look("Read what the init container prints.", "kubectl", "logs", p.Name, "-n", p.Namespace, "-c", init.Name, "--tail=20")}
	if service, namespace := serviceOf(m[1], p); isHostName(service) {
		f.Next = append(f.Next, rule.Look("See whether the Service is there.", "kubectl", "get", "services", "-n", namespace))
	}
	f.Next = append(f.Next, rule.Do("Start what it waits for, or correct the name in the init container."))
	f.Verify = "The init container ends, and the training container starts."
}

// isFirstRank reports whether a variable of the pod names a host as that of the
// first rank.
func isFirstRank(p *rule.Pod, host string) bool {
	return slices.ContainsFunc(p.Spec.Containers, func(c corev1.Container) bool {
		return slices.ContainsFunc(c.Env, func(v corev1.EnvVar) bool {
			named, _, _ := strings.Cut(v.Value, ":")
			return isAddressName(v.Name) && named == host
		})
	})
}
