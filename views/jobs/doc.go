// Package jobs is the home screen: one row for each training job of any kind,
// what needs a person on top, and why it waits or failed in the row itself.
package jobs
