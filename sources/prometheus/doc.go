// Package prometheus reads GPUs, nodes and pods from a server of the
// Prometheus API: Prometheus itself, Thanos, Mimir, Cortex, VictoriaMetrics.
// The server is named by a person, or found among the cluster's Services and
// reached through the API server's proxy with the credentials of the
// kubeconfig.
//
//	find ──► Endpoint ──► round every 15 s ──► store.Measured
//	                 ├──► the last hour, once ─► store.Recalled
//	                 └──► nodes and pods, once a minute ─► store.Used
//
// Promises: one question is about the whole cluster, never about one GPU; all
// are GET requests with bounded URLs, deadlines and bounded answers; a server
// that is slow is asked less often; what it says is dated by when the
// exporters were read, in our time; whatever goes wrong is a state of health
// that says what was tried, what happened and what to do, and is tried again.
// Credentials are sent to the server that they were given for and to nobody
// else: redirects are not followed. They are never told to anyone.
//
// Which metrics and labels are asked for, and what they mean, sources/metrics
// knows.
package prometheus
