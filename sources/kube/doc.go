// Package kube reads a live cluster: it lists and watches everything that
// jobs, nodes, queues and diagnosis are made of, and says so to a sink. It is
// the only user of client-go, with its subfolders.
//
//	link ──(the server answers)──► gate
//	                                 │ opens
//	planner ──discovery──► follower per resource ──reflector──► feed ──► sink
//
// A link asks whether the server answers at all; while it does not, every
// other request waits at its gate, so an outage costs one small probe at a
// time and all resources come back together. The planner asks which of our
// kinds the cluster serves, and keeps one follower for each. A follower runs
// a client-go reflector in the widest scope it has rights for: all
// namespaces, else the namespace in use.
//
// There is no cache here. A reflector's store is a feed, which turns add,
// update, delete and replace into store events; the program's store is the
// one copy of the cluster. Objects are slimmed (slim_*.go) one by one as they
// are decoded, before anything holds them: typed lists object by object as
// they come in (listdecode.go), unstructured ones page by page.
//
// What the health events promise:
//
//   - "kube" is the connection. While it is retrying, what the resources say
//     is as of its Since. Before it first leaves connecting, every resource
//     that will be read has been announced as listing; so once all sources
//     are settled, the snapshot is complete.
//   - "kube/<resource>" ("kube/pods", "kube/jobsets.jobset.x-k8s.io") is one
//     resource: listing, live, retrying, forbidden or absent. Namespace is the
//     one it is read in, "" for all.
//   - "kube/<resource>/all-namespaces" is forbidden while a resource can be
//     read in the namespace in use only. It leaves the list when rights come.
//
// Logs are followed beside that, as a plan says (logs.go): each stream by
// itself, over connections of their own, resumed by time and count
// (logresume.go) for the life of the container that it is about (loglife.go).
// A log that is read to its end is ended, one that may not be read names the
// right that is missing, and what a stream was told is never told again.
//
// Exporters of GPU metrics (scrape.go) are found among the pods that go by,
// and each is asked through the API server's pod proxy at its own place within
// the interval; metrics.k8s.io (resourcemetrics.go) is asked as a whole. Both go
// over connections of their own. "exporters" settles when each exporter that is
// known was asked once, or after firstRound; "exporter/NODE" is there while an
// exporter of the node is in trouble; refusals name the rule that would help.
//
// The connection itself is package client; what a person does in the cluster is
// package act, whose Actor each Cluster has.
//
// Secrets and ConfigMaps are asked for as metadata in a way that a server
// which cannot leave the data out must refuse; their data never arrives.
package kube
