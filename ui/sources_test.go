package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

var nine = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

func withHealth(all ...train.Health) Options {
	s := store.New(func() time.Time { return nine })
	for _, h := range all {
		s.Apply(store.HealthChanged{Health: h})
	}
	return Options{Session: Session{Store: s}}
}

func TestLoadingSaysWhatIsListed(t *testing.T) {
	d := drive(t, withHealth(
		train.Health{Source: "kube", State: train.SourceListing},
		train.Health{Source: "kube/pods", State: train.SourceListing, Resource: "pods"},
		train.Health{Source: "kube/pytorchjobs", State: train.SourceListing, Resource: "pytorchjobs"},
	), 120, 30)
	d.shows("pods, pytorchjobs…", "◐ kube listing 3")
	drive(t, withHealth(), 100, 20).shows("connecting to prod-gpu…")
}

func TestUnreachableSaysWhyAndWhenItTriesAgain(t *testing.T) {
	d := drive(t, withHealth(train.Health{
		Source: "kube", State: train.SourceRetrying, Since: nine.Add(-12 * time.Second), Retry: nine.Add(4 * time.Second),
		Text: "dial tcp 10.0.0.1:6443: connect: connection refused",
	}), 120, 30)
	d.shows("kube retrying for 12s, next try in 4s", "connection refused", "↻ kube retrying 12s")
	if d.m.clock.turn != time.Second {
		t.Error("the seconds on the screen do not go on")
	}
}

// A source that the cluster does not have is shown on :sources, and not for ever
// above every screen.
func TestAbsentSourcesAreNotInTheHeader(t *testing.T) {
	d := drive(t, withHealth(
		train.Health{Source: "exporters", State: train.SourceAbsent, Text: "no exporter of GPU metrics runs in the cluster"},
		train.Health{Source: "kube", State: train.SourceLive},
		train.Health{Source: "kube/pytorchjobs.kubeflow.org", State: train.SourceAbsent, Group: "kubeflow.org", Resource: "pytorchjobs"},
		train.Health{Source: "metrics.k8s.io", State: train.SourceAbsent, Text: "metrics-server is not installed"},
		train.Health{Source: "prometheus", State: train.SourceAbsent, Text: "no Prometheus was found"},
	), 200, 30)
	head, _, _ := strings.Cut(d.screen(), "\n")
	if !strings.Contains(head, "● kube live") || strings.Contains(head, "absent") || strings.Contains(head, "prometheus") || strings.Contains(head, "metrics") {
		t.Errorf("the header is %q", head)
	}
	d.command("sources").shows("4 absent", "metrics-server is not installed", "no Prometheus was found")
}

// Of a job that nobody was allowed to look for, it is not reported that there is
// none.
func TestAJobThatCannotBeReadIsNotCalledAbsent(t *testing.T) {
	d := drive(t, withHealth(
		train.Health{Source: "kube", State: train.SourceLive},
		train.Health{Source: "kube/pods", State: train.SourceForbidden, Verb: "list", Resource: "pods", Text: "pods is forbidden"},
	), 140, 30)
	for _, line := range []string{"compare bert gpt", "logs bert", "charts bert"} {
		d.command(line).shows("whether there is a job bert is not known", "pods")
	}
}

func TestForbiddenIsCountedAndCanBeRead(t *testing.T) {
	d := drive(t, withHealth(
		train.Health{Source: "kube", State: train.SourceLive},
		train.Health{Source: "kube/nodes", State: train.SourceForbidden, Verb: "list", Resource: "nodes", Text: "nodes is forbidden: User dev cannot list resource nodes"},
	), 140, 30)
	d.shows("● kube live", "1 forbidden, :sources", "no training jobs", "not allowed to list nodes")
	d.command("nodes").shows("not allowed to list nodes", "unknown")
	d.command("sources").shows("▲ forbidden", "User dev cannot list")
	d.keys("enter").shows("verb: list", "resource: nodes")
}

