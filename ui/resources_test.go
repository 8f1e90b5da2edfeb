package ui

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/actions/audit"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/streams"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/apitable"
	"github.com/traintop/traintop/train/kinds"
)

// tableCluster is a fakeCluster with tables. The test feeds the tables that it
// follows.
type tableCluster struct {
	fakeCluster
	catalog *apitable.Catalog
	err     error
	asked   int
	// object is what reads of one object give, values those of a Secret.
	object map[string]any
	values map[string]string
}

func (c *tableCluster) Object(context.Context, train.Ref) (map[string]any, error) {
	if c.object == nil {
		return nil, errors.New("reading it: not found")
	}
	return c.object, nil
}

func (c *tableCluster) SecretValues(context.Context, train.Ref) (map[string]string, error) {
	return c.values, nil
}

func (c *tableCluster) Resources(context.Context) (*apitable.Catalog, error) {
	c.asked++
	return c.catalog, c.err
}

// FollowTable waits as one that brings nothing new: tests send tables themselves.
func (c *tableCluster) FollowTable(ctx context.Context, _ apitable.Listing, _ func(*apitable.Table)) {
	<-ctx.Done()
}

func everyVerb() []string { return []string{"get", "list", "watch", "delete", "update", "patch"} }

func smallCatalog() *apitable.Catalog {
	return &apitable.Catalog{Resources: []apitable.Resource{
		{Version: "v1", Plural: "configmaps", Singular: "configmap", ShortNames: []string{"cm"}, Kind: "ConfigMap", Namespaced: true, Verbs: everyVerb(), Preferred: true},
		{Version: "v1", Plural: "nodes", Singular: "node", ShortNames: []string{"no"}, Kind: "Node", Verbs: everyVerb(), Preferred: true},
		{Version: "v1", Plural: "pods", Singular: "pod", ShortNames: []string{"po"}, Kind: "Pod", Namespaced: true, Verbs: everyVerb(), Preferred: true},
		{Group: "apps", Version: "v1", Plural: "deployments", Singular: "deployment", ShortNames: []string{"deploy"}, Kind: "Deployment", Namespaced: true, Verbs: everyVerb(), Scalable: true, Preferred: true},
		{Group: "apps", Version: "v1", Plural: "replicasets", Singular: "replicaset", ShortNames: []string{"rs"}, Kind: "ReplicaSet", Namespaced: true, Verbs: everyVerb(), Scalable: true, Preferred: true},
		{Group: "batch", Version: "v1", Plural: "jobs", Singular: "job", Kind: "Job", Namespaced: true, Verbs: everyVerb(), Preferred: true},
		{Group: "batch", Version: "v1", Plural: "cronjobs", Singular: "cronjob", ShortNames: []string{"cj"}, Kind: "CronJob", Namespaced: true, Verbs: everyVerb(), Preferred: true},
	}}
}

// withTables drives the model with a cluster that has tables.
func withTables(t *testing.T, change func(*Options)) (*driver, *tableCluster) {
	t.Helper()
	cluster := &tableCluster{fakeCluster: fakeCluster{t: t}, catalog: smallCatalog()}
	o := Options{Cluster: cluster}
	if change != nil {
		change(&o)
	}
	d := drive(t, o, 120, 30)
	d.m.tables.send = func(tea.Msg) {}
	t.Cleanup(d.m.tables.end)
	return d, cluster
}

// brings sends a table of the only listing that is followed, as the source would.
func (d *driver) brings(table apitable.Table) {
	d.t.Helper()
	if len(d.m.tables.following) != 1 {
		d.t.Fatalf("%d tables are followed, want one", len(d.m.tables.following))
	}
	for listing, f := range d.m.tables.following {
		table.Listing, table.Version = listing, table.Version+1
		d.send(tableRead{&table, f.number})
	}
}

// The footer names the key that scales where objects have a size.
func TestTheFooterNamesTheKeyThatScales(t *testing.T) {
	d, _ := withTables(t, func(o *Options) { o.Session.Actor = &fakeActor{} })
	d.command("deploy").brings(deployments("api"))
	d.shows("s scale")
	d.command("cm").brings(apitable.Table{Listed: true})
	d.hides("s scale")
}

