package cli

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// printJobTable prints jobs as kubectl would: plain columns, one line each.
func printJobTable(w io.Writer, jobs []*train.Job, snapshot *store.Snapshot, unknown map[train.JobID]string, wide bool) error {
	table := tabwriter.NewWriter(w, 0, 8, 3, ' ', 0)
	columns := []string{"NAMESPACE", "NAME", "KIND", "PHASE", "RANKS", "GPUS", "QUEUE", "RESTARTS", "AGE", "WHY"}
	if wide {
		columns = append(columns[:len(columns)-1], "ROLES", "GPU RESOURCE", "STARTED", "DURATION", "STEP", "LOSS", "OWNER", "WHY")
	}
	fmt.Fprintln(table, strings.Join(columns, "\t"))
	for _, job := range jobs {
		fmt.Fprintln(table, strings.Join(jobCells(job, snapshot, cmp.Or(unknown[job.ID], job.Reason), wide), "\t"))
	}
	return table.Flush()
}

func jobCells(job *train.Job, snapshot *store.Snapshot, why string, wide bool) []string {
	now := snapshot.Now
	cells := []string{
		job.Ref.Namespace, job.Ref.Name, job.Ref.Kind, string(job.Phase),
		fmt.Sprintf("%d/%d", job.Ready, job.Wanted), fmt.Sprint(job.GPUs), queueCell(job.Queue),
		fmt.Sprint(job.Restarts), age(job.Created, now),
	}
	if wide {
		cells = append(cells, rolesCell(job.Roles), dash(job.GPUResource), age(job.Started, now), ran(job, now))
		cells = append(cells, progressCells(snapshot.Run(job))...)
		cells = append(cells, dash(ownerCell(job.Owner)))
	}
	for i := range cells {
		cells[i] = plain(cells[i])
	}
	return append(cells, shorten(shown(why), 160))
}

// progressCells are the step, of how many, and the loss, as the logs tell them.
func progressCells(run *series.Run) []string {
	if run == nil {
		return []string{"-", "-"}
	}
	step, loss := "-", "-"
	if told(run.Step) {
		step = strconv.FormatFloat(run.Step, 'f', -1, 64)
		if told(run.TotalSteps) {
			step += "/" + strconv.FormatFloat(run.TotalSteps, 'f', -1, 64)
		}
	}
	if value, known := newestLoss(run); known {
		loss = short(value)
	}
	return []string{step, loss}
}

func queueCell(q *train.Queue) string {
	switch {
	case q == nil:
		return "-"
	case q.Place > 0:
		return fmt.Sprintf("%s #%d", q.Name, q.Place)
	}
	return dash(q.Name)
}

func rolesCell(roles []train.Role) string {
	parts := make([]string, 0, len(roles))
	for _, role := range roles {
		parts = append(parts, fmt.Sprintf("%s %d/%d", role.Name, role.Ready, role.Wanted))
	}
	return dash(strings.Join(parts, ", "))
}

func ownerCell(owner train.Ref) string {
	if owner.Kind == "" {
		return ""
	}
	return owner.Kind + "/" + owner.Name
}

func age(since, now time.Time) string {
	if since.IsZero() {
		return "-"
	}
	return duration.HumanDuration(now.Sub(since))
}

func ran(job *train.Job, now time.Time) string {
	if job.Started.IsZero() {
		return "-"
	}
	end := job.Finished
	if end.IsZero() {
		end = now
	}
	return duration.HumanDuration(end.Sub(job.Started))
}

func dash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// shorten cuts a text at a number of runes and marks the cut.
func shorten(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most-1]) + "…"
}

// plain is text from outside as a cell or a message may show it.
func plain(text string) string { return termtext.Line(text) }