func TestRightsInOneNamespaceAreSaid(t *testing.T) {
	d := drive(t, withHealth(
		train.Health{Source: "kube", State: train.SourceLive},
		train.Health{Source: "kube/pods", State: train.SourceForbidden, Verb: "list", Resource: "pods"},
		train.Health{Source: "kube/pods/all-namespaces", State: train.SourceForbidden, Verb: "list", Resource: "pods"},
	), 140, 30)
	d.shows("not allowed to list pods", ":ns NAME opens a namespace", "traintop -n NAME")
	d.hides("pods, pods")
}

func TestAnEmptyClusterSaysWhereToStart(t *testing.T) {
	d := drive(t, withHealth(
		train.Health{Source: "kube", State: train.SourceLive},
		train.Health{Source: "kube/jobs.batch", State: train.SourceLive, Group: "batch", Resource: "jobs"},
		train.Health{Source: "kube/pytorchjobs.kubeflow.org", State: train.SourceAbsent, Group: "kubeflow.org", Resource: "pytorchjobs"},
	), 140, 30)
	d.shows("no training jobs", "looked for Job", "not installed: PyTorchJob", "where to start", "traintop demo")
}

func TestResourcesOfOneNameAreNamedOnce(t *testing.T) {
	d := drive(t, withHealth(
		train.Health{Source: "kube", State: train.SourceConnecting},
		train.Health{Source: "kube/configmaps", State: train.SourceListing, Resource: "configmaps"},
		train.Health{Source: "kube/configmaps/own", State: train.SourceListing, Resource: "configmaps"},
	), 140, 30)
	d.shows("configmaps")
	d.hides("configmaps, configmaps")
}

func TestWhatSeveralSourcesWereRefusedIsCountedOnce(t *testing.T) {
	d := drive(t, withHealth(
		train.Health{Source: "kube", State: train.SourceLive},
		train.Health{Source: "kube/nodes", State: train.SourceForbidden, Verb: "list", Resource: "nodes"},
		train.Health{Source: "prometheus", State: train.SourceForbidden},
		train.Health{Source: "prometheus/services", State: train.SourceForbidden, Verb: "list", Resource: "services"},
	), 140, 30)
	d.shows("● kube live", "2 forbidden, :sources", "prometheus forbidden")
	if head, _, _ := strings.Cut(d.screen(), "\n"); strings.Count(head, ":sources") != 1 {
		t.Errorf("the header is %q", head)
	}
}

func TestAgesGoOnOnlyWhileTimeDoes(t *testing.T) {
	pinned := drive(t, Options{}, 120, 30)
	if !pinned.m.clock.pinned {
		// The dump pins the time: the second snapshot has the time of the first.
		pinned.drain(pinned.m.look())
	}
	if !pinned.m.clock.pinned {
		t.Error("time that is pinned is taken to go on")
	}

	now := nine
	s := store.New(func() time.Time { return now })
	s.Apply(store.HealthChanged{Health: train.Health{Source: "kube", State: train.SourceRetrying, Since: nine.Add(-time.Second)}})
	d := drive(t, Options{Session: Session{Store: s}}, 120, 30)
	d.shows("retrying 1s")
	now = nine.Add(time.Second)
	d.send(ticked(d.m.clock.generation))
	d.shows("retrying 2s")
	if d.m.clock.waiting != time.Second {
		t.Errorf("the next tick is in %v", d.m.clock.waiting)
	}
	now = nine.Add(3 * time.Minute)
	d.send(ticked(d.m.clock.generation))
	d.send(ticked(d.m.clock.generation))
	if d.m.clock.waiting != 10*time.Second {
		t.Errorf("with nothing young on the screen the next tick is in %v", d.m.clock.waiting)
	}
	now = nine.Add(time.Hour)
	d.send(ticked(d.m.clock.generation)) // takes the snapshot without seconds
	d.send(ticked(d.m.clock.generation)) // and this tick is the last of its kind
	if d.m.clock.waiting != time.Minute {
		t.Errorf("with no seconds on the screen the next tick is in %v", d.m.clock.waiting)
	}
}

