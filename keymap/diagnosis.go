package keymap

// Scopes of the diagnosis of one job, and of the findings of all.
const (
	Diagnosis Scope = "diagnosis"
	Findings  Scope = "findings"
)

// Actions of the diagnosis.
const (
	OpenDiagnosis Action = "diagnosis.open"
	NextStage     Action = "diagnosis.next-stage"
	PrevStage     Action = "diagnosis.previous-stage"
)
