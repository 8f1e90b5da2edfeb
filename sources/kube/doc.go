// Package kube reads a live cluster. It lists and watches the objects that
// jobs, nodes, queues and the diagnosis are derived from, and sends events to
// a sink. It is the only user of client-go, with its subpackages.
//
//	link ──(the server answers)──► gate
//	                                 │ opens
//	planner ──discovery──► follower per resource ──reflector──► feed ──► sink
//
// The link checks whether the server answers. While it does not, all other
// requests wait at the link's gate, so that an outage costs one small probe at
// a time and all resources recover together. The planner discovers which of
// our kinds the cluster serves, and keeps one follower for each. A follower
// runs a client-go reflector in the widest scope it has rights for: all
// namespaces, else the namespace in use.
//
// There is no cache here. A reflector's store is a feed, which turns add,
// update, delete and replace into store events; the program's store has the
// only copy of the cluster. Objects are slimmed (slim_*.go) one by one as they
// are decoded, before anything keeps them: typed lists object by object as
// they arrive (listdecode.go), unstructured ones page by page.
//
// Guarantees of the health events:
//
//   - "kube" is the connection. While it is retrying, the resources are as of
//     its Since. Before it first leaves connecting, every resource to be read
//     has been reported as listing; so once all sources are settled, the
//     snapshot is complete.
//   - "kube/<resource>" ("kube/pods", "kube/jobsets.jobset.x-k8s.io") is one
//     resource: listing, live, retrying, forbidden or absent. Namespace is
//     where it is read, "" for all.
//   - "kube/<resource>/all-namespaces" is forbidden while a resource can only
//     be read in the namespace in use. It disappears once the right is granted.
//
// Logs are followed according to a plan (logs.go). Each stream works by
// itself, over connections of their own, resumes by time and line count
// (logresume.go), and belongs to one container instance (loginstance.go). A log
// read to its end is ended, a refused one names the missing right, and no line
// is sent to the sink twice.
//
// Exporters of GPU metrics (scrape.go) are found among the pods that pass by.
// Each is scraped through the API server's pod proxy at its own offset within
// the interval; metrics.k8s.io (resourcemetrics.go) is read as a whole. Both
// use connections of their own. "exporters" settles once each known exporter
// was scraped, or after firstRound; "exporter/NODE" exists while an exporter
// of the node fails; refusals name the RBAC rule that would help.
//
// Kueue is asked for the places in its queues (queueplaces.go) while one of them
// reports that Workloads wait there; queuetap.go sees that among what passes by.
// Its health is "visibility.kueue.x-k8s.io", which exists only meanwhile.
//
// Package client makes the connection; package act changes the cluster, and
// each Cluster has its Actor.
//
// Secrets and ConfigMaps are requested as metadata, in a way that a server
// which cannot leave the data out must refuse; their data never arrives.
package kube
