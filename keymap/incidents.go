package keymap

// Actions of the list of incidents.
const (
	TakeIncident Action = "incidents.take"
	MuteIncident Action = "incidents.mute"
	ShowPast     Action = "incidents.show-past"
)

// incidentKeys are the keys of the list of incidents.
var incidentKeys = []Binding{
	{Incidents, keys("enter"), Open, "open", "the diagnosis of the job, the node that is at fault, or the jobs that it hits", groupScreen, true},
	{Incidents, keys("a"), TakeIncident, "take", "acknowledge the marked incidents, or the one under the cursor: only their end is sent; again gives them back", groupScreen, true},
	{Incidents, keys("m"), MuteIncident, "mute", "send nothing about the marked incidents, or the one under the cursor, for an hour; again ends that", groupScreen, true},
	{Incidents, keys("t"), ShowPast, "past", "show or hide incidents that are over", groupScreen, true},
	{Incidents, keys("l"), OpenLogs, "logs", "logs of the job's ranks", groupScreen, true},
	{Incidents, keys("D"), OpenDiagnosis, "diagnosis", "the diagnosis of the first job that it hits", groupScreen, false},
}
