// Package alerts turns diagnoses into incidents, and incidents into notices
// that are sent to people.
//
//	snapshot, report ─► troubles ─► incidents ─► notices ─► receivers
//
// A trouble is what one diagnosis reports about one job now. An incident is a
// trouble over time: it opens, changes and is resolved, and each of that is one
// notice. The package alerts/receivers sends notices.
package alerts