var born = time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)

func deployments(names ...string) apitable.Table {
	t := apitable.Table{Listed: true, Columns: []apitable.Column{
		{Name: "Name", Type: "string"}, {Name: "Ready", Type: "string"}, {Name: "Up-to-date", Type: "integer"}, {Name: "Age", Type: "string"}, {Name: "Images", Type: "string", Priority: 1},
	}}
	for i, name := range names {
		t.Rows = append(t.Rows, &apitable.Row{
			Namespace: "web", Name: name, UID: "uid-" + name, Created: born, Labels: map[string]string{"app": name},
			Cells: []string{name, fmt.Sprintf("%d/1", i%2), fmt.Sprint(9 + i), "60m", "nginx:1"},
		})
	}
	return t
}

func TestAnyResourceIsATable(t *testing.T) {
	d, cluster := withTables(t, nil)
	d.command("deploy").shows("Deployments.apps", "listing deployments.apps in all namespaces")
	d.brings(deployments("api", "front", "zoo"))
	d.shows("Deployments.apps 3", "NAMESPACE", "UP-TO-DATE", "front", "95m", "1/1").hides("nginx:1")
	d.keys("ctrl+w").shows("IMAGES", "nginx:1")
	d.keys("/").types("zoo").keys("enter").shows("Deployments.apps 1").hides("front")
	d.keys("esc", "/").types("-l app=api").keys("enter").shows("Deployments.apps 1").hides("zoo")
	d.keys("esc", "ctrl+z").shows("faulty only", "api", "zoo").hides("front")
	d.keys("ctrl+z", "space").shows("1 marked")
	if cluster.asked != 1 {
		t.Errorf("the cluster was asked %d times what it serves", cluster.asked)
	}
	d.keys("esc").shows("Jobs")
	if len(d.m.tables.following)+len(d.m.tables.newest) != 0 {
		t.Error("a table that is closed is followed or kept")
	}
}

func TestNumbersSortAsNumbers(t *testing.T) {
	d, _ := withTables(t, nil)
	d.command("deploy").brings(deployments("a", "b", "c"))
	d.keys("shift+right", "shift+right", "shift+right", "shift+right", "O")
	screen := d.screen()
	if !strings.Contains(screen, "sorted by up-to-date") || strings.Index(screen, "  9 ") > strings.Index(screen, " 10 ") {
		t.Errorf("9 is not before 10:\n%s", screen)
	}
}

func TestTablesFollowTheNamespaceInUse(t *testing.T) {
	d, _ := withTables(t, nil)
	d.command("deploy").brings(deployments("api"))
	d.command("deploy llm").shows("listing deployments.apps in namespace llm")
	for listing := range d.m.tables.following {
		if listing.Namespace != "llm" {
			t.Errorf("followed is %+v", listing)
		}
	}
	d.brings(apitable.Table{Listed: true})
	d.shows("there are no deployments.apps in namespace llm")
}

func TestOwnScreensWinAndFullNamesReachTheTable(t *testing.T) {
	d, _ := withTables(t, nil)
	d.command("nodes").hides("listing nodes")
	d.command("core/nodes").shows("listing nodes")
	d.command("nodes.v1").shows("listing nodes")
	d.command("jobs").shows("Jobs").hides("listing")
	d.command("jobs.batch").shows("listing jobs.batch")
	d.command("po").shows("listing pods")
}

func TestUnknownResourcesNameTheLikeOnes(t *testing.T) {
	d, cluster := withTables(t, nil)
	d.command("deploymnts").shows("deploymnts is no command and no resource of this cluster; near: deployments; ctrl-a lists commands")
	cluster.catalog.Resources = append(cluster.catalog.Resources, apitable.Resource{Group: "example.com", Version: "v1", Plural: "widgets", Kind: "Widget", Verbs: everyVerb(), Preferred: true})
	d.command("widget").shows("listing widgets.example.com") // defined meanwhile
	cluster.err = errors.New("asking which resources the cluster serves: connection refused")
	d.command("gadgets").shows("gadgets is no command, and asking which resources the cluster serves: connection refused")
	drive(t, Options{}, 120, 30).command("deploy").shows("deploy is no command; tables of resources need a cluster; ctrl-a lists commands")
	drive(t, Options{}, 80, 30).command("pods").shows("files have no list of pods: enter in :jobs or :nodes shows them")
}

