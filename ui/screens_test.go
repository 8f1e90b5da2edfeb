package ui

import (
	"os"
	"strings"
	"testing"

	"github.com/traintop/traintop/views"
)

// routes are all that there are.
var routes = []views.Route{
	views.JobsRoute{}, views.JobRoute{}, views.RankRoute{}, views.DiagnosisRoute{}, views.FindingsRoute{}, views.ChartsRoute{}, views.CompareRoute{}, views.LogsRoute{},
	views.NodesRoute{}, views.NodeRoute{}, views.GPUsRoute{}, views.QueuesRoute{}, views.EventsRoute{}, views.NamespacesRoute{}, views.ContextsRoute{},
	views.ForwardsRoute{}, views.IncidentsRoute{}, views.SourcesRoute{}, views.AliasesRoute{}, views.ProbesRoute{}, views.AnswersRoute{}, views.SMIRoute{},
	views.DescribeRoute{}, views.TextRoute{}, views.TableRoute{}, views.PatternRoute{}, views.UsedByRoute{}, views.XrayRoute{}, views.SettingsRoute{},
}

func TestEveryRouteOpensTheScreenThatItNames(t *testing.T) {
	source, err := os.ReadFile("../views/route.go")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(source), ") route()"); n != len(routes) {
		t.Errorf("%d routes are tested of %d", len(routes), n)
	}
	m := drive(t, Options{}, 80, 24).m
	for _, r := range routes {
		if v := m.nav.view(r); v == nil || v.Name() != r.Screen() {
			t.Errorf("%T opens %v, want the screen %s", r, v, r.Screen())
		}
	}
}
