package kinds

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/train"
)

// readVolcanoJob reads a Volcano Job (volcano-sh/apis batch/v1alpha1).
func readVolcanoJob(f *Family) *specAndStatus {
	top := fieldsOf(f.Top)
	spec, status := top.in("spec"), top.in("status")
	state := volcanoState(status)
	a := &specAndStatus{
		position:       volcanoPosition,
		operatorStatus: volcanoStatus(state, status.count("failed", 0)),
		suspended:      volcanoAborted(state) && status.count("failed", 0) == 0,
		untouched:      len(status) == 0,
		alive:          status.count("running", 0) + status.count("pending", 0),
		restarts:       status.count("retryCount", 0),
		volcanoQueue:   spec.text("queue"),
	}
	if phase := state.text("phase"); phase != "" && phase != "Pending" && a.operatorStatus.phase == "" && !volcanoAborted(state) {
		a.unknownPhase = "status.state.phase is " + shownValue(phase)
	}
	if a.volcanoQueue == "" && f.Top != nil {
		a.volcanoQueue = "default"
	}
	a.started, a.finished = volcanoTimes(status)
	if a.operatorStatus.phase.Terminal() {
		a.operatorStatus.at = cmp.Or(a.finished, a.operatorStatus.at)
	}
	if status.count("running", 0) == 0 && status.count("pending", 0) > 0 && a.operatorStatus.phase == train.Running {
		a.operatorStatus.phase = "" // it stays Running when its pods wait again (volcano #2684)
	}
	wanted := 0
	for i, task := range spec.items("tasks") {
		name := cmp.Or(task.text("name"), fmt.Sprintf("default%d", i)) // as its webhook names them
		replicas := task.count("replicas", 1)
		wanted += replicas
		a.roles = append(a.roles, role{
			name:     name,
			wanted:   replicas,
			ready:    status.in("taskStatusCount", name, "phase").count("Running", 0),
			template: task.in("template"),
			assumed:  true,
		})
	}
	if least := spec.count("minAvailable", wanted); least > 0 && least < wanted {
		a.elastic = &train.Elastic{Min: least, Max: wanted}
	}
	if status["taskStatusCount"] == nil {
		shareReady(a.roles, status.count("running", 0))
	}
	rankPyTorchPlugin(a.roles, spec.in("plugins"))
	return a
}

// volcanoState returns status.state or, where that is missing, the newest
// entry of the conditions, which are the previous states.
func volcanoState(status fields) fields {
	if state := status.in("state"); state.text("phase") != "" {
		return state
	}
	var newest fields
	for _, entry := range status.items("conditions") {
		if newest == nil || !entry.when("lastTransitionTime").Before(newest.when("lastTransitionTime")) {
			newest = entry
		}
	}
	if newest == nil {
		return status.in("state")
	}
	return fields{"phase": newest.text("status"), "lastTransitionTime": newest["lastTransitionTime"]}
}

// shareReady distributes a count of the whole job, which is all that older
// releases keep, over its tasks in order.
func shareReady(roles []role, ready int) {
	for i := range roles {
		roles[i].ready = min(ready, roles[i].wanted)
		ready -= roles[i].ready
	}
}

// volcanoStatus translates status.state; the -ing forms count as the phase that
// they lead to. Aborted is a suspension, unless pods failed: then a policy
// aborted the job.
func volcanoStatus(state fields, failed int) operatorStatus {
	w := operatorStatus{reason: state.text("reason"), message: state.text("message"), at: state.when("lastTransitionTime")}
	switch state.text("phase") {
	case "Failed", "Terminated", "Terminating":
		w.phase = train.Failed
	case "Completed", "Completing":
		w.phase = train.Succeeded
	case "Restarting":
		w.phase = train.Restarting
	case "Running":
		w.phase = train.Running
	}
	if volcanoAborted(state) && failed > 0 {
		w.phase = train.Failed
	}
	return w
}

func volcanoAborted(state fields) bool {
	phase := state.text("phase")
	return phase == "Aborted" || phase == "Aborting"
}

// volcanoTimes reads the conditions, a history whose entries have no type:
// the first Running one is the start, a terminal one the end.
func volcanoTimes(status fields) (started, finished time.Time) {
	for _, entry := range status.items("conditions") {
		switch at := entry.when("lastTransitionTime"); entry.text("status") {
		case "Running":
			if started.IsZero() {
				started = at
			}
		case "Completed", "Failed", "Terminated":
			finished = at
		}
	}
	return started, finished
}

// volcanoPosition reads the task-index label, or the number at the end of the
// pod's name: older releases set no such label.
func volcanoPosition(pod *corev1.Pod) rankPosition {
	task := firstLabel(pod, "volcano.sh/task-spec")
	if task == "" {
		task = pod.Annotations["volcano.sh/task-spec"]
	}
	return rankPosition{role: task, index: labelIndex(pod, "volcano.sh/task-index")}
}

// rankPyTorchPlugin sets the ranks that the plugin pytorch injects: master
// first, then the workers. Its arguments may rename both tasks
// (volcano-sh/volcano
// pkg/controllers/job/plugins/distributed-framework/pytorch).
func rankPyTorchPlugin(roles []role, plugins fields) {
	arguments, used := plugins["pytorch"]
	if !used {
		return
	}
	next := 0
	for _, task := range []string{pluginTask(arguments, "master"), pluginTask(arguments, "worker")} {
		at := slices.IndexFunc(roles, func(r role) bool { return r.name == task })
		if at < 0 {
			continue
		}
		first := next
		roles[at].rank = func(index int) int { return first + index }
		roles[at].assumed = false
		next += roles[at].wanted
	}
	for i := range roles {
		if roles[i].rank == nil {
			first := next
			roles[i].rank = func(index int) int { return first + index }
			next += roles[i].wanted
		}
	}
}

func pluginTask(arguments any, name string) string {
	list, _ := arguments.([]any)
	for _, argument := range list {
		text, _ := argument.(string)
		if task, found := strings.CutPrefix(strings.TrimLeft(text, "-"), name+"="); found {
			return task
		}
	}
	return name
}