func TestResourcesWithoutAListAreNamed(t *testing.T) {
	d, cluster := withTables(t, nil)
	cluster.catalog.Resources = append(cluster.catalog.Resources,
		apitable.Resource{Version: "v1", Plural: "bindings", Kind: "Binding", Namespaced: true, Verbs: []string{"create"}, Preferred: true},
		apitable.Resource{Group: "example.com", Version: "v1", Plural: "widgets", Kind: "Widget", Preferred: true})
	d.command("bindings").shows("bindings cannot be listed: discovery names only create")
	d.command("widget").shows("discovery names widgets.example.com without verbs").hides("no resource of this cluster")
}

func TestTroubleOfATableIsSaid(t *testing.T) {
	d, _ := withTables(t, nil)
	d.command("cm").brings(apitable.Table{Refused: true, Trouble: `listing configmaps in all namespaces was refused: User "ada" cannot list`})
	d.shows("not allowed to list configmaps in all namespaces", `User "ada" cannot list`, "what is there is unknown")
	d.brings(apitable.Table{Trouble: "no answer from https://cluster: connection refused", Version: 1})
	d.shows("reading configmaps failed; it is tried again", "connection refused")
	kept := deployments("api")
	kept.Trouble, kept.Version = "no answer from https://cluster: connection refused", 2
	d.brings(kept)
	d.shows("as last read: no answer from https://cluster", "api")
	kept = deployments("api")
	kept.OnlyIn, kept.Every, kept.Version = "web", 10*time.Second, 3
	d.brings(kept)
	d.shows("only in web: all may not be listed", "read every 10s")
}

func TestTheOwnerOfARowIsOneKeyAway(t *testing.T) {
	d, _ := withTables(t, nil)
	table := deployments("api-5d")
	table.Rows[0].Owner = train.Ref{Group: "apps", Kind: "Deployment", Namespace: "web", Name: "zoo", UID: "uid-zoo"}
	d.command("rs").brings(table)
	d.keys("J").shows("listing deployments.apps")
	owners := deployments("api", "zoo")
	for listing, f := range d.m.tables.following {
		if listing.Plural == "deployments" {
			owners.Listing, owners.Version = listing, 1
			d.send(tableRead{&owners, f.number})
		}
	}
	d.keys("c")
	if d.copied != "zoo" {
		t.Errorf("the cursor is on %q, want the owner zoo", d.copied)
	}
	d.keys("esc").shows("Replicasets.apps 1")
}

func TestHostileCellsAreCleaned(t *testing.T) {
	d, _ := withTables(t, nil)
	table := deployments("api")
	table.Rows[0].Cells[1] = "\x1b[2J\u202eevil"
	table.Columns[2].Name = "Up\x1b[2J"
	table.Rows[0].Cells = table.Rows[0].Cells[:3] // fewer than columns
	d.command("deploy").brings(table)
	if coloured := d.coloured(); strings.Contains(coloured, "\x1b[2J") || strings.Contains(coloured, "\u202e") {
		t.Error("a cell reaches the terminal as it came")
	}
}

func TestSecretsInCellsAreMasked(t *testing.T) {
	d, _ := withTables(t, nil)
	table := deployments("api")
	table.Columns[2].Type = "string"
	table.Rows[0].Cells[2] = "ghp_" + strings.Repeat("a1B2", 9)
	d.command("deploy").brings(table)
	d.shows("***").hides("a1B2a1B2")
}

func TestResourcesComplete(t *testing.T) {
	d, _ := withTables(t, nil)
	d.keys(":").types("configm").keys("tab", "enter").shows("listing configmaps")
	d.keys(":").types("configmaps ll").keys("tab", "enter").shows("in namespace llm")
	d.keys(":").types("rs").keys("enter").shows("listing replicasets.apps") // not what completes it
}

