package faults

// watcher and elected are `traintop watch`, alone and with a Lease.
const watcher, elected = "watch", "watch --lease"

// watchRows are the messages of a watcher. It goes on whatever fails, so that it
// ends well when it is interrupted.
func watchRows() []Row {
	row := func(command string, f Fault, at Place, lost string, says ...string) Row {
		return Row{Fault: f, At: at, Commands: []string{command}, Lost: lost, Says: says}
	}
	still := func(r Row) Row {
		r.Says = append(r.Says, "ERROR speech/PyTorchJob/"+failedJob) // a watcher writes what was there before it on standard error
		return r
	}
	later := func(r Row) Row {
		r.After = 1
		return r
	}
	const (
		silent = "everything: no incident opens or ends"
		unsent = "nothing: incidents are printed; none is sent"
		reads  = "reading the Lease kube-system/traintop"
		again  = "it is tried again, and nothing is sent unless this watcher holds the Lease"
	)
	return []Row{
		row(watcher, HangsBefore, Everything, silent, "no answer from https://127.0.0.1"),
		row(watcher, Unauthorized, Everything, silent, "does not accept the credentials"),
		row(watcher, Failing, Pods, silent, "kube/pods", "etcdserver: request timed out"),
		still(row(watcher, Forbidden, Jobs, "jobs as their operators see them; their pods tell of them", "pytorchjobs")),
		row(watcher, HangsBefore, Pods, silent, "kube/pods"),
		still(row(watcher, WatchExpires, Watches, "nothing: it is listed again")),
		still(row(watcher, WatchGarbage, Watches, "nothing: it is listed again")),
		later(row(watcher, Unavailable, Everything, silent, "currently unable to handle the request")),
		still(row(elected, Forbidden, Lease, unsent, reads, "needs the rights to get, create and update leases.coordination.k8s.io")),
		still(row(elected, HangsBefore, Lease, unsent, reads, "no answer in 5s", again)),
		still(row(elected, HangsWithin, Lease, unsent, reads, again)),
		still(row(elected, Cut, Lease, unsent, reads, again)),
		still(row(elected, Gone, Lease, unsent, reads, again)),
		still(row(elected, HTML, Lease, unsent, reads, again)),
		still(row(elected, GzipBomb, Lease, unsent, reads, again)),
		still(row(elected, RedirectElsewhere, Lease, unsent, reads, again)),
		still(row(elected, NotFound, Lease, unsent, "creating the Lease kube-system/traintop", again)),
	}
}
