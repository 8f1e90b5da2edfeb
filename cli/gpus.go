package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/traintop/traintop/cli/jsontext"
	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/sources/dump"
	"github.com/traintop/traintop/sources/kube"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/columns/gpurows"
)

// gpuFormats are the values of `gpus -o`.
var gpuFormats = []string{"table", "json"}

// gpuTitles are the columns of `gpus`, one line for each GPU.
var gpuTitles = []string{
	gpurows.TitleNode, gpurows.TitleGPU, gpurows.TitleModel, gpurows.TitleUse, gpurows.TitleMemory, gpurows.TitleTemp, gpurows.TitlePower,
	gpurows.TitleTensor, gpurows.TitleXid, gpurows.TitleTrouble, gpurows.TitlePod, gpurows.TitleJob, gpurows.TitleRank,
}

func (a *app) gpusCommand(opened *opening) *cobra.Command {
	format := "table"
	cmd := &cobra.Command{
		Use:   "gpus",
		Short: "List GPUs with their use and the pod that holds them",
		Long: `List GPUs with their use, memory, temperature, power and errors, and the pod,
job and rank that hold them.

With --from the numbers come from what exporters and tools wrote: the metrics
page of DCGM's or another vendor's exporter, answers of the Prometheus API, the
output of nvidia-smi, rocm-smi, amd-smi, hl-smi, cnmon, tpu-info, neuron-monitor
and other tools, or any table, CSV, JSON or list of facts whose names say what
they are.
kubectl output beside them adds the pods, jobs and ranks. From a cluster they
come from the exporters that run there, each asked once through the API server;
where there are none one sees who holds how many GPUs of which node.

All namespaces are covered unless -n names one. -l leaves the GPUs that jobs
with these labels hold.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !slices.Contains(gpuFormats, format) {
				return usage(cmd, fmt.Errorf("there is no output format %q; -o takes %s", format, strings.Join(gpuFormats, ", ")))
			}
			return a.gpus(cmd.Context(), opened, format)
		},
	}
	cmd.Flags().StringVarP(&format, "output", "o", format, "one of "+strings.Join(gpuFormats, ", "))
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(gpuFormats, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (a *app) gpus(ctx context.Context, opened *opening, format string) error {
	opened.everywhere()
	session, err := opened.onceMeasured()
	if err != nil {
		return err
	}
	if err := opened.openPrometheus(session, 0, false); err != nil {
		return err
	}
	if session.files != nil {
		session.files.ExpectMetrics()
	}
	snapshot, err := session.gather(ctx)
	// A file that was read to its end and contains no GPU is an answer.
	if nothing := (*dump.NothingError)(nil); err != nil && !(errors.As(err, &nothing) && nothing.Readable) {
		return err
	}
	states := ofLabels(session.selector, session.pickGPUs(snapshot.GPUStates()), snapshot)
	if format == "json" {
		return session.printGPUs(a.out, states, snapshot)
	}
	a.report(snapshot.Health(), session.namespace)
	a.reportLeftOut(session)
	for _, text := range session.unmeasured(states) {
		fmt.Fprintf(a.err, "traintop: %s\n", termtext.Line(text.String()))
	}
	a.reportRepeatedUUIDs(snapshot)
	a.reportUnmeasured(session, snapshot, states)
	if empty := session.noGPUsRead(snapshot); len(states) == 0 && empty != nil {
		return cmp.Or(empty.print(a.out), error(&noVerdictError{}))
	}
	if len(states) == 0 {
		fmt.Fprintln(a.err, session.noGPUs(snapshot))
		return nil
	}
	return gpurows.Columns().Named(gpuTitles...).Print(a.out, 2, gpurows.Printed(states))
}

// printGPUs writes the answer as JSON.
func (s *session) printGPUs(w io.Writer, states []train.GPUState, snapshot *store.Snapshot) error {
	answer := s.answerGPUs(states, snapshot)
	for _, text := range s.unmeasured(states) {
		answer.Problems = append(answer.Problems, problemAnswer{Source: "file " + text.File, Text: text.String()})
	}
	answer.Problems = append(answer.Problems, repeatedUUIDs(snapshot)...)
	empty := s.noGPUsRead(snapshot)
	if len(states) == 0 && empty == nil && s.files != nil && len(answer.Problems) == 0 {
		answer.Problems = []problemAnswer{{Source: "gpus", Text: s.noGPUs(snapshot)}}
	}
	if len(states) > 0 || empty == nil {
		return jsontext.Print(w, answer)
	}
	answer.Verdict, answer.Problems = diagnose.NotEnoughRead, append(answer.Problems, empty.problem("gpus"))
	return cmp.Or(jsontext.Print(w, answer), error(&noVerdictError{}))
}

// reportRepeatedUUIDs writes it to standard error where GPUs have the same UUIDs.
func (a *app) reportRepeatedUUIDs(snapshot *store.Snapshot) {
	for _, p := range repeatedUUIDs(snapshot) {
		fmt.Fprintf(a.err, "traintop: %s\n", termtext.Line(p.Text))
	}
}

// repeatedUUIDs names the nodes whose GPUs have the same UUIDs, nil for none: each command
// that counts GPUs does.
func repeatedUUIDs(snapshot *store.Snapshot) []problemAnswer {
	uuids, nodes := map[string]bool{}, map[string]bool{}
	for _, state := range snapshot.AllGPUs() {
		if state.GPU.UUIDRepeats {
			uuids[state.GPU.UUID], nodes[state.GPU.Node] = true, true
		}
	}
	if len(uuids) == 0 {
		return nil
	}
	names := slices.Sorted(maps.Keys(nodes))
	text := strings.Join(names[:min(len(names), firstNamedJobs)], ", ")
	if more := len(names) - firstNamedJobs; more > 0 {
		text += fmt.Sprintf(" and %d more nodes", more)
	}
	shared := fmt.Sprintf("%d UUIDs of GPUs are reported", len(uuids))
	if len(uuids) == 1 {
		shared = "the UUID of a GPU is reported"
	}
	text = fmt.Sprintf("%s by several nodes at the same time (%s); each node's GPUs are listed as its own. Cloned machines and simulated GPUs repeat UUIDs", shared, text)
	return []problemAnswer{{Source: "gpus", Text: text}}
}

// pickGPUs are the GPUs of the answer: with -n those that pods of the namespace
// hold.
func (s *session) pickGPUs(states []train.GPUState) []train.GPUState {
	if s.namespace == "" {
		return states
	}
	return slices.DeleteFunc(slices.Clone(states), func(state train.GPUState) bool { return state.GPU.Namespace != s.namespace })
}

// ofLabels are the GPUs that jobs with the labels of -l hold, all without -l.
func ofLabels(selector labels.Selector, states []train.GPUState, snapshot *store.Snapshot) []train.GPUState {
	if selector.Empty() {
		return states
	}
	jobs := map[train.Ref]bool{}
	for _, job := range snapshot.Jobs() {
		jobs[job.Ref] = selector.Matches(labels.Set(job.Labels))
	}
	return slices.DeleteFunc(slices.Clone(states), func(state train.GPUState) bool { return state.Job == nil || !jobs[*state.Job] })
}

// unmeasured returns the texts of which nothing was read for this answer. Beside
// objects a text is a log; so is one that looks like it beside GPUs.
func (s *session) unmeasured(states []train.GPUState) []dump.Unmeasured {
	if s.files == nil || len(s.files.Summary().Objects) > 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(s.files.Unmeasured()), func(u dump.Unmeasured) bool { return u.Log && len(states) > 0 })
}

// reportUnmeasured explains why use, memory and temperature are missing. Failures
// and refusals were reported already.
func (a *app) reportUnmeasured(s *session, snapshot *store.Snapshot, states []train.GPUState) {
	measured := slices.ContainsFunc(states, func(state train.GPUState) bool { return len(state.Sources) > 0 })
	if s.cluster == nil || measured || len(states) == 0 {
		return
	}
	why := ""
	for _, h := range snapshot.Health() {
		if h.Source == kube.ExportersSource && h.State == train.SourceAbsent {
			why = ": " + termtext.Line(h.Text)
		}
	}
	fmt.Fprintf(a.err, "traintop: this is who holds GPUs, and not what they do%s. A page saved from an exporter can be read too: traintop gpus --from dump.yaml --from NODE.prom\n", why)
}

// noGPUs explains why the list is empty. For files, their health explains it.
func (s *session) noGPUs(snapshot *store.Snapshot) string {
	text := "No GPUs in " + s.where() + withWhich(s.selector) + "."
	if s.files == nil {
		return text
	}
	for _, h := range snapshot.Health() {
		if _, skips := h.Skips(); !skips && h.Text != "" && !h.State.Trouble() {
			text += " " + termtext.Line(h.Text) + "."
		}
	}
	return text
}
