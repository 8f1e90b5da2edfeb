// Package rule contains the parts of every rule of the diagnosis: the type of a
// cause, the context of the job and the cluster that a rule reads, the record
// of what it read, and the builders of findings, evidence and next steps.
//
//	Cause          a reason to look for, its texts, and the function that finds it
//	JobContext     one job, its pods, events, templates and live logs
//	ClusterContext what all jobs of a snapshot share
//	Dependencies   what the rules read; unchanged means the same answer
//	Match          the message, the end or the line that a cause was recognised by
package rule
