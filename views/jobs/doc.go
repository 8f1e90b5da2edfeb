// Package jobs is the home screen: one row for each training job of any kind,
// those that need a person on top, and the reason why a job waits or failed in
// the row itself.
package jobs
