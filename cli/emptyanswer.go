package cli

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/diagnose/signals"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
	"github.com/traintop/traintop/views/columns/gpurows"
)

// emptyAnswer is a list without entries that may still be incomplete, because a
// source that may hold entries was not read.
type emptyAnswer struct {
	what, where string
	missing     []diagnose.Missing
}

// noJobsRead is the empty answer about jobs, nil where all sources that may
// hold jobs were read and nothing else in them looks like one.
func (s *session) noJobsRead(snapshot *store.Snapshot) *emptyAnswer {
	missing := append(diagnose.HidingJobs(snapshot, "", s.namespace), diagnose.Unclaimed(snapshot, s.namespace)...)
	return s.emptyOf("training jobs", append(missing, s.unlabelled(snapshot, "")...))
}

// unlabelled are the jobs, of one name or ("") all, that may have the labels of the
// answer: their objects were not read, so that their labels are not known.
func (s *session) unlabelled(snapshot *store.Snapshot, name string) []diagnose.Missing {
	_, beside := s.withoutLabels(snapshot, name)
	return missingLabels(beside, "")
}

// unknownLabels are the jobs without labels of unlabelled, and those that are in the
// answer since its labels exclude: they may have what is excluded.
func (s *session) unknownLabels(snapshot *store.Snapshot) []diagnose.Missing {
	listed, beside := s.withoutLabels(snapshot, "")
	return append(missingLabels(listed, "; "+termtext.Agree(len(listed), "it is", "they are")+" in the answer, and may have what -l leaves out"), missingLabels(beside, "")...)
}

// withoutLabels returns the jobs whose labels are not known, of one name or ("") all:
// those that labels that exclude take into the answer, and those beside it.
func (s *session) withoutLabels(snapshot *store.Snapshot, name string) (listed, beside []string) {
	if s.selector.Empty() {
		return nil, nil
	}
	for _, job := range snapshot.Jobs() {
		inIt := s.namespace == "" || job.Ref.Namespace == s.namespace
		switch {
		case !job.Gone || !inIt || name != "" && !s.means(snapshot, job, name):
		case s.selector.Matches(labels.Set(job.Labels)):
			listed = append(listed, job.Ref.String())
		default:
			beside = append(beside, job.Ref.String())
		}
	}
	return listed, beside
}

func missingLabels(names []string, so string) []diagnose.Missing {
	n := len(names)
	if n == 0 {
		return nil
	}
	return []diagnose.Missing{{
		What: termtext.Agree(n, "the labels of ", "the labels of "+termtext.Count(n, "job")+": ") + strings.Join(firstOf(names), ", "),
		Why:  fmt.Sprintf("%s not read, only what %s left behind, so that %s labels are not known: %s%s", termtext.Agree(n, "the object of a job was", "the objects of "+termtext.Count(n, "job")+" were"), termtext.Agree(n, "it", "they"), termtext.Agree(n, "its", "their"), strings.Join(firstOf(names), ", "), so),
		Help: "give the " + termtext.Plural(n, "object") + " too, or ask without -l",
	}}
}

// noGPUsRead is the empty answer about GPUs.
func (s *session) noGPUsRead(snapshot *store.Snapshot) *emptyAnswer {
	missing := append(diagnose.HidingGPUs(snapshot, s.namespace), s.badPages()...)
	return s.emptyOf("GPUs", append(missing, s.unknownHolders(snapshot)...))
}