// That the server does not answer is shown before all else, at every width: what is shown
// is as old as that.
func TestASilentServerIsNamedAtEveryWidth(t *testing.T) {
	o := withHealth(
		train.Health{Source: "exporter/gpu-1", State: train.SourceRetrying, Since: nine.Add(-9 * time.Second)},
		train.Health{Source: "exporters", State: train.SourceLive},
		train.Health{Source: "kube", State: train.SourceRetrying, Since: nine.Add(-16 * time.Second), Text: "no answer from https://10.0.0.1:6443"},
		train.Health{Source: "kube/pods", State: train.SourceRetrying, Since: nine.Add(-16 * time.Second), Resource: "pods"},
	)
	for _, width := range []int{200, 120, 80, 60, 40, 30} {
		for _, height := range []int{35, 10} {
			head, _, _ := strings.Cut(drive(t, o, width, height).screen(), "\n")
			if !strings.Contains(head, "↻ kube retrying 16s") {
				t.Errorf("%dx%d says\n%s", width, height, head)
			}
		}
	}
	d := drive(t, o, 120, 30).command("sources")
	if screen := d.screen(); strings.Index(screen, "retrying  kube ") > strings.Index(screen, "exporter/gpu-1") {
		t.Errorf("the server is not on top of what depends on it:\n%s", screen)
	}
}

// One list that fails is counted, and the API server that answers all others is not
// shown as away.
func TestAFailingListIsNotASilentServer(t *testing.T) {
	server := train.Health{Source: "kube", State: train.SourceLive}
	pods := train.Health{Source: "kube/pods", State: train.SourceLive, Resource: "pods"}
	list := train.Health{Source: "kube/jobsets", State: train.SourceRetrying, Since: nine.Add(-40 * time.Second), Resource: "jobsets", Text: "reading jobsets: 500"}
	drive(t, withHealth(server, pods, list), 120, 24).shows("● kube live, 1 failing").hides("kube retrying")
	server.State, server.Since = train.SourceRetrying, nine.Add(-16*time.Second)
	drive(t, withHealth(server, pods, list), 120, 24).shows("↻ kube retrying 16s").hides("failing")
	only := withHealth(list)
	drive(t, only, 120, 24).shows("↻ kube retrying 40s")
}

// A question to Prometheus that goes through the API server is given up before it is
// known that the API server is silent: until then Prometheus is not shown as the
// source that fails, and what was measured has its age.
func TestTheServerIsBlamedBeforeWhatIsAskedThroughIt(t *testing.T) {
	trouble := train.Health{Source: "prometheus", State: train.SourceRetrying, Since: nine.Add(-9 * time.Second), Text: "no answer in 10s"}
	node := train.Health{Source: "exporter/gpu-1", State: train.SourceRetrying, Since: nine.Add(-4 * time.Second)}
	exporters := train.Health{Source: "exporters", State: train.SourceLive}
	server := train.Health{Source: "kube", State: train.SourceLive}
	for _, width := range []int{200, 120, 80, 40} {
		for _, command := range []string{"jobs", "gpus", "diagnose"} {
			d := drive(t, withHealth(trouble, server, node, exporters), width, 24).command(command)
			d.hides("prometheus retrying", "1 failing")
			if d.m.clock.turn != time.Second {
				t.Errorf("it is said after %v", d.m.clock.turn)
			}
		}
	}
	trouble.Since, node.Since = nine.Add(-10*time.Second), nine.Add(-10*time.Second)
	drive(t, withHealth(trouble, server, node, exporters), 120, 24).shows("↻ prometheus retrying 10s", "1 failing")
	server = train.Health{Source: "kube", State: train.SourceRetrying, Since: nine.Add(-14 * time.Second), Text: "no answer from https://10.0.0.1:6443"}
	trouble.Since = nine.Add(-3 * time.Second)
	for _, width := range []int{200, 120, 80, 40} {
		screen := drive(t, withHealth(trouble, server), width, 24).screen()
		at, other := strings.Index(screen, "kube retrying 14s"), strings.Index(screen, "prometheus retrying")
		if at < 0 || other >= 0 && other < at {
			t.Errorf("%d says\n%s", width, screen)
		}
	}
}

