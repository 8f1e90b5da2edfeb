// Package admission holds the causes that stop a job before its pods exist:
// the API server and its webhooks, Pod Security, quotas and limits, the
// operator, and queues that do not admit it.
package admission