// unknownHolders are the GPUs of files that pods of the namespace, or jobs with the
// labels, of the answer may hold: no measurement names the pod, or its job is not known,
// and no pod of the namespace was read.
func (s *session) unknownHolders(snapshot *store.Snapshot) []diagnose.Missing {
	if s.namespace == "" && s.selector.Empty() || s.cluster != nil || snapshot.Complete(kinds.PodKind, s.namespace) {
		return nil
	}
	read := false
	snapshot.Objects(kinds.PodKind, s.namespace, func(kinds.Object) bool {
		read = true
		return false
	})
	n, holder := 0, "job"
	for _, state := range snapshot.GPUStates() {
		switch {
		case state.Free:
		case state.GPU.Pod == "":
			n, holder = n+1, "pod"
		case !s.selector.Empty() && state.Job == nil && (s.namespace == "" || state.GPU.Namespace == s.namespace):
			n++
		}
	}
	if read || n == 0 {
		return nil
	}
	pods, so, without := "no pod", "", "-n"
	if s.namespace != "" {
		pods += " of namespace " + termtext.Line(s.namespace)
	}
	if !s.selector.Empty() {
		so, without = fmt.Sprintf(", so that the job%s is not known", strings.Replace(withWhich(s.selector), "labels", "the labels", 1)), "-l"
	}
	return []diagnose.Missing{{
		What: "who holds " + termtext.Count(n, "GPU"),
		Why:  fmt.Sprintf("%s read of which nothing says which %s holds %s, and %s was read%s", termtext.Agree(n, "1 GPU was", termtext.Count(n, "GPU")+" were"), holder, termtext.Agree(n, "it", "them"), pods, so),
		Help: "give what kubectl get pods,nodes -A -o yaml prints too, or ask without " + without,
	}}
}

// badPages are pages of exporters that do not show whether there are GPUs.
func (s *session) badPages() (missing []diagnose.Missing) {
	if s.files == nil {
		return nil
	}
	for _, p := range s.files.BadPages() {
		missing = append(missing, diagnose.Missing{
			What: "GPUs of the page " + p.File,
			Why:  "not one sample of a GPU in it could be read: " + p.String(),
			Help: "save the page again, whole and as the server answers it: curl -s http://NODE:PORT/metrics",
		})
	}
	return missing
}

// mostInTrouble bounds how many kinds of trouble of GPUs are named.
const mostInTrouble = 8

// gpusInTrouble lists faulty GPUs in files without a job, which may fail jobs
// that were not read. On a cluster such a GPU affects no job.
func (s *session) gpusInTrouble(report *signals.Report, snapshot *store.Snapshot) (missing []diagnose.Missing) {
	if s.files == nil {
		return nil
	}
	places, texts := map[string][]string{}, map[string]string{}
	for _, state := range s.pickGPUs(snapshot.GPUStates()) {
		for _, signal := range report.GPU(state.GPU.ID()) {
			if signal.Severity == train.SeverityError || signal.Severity == train.SeverityWarning && signal.Cause != "" {
				places[signal.Word] = append(places[signal.Word], placeOfGPU(&state))
				texts[signal.Word] = cmp.Or(texts[signal.Word], signal.Text)
			}
		}
	}
	words := slices.Sorted(maps.Keys(places))
	for _, word := range words[:min(len(words), mostInTrouble)] {
		missing = append(missing, diagnose.Missing{
			What: "the job on a GPU in trouble",
			Why:  fmt.Sprintf("no job was read; what was measured says: %s, on %s", texts[word], strings.Join(firstOf(places[word]), ", ")),
			Help: "give what kubectl get pods,events -o yaml prints too; traintop gpus shows the GPUs",
		})
	}
	return missing
}

func placeOfGPU(s *train.GPUState) string {
	if s.GPU.Node == "" {
		return "GPU " + gpurows.PrintedName(s)
	}
	return "GPU " + gpurows.PrintedName(s) + " of " + s.GPU.Node
}

func (s *session) emptyOf(what string, missing []diagnose.Missing) *emptyAnswer {
	if len(missing) == 0 {
		return nil
	}
	return &emptyAnswer{what, s.where(), missing}
}

func (e *emptyAnswer) sentence() string {
	return fmt.Sprintf("%s whether there are %s in %s", diagnose.NotEnoughRead.Words(), e.what, e.where)
}

// print writes the answer as text.
func (e *emptyAnswer) print(w io.Writer) error {
	var text bytes.Buffer
	fmt.Fprintf(&text, "%s.\n", termtext.Line(capital(e.sentence())))
	printBasis(&text, nil, e.missing)
	if _, err := w.Write(text.Bytes()); err != nil {
		return fmt.Errorf("writing the answer: %w", err)
	}
	return nil
}

// problem is the answer among the problems of JSON.
func (e *emptyAnswer) problem(source string) problemAnswer {
	names := make([]string, 0, len(e.missing))
	for _, m := range e.missing {
		names = append(names, m.What)
	}
	slices.Sort(names)
	return problemAnswer{Source: source, Text: e.sentence() + ": what may hold them was not read: " + strings.Join(slices.Compact(names), ", ")}
}