// Where pods may not be read all that is shown is unknown: that is shown above it at
// every size, and the name of the namespace and a healthy source make room.
func TestAForbiddenClusterIsNamedAtEverySize(t *testing.T) {
	all := []train.Health{{Source: "kube", State: train.SourceLive}}
	for _, resource := range []string{"nodes", "pods", "pytorchjobs"} {
		all = append(all, train.Health{Source: "kube/" + resource, State: train.SourceForbidden, Verb: "list", Resource: resource})
	}
	for _, width := range []int{200, 120, 80, 60, 40, 30} {
		for _, height := range []int{45, 24, 10} {
			head, _, _ := strings.Cut(drive(t, withHealth(all...), width, height).screen(), "\n")
			if !strings.Contains(head, "▲ 3 forbidden") || width >= 40 && !strings.Contains(head, "prod-gpu") {
				t.Errorf("%dx%d says\n%s", width, height, head)
			}
		}
	}
}

func TestNamesOfSourcesStayDifferent(t *testing.T) {
	d := drive(t, withHealth(
		train.Health{Source: "exporter/gpu-pool-a-node-0001", State: train.SourceRetrying, Since: nine, Text: strings.Repeat("asking the exporter ", 9)},
		train.Health{Source: "exporter/gpu-pool-a-node-0002", State: train.SourceRetrying, Since: nine, Text: strings.Repeat("asking the exporter ", 9)},
	), 100, 30)
	d.command("sources").shows("0001", "0002")
}

// Of many lists that are refused, those without which nothing is known are named.
func TestWhatMattersIsNamedFirst(t *testing.T) {
	all := []train.Health{{Source: "kube", State: train.SourceLive}}
	for _, resource := range []string{"clusterqueues", "cohorts", "configmaps", "deviceclasses", "jobs", "nodes", "pods", "pytorchjobs", "workloads"} {
		all = append(all, train.Health{Source: "kube/" + resource, State: train.SourceForbidden, Verb: "list", Resource: resource})
	}
	drive(t, withHealth(all...), 120, 30).shows("not allowed to list pods, jobs, pytorchjobs, nodes and 5 more")
}

// Where nothing could be read, lists show that they do not know, and why: not 0.
func TestListsThatWereNotReadSayWhy(t *testing.T) {
	for _, f := range []struct {
		name, why string
		health    []train.Health
	}{
		{"away", "connection refused", []train.Health{{Source: "kube", State: train.SourceRetrying, Text: "dial tcp 10.0.0.1:6443: connect: connection refused"}}},
		{"refused", "not allowed to list", []train.Health{
			{Source: "kube", State: train.SourceLive},
			{Source: "kube/pods", State: train.SourceForbidden, Resource: "pods", Verb: "list", Text: "pods is forbidden"},
			{Source: "kube/nodes", State: train.SourceForbidden, Resource: "nodes", Verb: "list", Text: "nodes is forbidden"},
			{Source: "kube/events", State: train.SourceForbidden, Resource: "events", Verb: "list", Text: "events is forbidden"},
			{Source: "kube/resourcequotas", State: train.SourceForbidden, Resource: "resourcequotas", Verb: "list", Text: "resourcequotas is forbidden"},
			{Source: "kube/namespaces", State: train.SourceForbidden, Resource: "namespaces", Verb: "list", Text: "namespaces is forbidden"},
			{Source: "kube/pytorchjobs.kubeflow.org", State: train.SourceForbidden, Group: "kubeflow.org", Resource: "pytorchjobs", Verb: "list", Text: "pytorchjobs is forbidden"},
		}},
	} {
		for command, title := range map[string]string{
			"jobs": "Jobs", "nodes": "Nodes", "gpus": "GPUs", "queues": "Queues", "events": "Events", "ns": "Namespaces", "diagnose": "Findings", "incidents": "Incidents",
		} {
			d := drive(t, withHealth(f.health...), 120, 30).command(command)
			screen := d.screen()
			if !strings.Contains(screen, title+" –") || strings.Contains(screen, title+" 0") || strings.Contains(screen, "0 jobs") || strings.Contains(screen, "no training jobs") {
				t.Errorf("%s, %s:\n%s", command, f.name, screen)
			}
			if !strings.Contains(screen, f.why) {
				t.Errorf("%s, %s: it is not said why:\n%s", command, f.name, screen)
			}
		}
	}
	// A list that was read and is empty is 0.
	d := drive(t, withHealth(train.Health{Source: "kube", State: train.SourceLive}, train.Health{Source: "kube/nodes", State: train.SourceLive, Resource: "nodes"}), 120, 30)
	d.shows("Jobs 0", "no training jobs").command("nodes").shows("Nodes 0", "no nodes")
}

