package cli

import (
	"strings"
	"testing"
)

func TestColumnsOfListsAreRead(t *testing.T) {
	c, warnings := parsed(t, `
views:
  jobs:
    columns: [NAME, {title: WHY, width: 40}, {annotation: example.com/run}, {title: X, label: a, annotation: b}, {colour: red}, {title: W, width: 900}, 7]
    sort: AGE desc
  nodes: {wide: maybe, filter: "@x"}
  gpus: [NAME]
`)
	all := strings.Join(warnings, "\n")
	for _, want := range []string{
		":4: views.jobs: the column X is a label or an annotation, not both", `:4: views.jobs: {"colour":"red"} is no column`, ":4: views.jobs: the width of W is 900",
		":4: views.jobs: 7 is no column", `:6: views.nodes.wide is "maybe"; it has to be true or false`, ":7: views.gpus is a list; it has to be a map",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("%s is not in\n%s", want, all)
		}
	}
	set := c.Custom()
	jobs := set.Views["jobs"]
	if len(jobs.Columns) != 3 || jobs.Columns[1].Width != 40 || jobs.Columns[2].Annotation != "example.com/run" || jobs.Sort != "AGE" || !jobs.Descending || set.Views["nodes"].Filter != "@x" {
		t.Errorf("%+v", set.Views)
	}
}