func TestDescriptionsOfOtherKindsAreReadAndKeptUpToDate(t *testing.T) {
	d, cluster := withTables(t, nil)
	var due []tea.Msg
	d.m.after = func(_ time.Duration, msg tea.Msg) tea.Cmd {
		if _, is := msg.(objectDue); is {
			due = append(due, msg)
		}
		return nil
	}
	cluster.object = map[string]any{
		"apiVersion": "apps/v1", "kind": "Deployment",
		"metadata": map[string]any{"name": "api", "namespace": "web", "resourceVersion": "1"},
		"spec":     map[string]any{"replicas": int64(3)},
		"status":   map[string]any{"conditions": []any{map[string]any{"type": "Available", "status": "False", "reason": "MinimumReplicasUnavailable"}}},
	}
	d.command("deploy").brings(deployments("api"))
	d.keys("d").shows("Deployment web/api", "Deployment (apps/v1)", "MinimumReplicasUnavailable")
	cluster.object = map[string]any{"kind": "Deployment", "metadata": map[string]any{"name": "api", "namespace": "web", "resourceVersion": "2"}, "status": map[string]any{"phase": "healed"}}
	if len(due) == 0 {
		t.Fatal("the object is not read again")
	}
	d.send(due[len(due)-1])
	d.shows("healed").hides("MinimumReplicasUnavailable")
	cluster.object = nil
	d.send(due[len(due)-1])
	d.shows("healed", "reading it: not found")
	d.keys("esc")
	before := len(due)
	d.send(due[len(due)-1])
	if len(due) != before {
		t.Error("an object is read after its screen was left")
	}
}

func TestYAMLIsKeptUpToDate(t *testing.T) {
	d, cluster := withTables(t, nil)
	var due []tea.Msg
	d.m.after = func(_ time.Duration, msg tea.Msg) tea.Cmd {
		if _, is := msg.(objectDue); is {
			due = append(due, msg)
		}
		return nil
	}
	d.command("deploy").brings(deployments("api"))
	d.keys("y").shows("live: true")
	cluster.manifest = "kind: Deployment\nlive: changed\n"
	d.send(due[0])
	d.shows("live: changed")
	d.keys("r").shows("not refreshed")
	cluster.manifest = "kind: Deployment\nlive: again\n"
	d.send(due[len(due)-1])
	d.hides("live: again")
	d.keys("r", "m").shows("managedFields")
}

func TestValuesOfASecretAreShownAfterAQuestion(t *testing.T) {
	actor := &fakeActor{}
	d, cluster := withTables(t, func(o *Options) {
		o.Session = Session{Store: fixture(t), Actor: actor, Settings: Settings{ReadOnly: true}}
	})
	cluster.catalog.Resources = append(cluster.catalog.Resources, apitable.Resource{Version: "v1", Plural: "secrets", Kind: "Secret", Namespaced: true, Verbs: everyVerb(), Preferred: true})
	cluster.values = map[string]string{"password": "hunter2", "key": "one\ntwo\n", "blob": "\xff\x00"}
	d.command("secrets").brings(deployments("db"))
	d.keys("x").shows("Show the values of Secret web/db?").hides("hunter2")
	d.keys("esc").hides("hunter2")
	d.keys("x", "tab", "enter").shows("Secret web/db, decoded", "password: hunter2", "key: |", "  two", "blob: (2 bytes that are no text)")
	d.keys("c").shows("neither copied nor saved").hides("copied the text")
	d.keys("r", "ctrl+s").shows("neither copied nor saved").hides("saved to")
	d.keys("esc").hides("hunter2")
	actor.refuses = func(a actions.Access) string {
		if a.Verb == "get" && a.Kind == "Secret" && a.Name == "db" {
			return "you may not get secrets in namespace web"
		}
		return ""
	}
	d.keys("x", "tab", "enter").shows("you may not get secrets").hides("hunter2")
	d.keys("esc")
	d.command("deploy").brings(deployments("api"))
	d.keys("x").shows("only a Secret has values to decode")
}