// A list has no deleted jobs, and names those whose logs are there where it is empty.
func TestDeletedJobsAreNamedInAnEmptyList(t *testing.T) {
	o, kind, yes := withHealth(train.Health{Source: "kube", State: train.SourceLive}), schema.GroupKind{Group: "batch", Kind: "Job"}, true
	gpus := corev1.ResourceList{"nvidia.com/gpu": resource.MustParse("1")}
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "ml", Name: "bert-0", UID: "pod-1", CreationTimestamp: metav1.NewTime(nine), OwnerReferences: []metav1.OwnerReference{{APIVersion: "batch/v1", Kind: "Job", Name: "bert", UID: "job-1", Controller: &yes}}},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Resources: corev1.ResourceRequirements{Limits: gpus}}}},
	}
	o.Session.Store.Apply(store.Listed{Kind: kind}, store.Listed{Kind: kinds.PodKind, Objects: []kinds.Object{pod}})
	drive(t, o, 120, 30).shows("Jobs 0", "no training jobs", "deleted: ml/Job/bert; traintop logs prints their logs")
}

// The data of a server is not live while it does not answer.
func TestSourcesBehindASilentServerAreNotLive(t *testing.T) {
	d := drive(t, withHealth(
		train.Health{Source: "kube", State: train.SourceRetrying, Since: nine.Add(-30 * time.Second), Text: "no answer"},
		train.Health{Source: "kube/pods", State: train.SourceLive, Resource: "pods", Since: nine.Add(-time.Hour)},
	), 120, 30).command("sources")
	d.shows("1 retrying  1 connecting", "what was read before is shown").hides("live")
}

// A source that waits for an API server which does not answer is not shown as
// listing, and the age of one that fails is that of its data.
func TestTheHeaderSaysHowOldDataIs(t *testing.T) {
	d := drive(t, withHealth(
		train.Health{Source: "exporters", State: train.SourceListing, Resource: "pods/proxy"},
		train.Health{Source: "kube", State: train.SourceRetrying, Since: nine.Add(-30 * time.Second), Text: "no answer"},
	), 120, 30)
	d.shows("kube retrying 30s").hides("exporters")
	for since, want := range map[time.Duration]string{0: "● dcgm 40s", 10 * time.Second: "↻ dcgm retrying 40s"} {
		d = drive(t, withHealth(
			train.Health{Source: "exporters", State: train.SourceRetrying, Since: nine.Add(-since), Resource: "pods/proxy", Text: "no answer"},
			train.Health{Source: "kube", State: train.SourceLive},
		), 120, 30)
		d.m.analysis.gpus.Newest[train.FromDCGM] = nine.Add(-40 * time.Second)
		if text := ansi.Strip(d.m.head.healthLine(80).String()); !strings.Contains(text, want) {
			t.Errorf("after %v the header says %q", since, text)
		}
	}
}

