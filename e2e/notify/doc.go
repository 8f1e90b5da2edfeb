// Package notify tests `traintop notify test` with the built program and each
// kind of receiver, against servers of this machine that answer as the services
// document it: when they take a message, refuse it, are busy, and are broken.
package notify
