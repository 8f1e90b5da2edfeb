package keymap

// Actions of the list of events.
const (
	SortLastSeen Action = "events.sort-last-seen"
	SortCount    Action = "events.sort-count"
	SortReason   Action = "events.sort-reason"
)

// eventKeys are the keys of the list of events.
var eventKeys = []Binding{
	{Events, keys("enter"), Open, "job", "open the job that the event is about, or the event itself", groupScreen, true},
	{Events, keys("D"), OpenDiagnosis, "diagnosis", "why the job that the event is about is stuck, failed or slow", groupScreen, false},
	{Events, keys("L"), SortLastSeen, "last seen", "sort by the time last seen", groupSort, false},
	{Events, keys("C"), SortCount, "count", "sort by count", groupSort, false},
	{Events, keys("R"), SortReason, "reason", "sort by reason", groupSort, false},
}
