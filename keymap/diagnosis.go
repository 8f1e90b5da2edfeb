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
	ShowRuledOut  Action = "diagnosis.ruled-out"
)

// diagnosisKeys are the keys of the diagnosis of one job, and of the findings of all.
var diagnosisKeys = []Binding{
	{Diagnosis, keys("enter"), Open, "open", "go to the evidence under the cursor, or run the step in place where it only reads; others are copied", groupScreen, true},
	{Diagnosis, keys("right", "tab"), NextStage, "next stage", "the next stage of the job's way", groupScreen, true},
	{Diagnosis, keys("left", "shift+tab"), PrevStage, "previous stage", "the stage before", groupScreen, false},
	{Diagnosis, keys("c"), CopyText, "copy", "copy the command or the evidence under the cursor", groupScreen, true},
	{Diagnosis, keys("l"), OpenLogs, "logs", "logs of the job's ranks", groupScreen, true},
	{Diagnosis, keys("p"), OpenPrevious, "previous logs", "logs of the attempts before the newest", groupScreen, false},
	{Diagnosis, keys("R"), ShowRuledOut, "ruled out", "list which causes were ruled out or could not be checked, or only count them", groupScreen, false},
	{Diagnosis, keys("C"), OpenCharts, "charts", "curves of the job", groupScreen, false},
	{Diagnosis, keys("d"), Describe, "describe", "describe the job itself", groupScreen, false},
	{Diagnosis, keys("y"), YAML, "YAML", "YAML of the job itself", groupScreen, false},
	{Diagnosis, keys("ctrl+s"), SaveText, "save", "save the diagnosis as a text", groupRows, false},
	{Diagnosis, keys("up", "k"), Up, "up", "to the piece of evidence or step above", groupMove, false},
	{Diagnosis, keys("down", "j"), Down, "down", "to the one below", groupMove, false},
	{Diagnosis, keys("g", "home"), Top, "top", "to the first", groupMove, false},
	{Diagnosis, keys("G", "end"), Bottom, "bottom", "to the last", groupMove, false},
	{Diagnosis, keys("ctrl+f", "pgdown", "space"), PageDown, "page down", "one page down", groupMove, false},
	{Diagnosis, keys("ctrl+b", "pgup"), PageUp, "page up", "one page up", groupMove, false},

	{Findings, keys("enter"), Open, "open", "the diagnosis of the job, or the jobs with this cause", groupScreen, true},
	{Findings, keys("l"), OpenLogs, "logs", "logs of the job's ranks", groupScreen, true},
	{Findings, keys("D"), OpenDiagnosis, "diagnosis", "the diagnosis of the job, or the jobs with this cause", groupScreen, false},
}
