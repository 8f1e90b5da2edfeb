package ui

import (
	"strings"
	"testing"

	"github.com/traintop/traintop/ui/custom"
)

// titlesOf are the titles of the table on the screen.
func titlesOf(d *driver) string {
	for _, line := range strings.Split(d.screen(), "\n") {
		if strings.Contains(line, "NAME") && strings.ToUpper(line) == strings.ReplaceAll(line, "30m", "30M") {
			return strings.Join(strings.Fields(line), " ")
		}
	}
	return ""
}

func TestColumnsOfOnesOwn(t *testing.T) {
	d := drive(t, Options{}, 200, 40)
	standard := titlesOf(d)
	wide := false
	set := custom.Set{Views: map[string]custom.View{
		"jobs": {
			Columns: []custom.Column{{Title: "PHASE"}, {Title: "name", Width: 30}, {Title: "QUEUE OF", Label: "kueue.x-k8s.io/queue-name", Width: 14}, {Annotation: "example.com/wandb"}, {Title: "NODES"}, {Title: "GPUSS"}},
			Sort:    "NAME desc", Wide: &wide,
		},
		"nodes":  {Filter: "/gpu-h100", Sort: "NAME"},
		"nosuch": {},
	}}
	set.Views["jobs"] = custom.View{Columns: set.Views["jobs"].Columns, Sort: "NAME", Descending: true, Wide: &wide}
	d = drive(t, Options{Config: Config{Custom: set}}, 200, 40)
	if got := titlesOf(d); !strings.HasPrefix(got, "PHASE NAME↓ QUEUE OF WANDB NODES") || strings.Contains(got, "WHY") {
		t.Errorf("the columns are %s", got)
	}
	if d.keys("ctrl+w"); !strings.Contains(titlesOf(d), "NAMESPACE") {
		t.Errorf("wide columns lack the others: %s", titlesOf(d))
	}
	d.keys("ctrl+w").shows("sorted by name, descending")
	all := ""
	for _, problem := range CustomProblems(set) {
		all += problem.Key + " " + problem.Text + "\n"
	}
	for _, want := range []string{"views.jobs.columns views.jobs has no column GPUSS; columns are NAMESPACE, NAME", "views.nosuch: there is no such list; lists are"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not in\n%s", want, all)
		}
	}
	d.command("nodes").shows("/gpu-h100")
	d.keys("esc").hides("/gpu-h100")
	d.command("jobs")
	d.send(reloaded(func(string) Reload { return Reload{} }))
	if got := titlesOf(d); strings.Replace(got, "NAME↓", "NAME", 1) != standard {
		t.Errorf("without the setting the columns are\n%s\nwere\n%s", got, standard)
	}
}

// TestLinesThatDoNothing checks that the lines of the prompt that settings run are known to be
// wrong where no cluster can make them right.
func TestLinesThatDoNothing(t *testing.T) {
	for line, want := range map[string]string{
		"gpus": "", "jobs ml /llama": "", "mine": "", "crontabs": "", "pytorchjobs": "", "helmreleases": "", "": "", "theme nord": "", "jobs /@slow": "", "job": "",
		"gpuss": "there is no command gpuss; is it gpus?", "jobs /@fast": "its filter cannot be used: there is no saved filter fast",
		":nodes": "there is no command :nodes; is it nodes?", "mine /(": "its filter cannot be used:",
	} {
		set := custom.Set{Aliases: map[string]string{"mine": "jobs owner=me"}, Filters: map[string]string{"slow": "slow"}, Typed: map[string]string{"start": line}}
		text := ""
		for _, problem := range CustomProblems(set) {
			text += problem.Key + ": " + problem.Text
		}
		if want == "" && text != "" || !strings.Contains(text, want) {
			t.Errorf("%q: %q, want %q", line, text, want)
		}
	}
}

// Labels and annotations of any list are those of the rows' objects.
func TestColumnsOfLabelsAreThoseOfTheRows(t *testing.T) {
	set := custom.Set{Views: map[string]custom.View{"nodes": {Columns: []custom.Column{{Title: "NAME"}, {Title: "HOST", Label: "kubernetes.io/hostname"}, {Title: "GPU", Label: "nvidia.com/gpu.product"}}}}}
	d := drive(t, Options{Config: Config{Custom: set}}, 160, 40)
	d.command("nodes")
	if got := titlesOf(d); !strings.HasPrefix(got, "NAME HOST GPU") {
		t.Errorf("the columns are %s", got)
	}
	d.shows("NVIDIA-")
}
