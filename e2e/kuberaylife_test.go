package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/traintop/traintop/e2e/exporters"
)

// rayDashboard plays the jobs API of the dashboards of all Ray clusters (Ray 2.x,
// dashboard/modules/job): it runs what KubeRay submits until a test ends it.
type rayDashboard struct {
	host string
	port int

	mu   sync.Mutex
	jobs map[string]rayJobInfo // by submission ID
}

// rayJobInfo is the part of the API's answer that KubeRay 1.6 copies.
type rayJobInfo struct {
	Status  string `json:"status"`
	Message string `json:"message,omitempty"`
}

func (r *realOperator) startRayDashboard() *rayDashboard {
	r.t.Helper()
	host, err := exporters.Address()
	if err != nil {
		r.t.Skip(err)
	}
	d := &rayDashboard{host: host, jobs: map[string]rayJobInfo{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/jobs/", d.submit)
	mux.HandleFunc("GET /api/jobs/{id}", d.info)
	server := httptest.NewUnstartedServer(mux)
	must(r.t, server.Listener.Close())
	server.Listener, err = new(net.ListenConfig).Listen(r.ctx, "tcp", net.JoinHostPort(host, "0"))
	must(r.t, err)
	d.port = server.Listener.Addr().(*net.TCPAddr).Port
	server.Start()
	r.t.Cleanup(server.Close)
	return d
}

func (d *rayDashboard) submit(w http.ResponseWriter, request *http.Request) {
	var submitted struct {
		ID string `json:"submission_id"`
	}
	if err := json.NewDecoder(request.Body).Decode(&submitted); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	d.set(submitted.ID, rayJobInfo{Status: "RUNNING", Message: "Job is currently running."})
	_ = json.NewEncoder(w).Encode(map[string]string{"job_id": submitted.ID})
}

func (d *rayDashboard) info(w http.ResponseWriter, request *http.Request) {
	d.mu.Lock()
	info, known := d.jobs[request.PathValue("id")]
	d.mu.Unlock()
	if !known {
		http.NotFound(w, request)
		return
	}
	_ = json.NewEncoder(w).Encode(info)
}

func (d *rayDashboard) set(id string, info rayJobInfo) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.jobs[id] = info
}

// end ends the jobs that run, with Ray's word for it.
func (d *rayDashboard) end(status, message string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for id, info := range d.jobs {
		if info.Status == "RUNNING" {
			d.jobs[id] = rayJobInfo{Status: status, Message: message}
		}
	}
}

// rayJob has a head without GPUs and two workers with two, and is submitted over
// HTTP. It may be tried again once; its cluster goes away with it.
func (d *rayDashboard) rayJob(name string) string {
	return strings.NewReplacer("NAME", name, "PORT", strconv.Itoa(d.port), "POD", withGPUs("ray-worker")).Replace(`
apiVersion: ray.io/v1
kind: RayJob
metadata: {name: NAME}
spec:
  submissionMode: HTTPMode
  entrypoint: python train.py
  backoffLimit: 1
  shutdownAfterJobFinishes: true
  ttlSecondsAfterFinished: 0
  rayClusterSpec:
    rayVersion: "2.46.0"
    headGroupSpec:
      rayStartParams: {}
      template: {spec: {containers: [{name: ray-head, image: registry.example/ray, ports: [{name: dashboard, containerPort: PORT}]}]}}
    workerGroupSpecs:
    - {groupName: gpu, replicas: 2, minReplicas: 2, maxReplicas: 2, rayStartParams: {}, template: POD}
`)
}

// answers gives the dashboard's address to the head of a job's Ray cluster, as kwok
// gives it one that nothing answers. It returns the head's name.
func (d *rayDashboard) answers(r *realOperator, job, unlike string) string {
	r.t.Helper()
	var head string
	r.until("the head of "+job, func(ctx context.Context) error {
		pods := r.plane.Clients().CoreV1().Pods(operatorJobs)
		list, err := pods.List(ctx, metav1.ListOptions{LabelSelector: "ray.io/node-type=head"})
		if err != nil {
			return err
		}
		for i := range list.Items {
			pod := &list.Items[i]
			if !strings.HasPrefix(pod.Name, job+"-") || pod.Name == unlike || pod.Status.Phase != "Running" {
				continue
			}
			head = pod.Name
			patch := fmt.Appendf(nil, `{"status":{"podIP":%q,"podIPs":[{"ip":%q}]}}`, d.host, d.host)
			_, err := pods.Patch(ctx, head, types.MergePatchType, patch, metav1.PatchOptions{}, "status")
			return err
		}
		return fmt.Errorf("none of %d heads is its own and runs", len(list.Items))
	})
	return head
}

// A RayJob waits for nodes and runs once its program was submitted. Its program
// fails, the job gets another cluster, and fails for good. Another one ends well.
func liveKubeRay(r *realOperator) {
	dashboard := r.startRayDashboard()
	r.apply(dashboard.rayJob("bad"))
	r.shows("bad", in("Pending", 0, 3))
	r.nodes(1)
	first := dashboard.answers(r, "bad", "")
	r.shows("bad", in("Running", 3, 3), restarted(0))

	const failed = "Job entrypoint command failed with exit code 1, last available logs (truncated to 20,000 chars):\n" +
		"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB."
	dashboard.end("FAILED", failed)
	dashboard.answers(r, "bad", first)
	r.shows("bad", in("Running", 3, 3), restarted(1))
	dashboard.end("FAILED", failed)
	r.shows("bad", in("Failed", 0, 3), restarted(1))
	r.finds("RayJob/bad", "cuda-out-of-memory")

	r.apply(dashboard.rayJob("good"))
	dashboard.answers(r, "good", "")
	r.shows("good", in("Running", 3, 3), restarted(0))
	dashboard.end("SUCCEEDED", "Job finished successfully.")
	r.shows("good", in("Succeeded", 0, 3), restarted(0))
}
