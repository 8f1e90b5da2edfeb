package resources

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train/apitable"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/screentest"
)

var pods = apitable.Resource{Version: "v1", Plural: "pods", Kind: "Pod", Namespaced: true}.In("")

// podTable has the columns of kube-apiserver 1.36 and one row for each sort of state.
func podTable() *apitable.Table {
	t := &apitable.Table{Listing: pods, Version: 1, Listed: true, Columns: []apitable.Column{
		{Name: "Name", Type: "string"}, {Name: "Ready", Type: "string"}, {Name: "Status", Type: "string"}, {Name: "Restarts", Type: "string"},
		{Name: "Age", Type: "string"}, {Name: "IP", Type: "string", Priority: 1}, {Name: "Node", Type: "string", Priority: 1},
	}}
	for i, row := range [][]string{
		{"board-5d8f-x7k2p", "1/1", "Running", "0"},
		{"bert-master-0", "0/1", "CrashLoopBackOff", "12 (3m1s ago)"},
		{"bert-worker-0", "0/1", "ContainerCreating", "0"},
		{"eval-28x", "0/1", "Completed", "0"},
		{"a-pod-with-a-name-that-is-as-long-as-generated-names-are-in-real-clusters-0", "1/2", "Terminating", "3"},
		{"odd", "0/1", "Init:ErrImagePull", "0"},
	} {
		t.Rows = append(t.Rows, &apitable.Row{
			Namespace: []string{"ml", "research-and-development"}[i%2], Name: row[0], UID: row[0], Created: at.Add(-time.Duration(i*i+1) * 7 * time.Minute),
			Cells: append(row, "", "10.0.0.7", "gpu-1"), Completed: row[2] == "Completed", Deleting: row[2] == "Terminating",
		})
	}
	return t
}

// demo is the snapshot behind the frames, read once.
var demo = sync.OnceValue(func() *store.Snapshot { return store.New(func() time.Time { return at }).Snapshot() })

var at = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

func frame(t *testing.T, width, height int, o themes.Options, table *apitable.Table) views.Frame {
	t.Helper()
	f := screentest.Frame(t, demo(), width, height, o)
	f.Tables = map[apitable.Listing]*apitable.Table{}
	if table != nil {
		f.Tables[table.Listing] = table
	}
	return f
}

func TestScreens(t *testing.T) {
	for _, size := range []struct{ width, height int }{{80, 20}, {160, 39}, {40, 8}, {20, 5}} {
		t.Run(fmt.Sprintf("%dx%d", size.width, size.height), func(t *testing.T) {
			golden.RequireEqual(t, screentest.Plain(New(views.TableRoute{Resource: pods}), frame(t, size.width, size.height, themes.Options{}, podTable())))
		})
	}
	t.Run("ascii", func(t *testing.T) {
		text := screentest.Screen(New(views.TableRoute{Resource: pods}), frame(t, 120, 30, themes.Options{ASCII: true, NoColor: true}, podTable()))
		screentest.CheckASCII(t, text)
		golden.RequireEqual(t, text)
	})
	t.Run("refused", func(t *testing.T) {
		refused := &apitable.Table{Listing: pods, Version: 1, Refused: true, Trouble: `listing pods in all namespaces was refused: pods is forbidden: User "ada" cannot list resource "pods" in API group "" at the cluster scope`}
		golden.RequireEqual(t, screentest.Plain(New(views.TableRoute{Resource: pods}), frame(t, 80, 20, themes.Options{}, refused)))
	})
}

func TestStatesHaveTheirColour(t *testing.T) {
	for text, want := range map[string]themes.Role{
		"Running": themes.Good, "Ready": themes.Good, "Bound": themes.Good, "Active": themes.Good,
		"Completed": themes.Done, "Succeeded": themes.Done,
		"CrashLoopBackOff": themes.Bad, "ErrImagePull": themes.Bad, "Init:Error": themes.Bad, "OOMKilled": themes.Bad, "Evicted": themes.Bad,
		"Failed": themes.Bad, "Lost": themes.Bad, "NotReady": themes.Bad, "NotReady,SchedulingDisabled": themes.Bad, "ContainerStatusUnknown": themes.Text,
		"Pending": themes.Waiting, "ContainerCreating": themes.Waiting, "Ready,SchedulingDisabled": themes.Waiting, "Init:0/2": themes.Text,
		"Terminating": themes.Redoing, "whatever": themes.Text,
	} {
		if have := stateRole("STATUS", text); have != want {
			t.Errorf("%s is drawn as %d, want %d", text, have, want)
		}
	}
	if stateRole(titleReady, "1/2") != themes.Waiting || stateRole(titleReady, "2/2") != themes.Text {
		t.Error("what is not ready does not wait")
	}
}

func TestCellsSortByTheirValue(t *testing.T) {
	for _, sorted := range [][]string{
		{"9", "10", "100"}, {"45s", "2m", "90m", "5d3h", "1y"}, {"512Mi", "2Gi", "1Ti"}, {"0/3", "2/3", "10/10"},
		{"5%", "40%"}, {"0", "3 (2m ago)", "12 (1s ago)"}, {"7", "<none>", "word"}, {"a", "b"},
	} {
		mixed := slices.Clone(sorted)
		slices.Reverse(mixed)
		slices.SortFunc(mixed, compareTexts)
		if !slices.Equal(mixed, sorted) {
			t.Errorf("%q is sorted as %q", sorted, mixed)
		}
	}
}

func TestSettingsWaitForTheirColumn(t *testing.T) {
	v := New(views.TableRoute{Resource: pods})
	v.Restore(views.State{SortColumn: "RESTARTS", Descending: true, Wide: true})
	if s := v.State(); s.SortColumn != "RESTARTS" {
		t.Errorf("before the columns are known the settings are %+v", s)
	}
	f := frame(t, 160, 39, themes.Options{}, podTable())
	v.Render(f)
	if s := v.State(); s.SortColumn != "RESTARTS" || !s.Descending || !s.Wide {
		t.Errorf("the settings are %+v", s)
	}
	if refs := v.Selected(f); len(refs) != 1 || refs[0].Name != "bert-master-0" {
		t.Errorf("the cursor is on %+v, want what restarted most", refs)
	}
	if _, handled := v.Do(keymap.SortStatus, f); !handled || v.State().SortColumn != "STATUS" {
		t.Errorf("sorted by %q, want STATUS", v.State().SortColumn)
	}
}