func TestUsersOfAnObject(t *testing.T) {
	d, cluster := withTables(t, nil)
	cluster.catalog.Resources = append(cluster.catalog.Resources, apitable.Resource{Version: "v1", Plural: "persistentvolumeclaims", ShortNames: []string{"pvc"}, Kind: "PersistentVolumeClaim", Namespaced: true, Verbs: everyVerb(), Preferred: true})
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "web", Name: "board-0"}}
	pod.Spec.Volumes = []corev1.Volume{{Name: "runs", VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "runs"}}}}
	pod.Status.Phase = corev1.PodPending
	d.m.session.Store.Apply(store.Set{Kind: kinds.PodKind, Object: pod})
	d.send(takeSnapshot(d.m.session.Store))
	d.command("pvc").brings(deployments("runs", "unused"))
	d.keys("u").shows("PersistentVolumeClaim web/runs is used by 1", "board-0", "Pending", "spec.volumes[runs]")
	d.keys("esc", "down", "u").shows("no pod names it")
	d.command("deploy").brings(deployments("api"))
	d.keys("u").shows("who uses an object is known of ConfigMaps")
}

func TestEnterOnAPodOpensItsLog(t *testing.T) {
	d, _ := withTables(t, nil)
	table := deployments("hotfix-rlhf-master-0")
	table.Rows[0].Namespace = "urgent"
	d.command("pods").brings(table)
	d.keys("enter")
	if name := d.m.top().Name(); name != "logs" {
		t.Errorf("enter opens %s:\n%s", name, d.screen())
	}
	table = deployments("stranger")
	table.Version = 1
	d.command("pods").brings(table)
	d.keys("l").shows("stranger is not known yet")
	d.keys("enter").shows("Pod web/stranger")
}

// The log of a pod that belongs to no job is followed like that of a rank.
func TestThePodOfNoJobHasALog(t *testing.T) {
	d, _ := withTables(t, func(o *Options) {
		o.Session.Store = fixture(t)
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "web", Name: "api-5d8-x", UID: "uid-api"}}
		pod.Spec.Containers = []corev1.Container{{Name: "api", Image: "nginx:1"}}
		pod.Status.Phase = corev1.PodRunning
		pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "api", State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}}}
		o.Session.Store.Apply(store.Set{Kind: kinds.PodKind, Object: pod})
	})
	jobs := len(d.m.snapshot.Jobs()) + len(d.m.snapshot.LogJobs())
	d.command("pods").brings(deployments("api-5d8-x"))
	d.keys("l").shows("Logs api-5d8-x")
	stream := train.StreamID{Namespace: "web", Pod: "api-5d8-x", UID: "uid-api", Container: "api"}
	if plan := d.m.reading.plan; plan == nil || len(plan.Chosen) == 0 || plan.Chosen[0].ID != stream {
		t.Errorf("the plan of logs is %+v, want %v", plan, stream)
	}
	d.m.session.Store.Apply(store.Logged{Stream: stream, Lines: []train.LogLine{{Number: 1, Text: "GET /healthz 200"}}})
	d.send(snapshotTaken{d.m.session.Store, d.m.session.Store.Snapshot()})
	d.shows("GET /healthz 200", " api ").hides("rank 0")
	d.keys("D").shows("this pod belongs to none")
	if now := len(d.m.snapshot.Jobs()) + len(d.m.snapshot.LogJobs()); now != jobs {
		t.Errorf("%d jobs are listed, %d before", now, jobs)
	}
	d.keys("esc").shows("Pods 1")
}