// The header and the lists count GPUs of the snapshot on the screen, whatever the
// newest diagnosis looked at.
func TestGPUsAreCountedOnce(t *testing.T) {
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "gpu-0"}}
	eight := corev1.ResourceList{"nvidia.com/gpu": resource.MustParse("8")}
	node.Status.Capacity, node.Status.Allocatable = eight, eight
	node.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}
	s := store.New(func() time.Time { return nine })
	s.Apply(store.HealthChanged{Health: train.Health{Source: "kube", State: train.SourceLive}},
		store.Listed{Kind: kinds.NodeKind, Objects: []kinds.Object{node}}, store.Listed{Kind: kinds.PodKind})
	d := drive(t, Options{Session: Session{Store: s}}, 160, 45)
	d.shows("GPUs 0 of 8 held, 8 free").command("nodes").shows("8 GPUs  8 free").command("gpus").shows("GPUs 8", "8 free")
	var pods []kinds.Object
	for i := range 3 { // more than the node has
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ml", Name: fmt.Sprintf("p-%d", i), UID: types.UID(fmt.Sprint(i))}}
		pod.Spec.NodeName, pod.Status.Phase = "gpu-0", corev1.PodRunning
		pod.Spec.Containers = []corev1.Container{{Name: "c", Resources: corev1.ResourceRequirements{Limits: corev1.ResourceList{"nvidia.com/gpu": resource.MustParse("4")}}}}
		pods = append(pods, pod)
		s.Apply(store.Listed{Kind: kinds.PodKind, Objects: pods})
		d.send(snapshotTaken{s, s.Snapshot()}) // the diagnosis is older
		held := 4 * (i + 1)
		header := fmt.Sprintf("GPUs %d of %d held, %d free", held, max(8, held), max(0, 8-held))
		list := fmt.Sprintf("%d GPUs", max(8, held))
		d.command("nodes").shows(header, list).command("gpus").shows(header, "GPUs "+fmt.Sprint(max(8, held)))
	}
}

// A file is named once: the text about it does not repeat its path. In full it does.
func TestAFileIsNamedOnceAmongTheSources(t *testing.T) {
	const path = "/data/clusters/of-a-long-name/pytorch-crashloop.yaml"
	d := drive(t, withHealth(train.Health{Source: "file " + path, State: train.SourceRead, Text: path + ": 40 objects"}), 160, 24)
	d.command("sources")
	rows := strings.Split(d.screen(), "\n")
	for _, row := range rows {
		if strings.HasPrefix(row, "▌") && (strings.Count(row, "/data/clusters") != 1 || !strings.HasSuffix(row, "  40 objects")) {
			t.Errorf("the row is %q", row)
		}
	}
	d.shows(path + ": 40 objects")
}

// Reasons of events are words of one piece: where there is room they are in full.
func TestReasonsOfEventsAreShownInFull(t *testing.T) {
	s := store.New(func() time.Time { return nine })
	for _, reason := range []string{"SuccessfulCreatePod", "BackoffLimitExceeded"} {
		s.Apply(store.Set{Kind: kinds.EventKind, Object: &corev1.Event{
			ObjectMeta: metav1.ObjectMeta{Namespace: "ml", Name: reason, UID: types.UID(reason)}, Type: "Warning", Reason: reason,
			InvolvedObject: corev1.ObjectReference{Kind: "JobSet", Namespace: "ml", Name: "grpo"}, LastTimestamp: metav1.NewTime(nine),
			Message: strings.Repeat("applying RestartJobSet failure policy action ", 3),
		}})
	}
	drive(t, Options{Session: Session{Store: s}}, 160, 24).command("events").shows(" SuccessfulCreatePod ", " BackoffLimitExceeded ")
}
