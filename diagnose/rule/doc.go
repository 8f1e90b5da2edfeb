// Package rule is what every rule of the diagnosis is written with: the type
// of a cause, the context of the job and the cluster that a rule reads, the
// notes of what it read, and the builders of findings, evidence and next steps.
//
//	Cause          what is looked for, its words, and the function that finds it
//	JobContext     one job, its pods, events, templates and live logs
//	ClusterContext what all jobs of a snapshot share
//	Dependencies   what the rules read; unchanged means the same answer
//	Match          the message, the end or the line that a cause was recognised by
package rule