// A Deployment is no job: l on its row shows the logs of its pods, as in k9s, and a pod
// of another owner is none of them.
func TestTheLogsOfAWorkload(t *testing.T) {
	pod := func(name, replicaSet, hash string) *corev1.Pod {
		yes := true
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
			Namespace: "web", Name: name, UID: types.UID("uid-" + name), Labels: map[string]string{"pod-template-hash": hash},
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: replicaSet, UID: types.UID("uid-" + replicaSet), Controller: &yes}},
		}}
		pod.Spec.Containers = []corev1.Container{{Name: "server", Image: "nginx:1"}}
		pod.Status.Phase = corev1.PodRunning
		pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "server", State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}}}
		return pod
	}
	d, _ := withTables(t, func(o *Options) {
		o.Session.Store = fixture(t)
		for _, pod := range []*corev1.Pod{pod("api-5d8-x", "api-5d8", "5d8"), pod("api-77c-y", "api-77c", "77c"), pod("api-v2-77c-z", "api-v2-77c", "77c")} {
			o.Session.Store.Apply(store.Set{Kind: kinds.PodKind, Object: pod})
		}
	})
	jobs := len(d.m.snapshot.Jobs()) + len(d.m.snapshot.LogJobs())
	d.command("deploy").brings(deployments("api", "front"))
	d.keys("l").shows("Logs api", "api-5d8-x", "api-77c-y").hides("api-v2", "rank 0")
	for _, name := range []string{"api-5d8-x", "api-77c-y"} {
		stream := train.StreamID{Namespace: "web", Pod: name, UID: "uid-" + name, Container: "server"}
		if plan := d.m.reading.plan; plan == nil || !slices.ContainsFunc(plan.Chosen, func(c streams.Chosen) bool { return c.ID == stream }) {
			t.Errorf("the plan of logs is %+v, want %v", plan, stream)
		}
		d.m.session.Store.Apply(store.Logged{Stream: stream, Lines: []train.LogLine{{Number: 1, Time: d.m.snapshot.Now, Text: "GET from " + name}}})
	}
	d.send(snapshotTaken{d.m.session.Store, d.m.session.Store.Snapshot()})
	d.shows("GET from api-5d8-x", "GET from api-77c-y")
	d.keys("v").shows("GET from api-5d8-x", "GET from api-77c-y")
	d.keys("D").shows("these pods belong to none")
	if now := len(d.m.snapshot.Jobs()) + len(d.m.snapshot.LogJobs()); now != jobs {
		t.Errorf("%d jobs are listed, %d before", now, jobs)
	}
	d.keys("esc").shows("Deployments.apps 2")
	d.keys("down", "l").shows("no pod of front is known")
}

// actingOn drives tables with an actor that answers with an object.
func actingOn(t *testing.T, object string, change func(*Options)) (*driver, *fakeActor) {
	t.Helper()
	actor := &fakeActor{object: object}
	d, _ := withTables(t, func(o *Options) {
		o.Session = Session{Store: fixture(t), Actor: actor}
		o.Audit = audit.New(filepath.Join(t.TempDir(), "audit.jsonl"), time.Now)
		if change != nil {
			change(o)
		}
	})
	return d, actor
}

func TestRowsAreDeletedAfterAQuestion(t *testing.T) {
	d, actor := actingOn(t, "", nil)
	d.command("deploy").brings(deployments("api", "front"))
	d.keys("space", "down", "space", "ctrl+d").shows("Delete 2 Deployments?", "deletes Deployment web/api and what it owns")
	d.keys("esc")
	if len(actor.changes) > 0 {
		t.Fatalf("changed without a yes: %+v", actor.changes)
	}
	d.keys("ctrl+d", "tab", "enter")
	if len(actor.changes) != 2 || actor.changes[0].Verb != actions.Delete || actor.changes[0].Ref.UID == "" {
		t.Errorf("sent was %+v", actor.changes)
	}
}

func TestSizesAreChangedWhereThereIsAScale(t *testing.T) {
	d, actor := actingOn(t, `{"spec":{"replicas":3}}`, nil)
	d.command("deploy").brings(deployments("api"))
	d.keys("s").shows("Scale Deployment web/api?", "it has 3 replicas already", "replicas")
	d.keys("backspace", "7").shows("sets Deployment web/api from 3 to 7 replicas")
	d.keys("tab", "tab", "enter")
	if len(actor.changes) != 1 || actor.changes[0].Subresource != "scale" || string(actor.changes[0].Body) != `{"spec":{"replicas":7}}` {
		t.Errorf("sent was %+v", actor.changes)
	}
	d.command("cm").brings(deployments("settings"))
	d.keys("s").shows("a ConfigMap has no size to change")
}

