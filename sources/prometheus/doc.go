// Package prometheus reads GPUs, nodes and pods from a server of the Prometheus
// API: Prometheus itself, Thanos, Mimir, Cortex, VictoriaMetrics. A person names
// the server, or the package finds it among the cluster's Services and reaches it
// through the API server's proxy with the credentials of the kubeconfig.
//
//	find ──► Endpoint ──► round every 15 s ──► store.Measured
//	                 ├──► the last hour, once ─► store.Backfilled
//	                 └──► nodes and pods, once a minute ─► store.Used
//
// Promises: one query covers the whole cluster, never one GPU. All requests are
// GETs with bounded URLs, deadlines and bounded answers. A slow server is queried
// less often. Samples have the time at which the exporter was scraped, in our
// clock. Every failure is a state of health that reports what was tried, what
// happened and what to do, and is retried. Credentials are sent only to the server
// that they were given for: redirects are not followed. No message contains them.
//
// Package sources/metrics knows which metrics and labels are queried, and their
// meaning.
package prometheus