func TestCronJobsAreTriggeredAndSuspended(t *testing.T) {
	d, actor := actingOn(t, `{"metadata":{"uid":"u"},"spec":{"schedule":"@daily","jobTemplate":{"spec":{"x":1}}}}`, nil)
	d.command("cj").brings(deployments("nightly"))
	d.keys("t").shows("Trigger CronJob web/nightly?", "makes a job nightly-manual-")
	d.keys("tab", "enter")
	d.keys("s").shows("Suspend CronJob web/nightly?").keys("tab", "enter")
	if len(actor.changes) != 2 || actor.changes[0].Verb != actions.Create || string(actor.changes[1].Body) != `{"spec":{"suspend":true}}` {
		t.Errorf("sent was %+v", actor.changes)
	}
}

func TestADrainBeginsWithTheCordon(t *testing.T) {
	d, actor := actingOn(t, "", nil)
	d.command("nodes")
	d.keys("r")
	screen := d.screen()
	if !strings.Contains(screen, "Drain Node") || !strings.Contains(screen, "evict") {
		t.Fatalf("no plan:\n%s", screen)
	}
	actor.fails = func(r actions.Request) error {
		if r.Verb == actions.Patch {
			return errors.New("the node may not be patched")
		}
		return nil
	}
	d.keys("tab", "enter")
	if len(actor.changes) != 1 {
		t.Errorf("sent was %+v, want the cordon alone", actor.changes)
	}
	for _, r := range actor.changes {
		if r.Subresource == "eviction" {
			t.Error("a pod is evicted from a node that could not be cordoned")
		}
	}
}

func TestReadOnlyTablesHaveNoKeysThatChange(t *testing.T) {
	d, actor := actingOn(t, `{"spec":{"replicas":3}}`, func(o *Options) { o.ReadOnly = true })
	for _, command := range []string{"deploy", "cj", "core/nodes"} {
		d.command(command).brings(deployments("api"))
		d.keys("ctrl+d", "s", "t", "e", "r", "enter", "esc")
		d.hides("Delete", "Scale", "Suspend", "Trigger", "Drain")
		d.keys("?").hides("suspend the schedule", "evict its pods", "how many replicas", "delete the marked").keys("esc")
	}
	if len(actor.changes) > 0 {
		t.Errorf("sent was %+v", actor.changes)
	}
}

// enter on a workload opens its pods, and on a CronJob its jobs, as in k9s.
func TestEnterOpensWhatAWorkloadOwns(t *testing.T) {
	row := func(name string, owner train.Ref, labels map[string]string) *apitable.Row {
		return &apitable.Row{Namespace: "web", Name: name, UID: "uid-" + name, Owner: owner, Labels: labels, Cells: []string{name, "1/1", "1", "1m", ""}}
	}
	owned := func(kind, name string) train.Ref {
		return train.Ref{Group: "apps", Kind: kind, Namespace: "web", Name: name, UID: "uid-" + name}
	}
	pods := deployments()
	pods.Rows = []*apitable.Row{
		row("api-5d8-x", owned("ReplicaSet", "api-5d8"), map[string]string{"pod-template-hash": "5d8"}),
		row("api-v2-77c-y", owned("ReplicaSet", "api-v2-77c"), map[string]string{"pod-template-hash": "77c"}),
		row("front-0", owned("StatefulSet", "front"), nil),
		row("front-agent-z", owned("DaemonSet", "front-agent"), nil),
		row("rs-0", owned("ReplicaSet", "api"), nil),
	}
	jobs := deployments()
	jobs.Rows = []*apitable.Row{
		row("api-28912", train.Ref{Group: "batch", Kind: "CronJob", Namespace: "web", Name: "api", UID: "uid-api"}, nil),
		row("night-28913", train.Ref{Group: "batch", Kind: "CronJob", Namespace: "web", Name: "night", UID: "uid-night"}, nil),
	}
	for _, c := range []struct {
		command, title string
		shows          string
	}{
		{"deploy", "of deployment api", "api-5d8-x"},
		{"rs", "of replicaset api", "rs-0"},
		{"jobs.batch", "listing pods in namespace web", ""},
		{"cj", "of cronjob api", "api-28912"},
	} {
		d, _ := withTables(t, nil)
		d.command(c.command).brings(deployments("api"))
		d.keys("enter")
		if c.shows == "" {
			d.shows(c.title)
			continue
		}
		for listing, f := range d.m.tables.following {
			brought := pods
			switch listing.Plural {
			case "jobs":
				brought = jobs
			case "pods":
			default:
				continue
			}
			brought.Listing, brought.Version = listing, 9
			d.send(tableRead{&brought, f.number})
		}
		d.shows(c.title, c.shows)
		for _, r := range slices.Concat(pods.Rows, jobs.Rows) {
			if r.Name != c.shows {
				d.hides(r.Name)
			}
		}
		d.keys("esc").shows("api").hides(c.shows)
	}
}

// Schedules of Volcano and KubeRay have the keys of a CronJob, and a JobFlow opens its
// Jobs: its controller owns them (Volcano 1.15, pkg/controllers/jobflow).
func TestSchedulesAndFlowsOfOtherOperatorsOpenTheirJobs(t *testing.T) {
	resource := func(group, plural, kind string) apitable.Resource {
		return apitable.Resource{Group: group, Version: "v1", Plural: plural, Singular: strings.ToLower(kind), Kind: kind, Namespaced: true, Verbs: everyVerb(), Preferred: true}
	}
	for command, c := range map[string]struct {
		opens     string
		scheduled bool
	}{
		"cronjobs.batch.volcano.sh": {"listing jobs.batch.volcano.sh in namespace web", true},
		"raycronjobs":               {"listing rayjobs.ray.io in namespace web", true},
		"jobflows":                  {"listing jobs.batch.volcano.sh in namespace web", false},
	} {
		d, cluster := withTables(t, func(o *Options) { o.Session.Actor = &fakeActor{} })
		cluster.catalog.Resources = append(cluster.catalog.Resources,
			resource("batch.volcano.sh", "jobs", "Job"), resource("batch.volcano.sh", "cronjobs", "CronJob"), resource("flow.volcano.sh", "jobflows", "JobFlow"),
			resource("ray.io", "rayjobs", "RayJob"), resource("ray.io", "raycronjobs", "RayCronJob"))
		d.command(command).brings(deployments("nightly"))
		if d.keys("?"); c.scheduled {
			d.shows("make a job of it now", "suspend the schedule")
		} else {
			d.hides("make a job of it now")
		}
		d.keys("esc")
		d.keys("enter").shows(c.opens)
	}
}

func TestCtrlAListsTheResourcesOfTheCluster(t *testing.T) {
	d, cluster := withTables(t, nil)
	d.keys("ctrl+a").shows("Commands", "6 resources")
	if cluster.asked != 1 {
		t.Errorf("the cluster was asked %d times", cluster.asked)
	}
	d.keys("/").types("configmaps").keys("enter").shows("configmap cm", "ConfigMap of core/v1", "Commands 0").hides("deployments")
	d.keys("enter").shows("listing configmaps")
	d.keys("ctrl+a", "/").types("Node of core").keys("enter").shows("core/nodes", "Node of core/v1, in no namespace")
	d.keys("enter").shows("listing nodes")
	drive(t, Options{}, 120, 30).keys("ctrl+a").shows("Commands").hides("resources 0", "0 resources")
}

// Where the cluster takes its time to report what it serves, that is shown
// meanwhile.
func TestWaitingForTheListOfResourcesIsSaid(t *testing.T) {
	d, _ := withTables(t, nil)
	_ = d.m.run("pvc") // what it asks for is not answered
	d.m.dirty = true
	d.shows("asking the cluster which resources it serves")
	d.command("cm").shows("listing configmaps").hides("asking the cluster")
}
