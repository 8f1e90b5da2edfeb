package faults

const everything = "everything: there is no answer"

// wireRows are faults below HTTP.
func wireRows() []Row {
	return []Row{
		{Fault: Refused, At: Everything, Commands: readers, Lost: everything, Says: []string{"connection refused"}, Exit: 1},
		{Fault: Expired, At: Everything, Commands: readers, Lost: everything, Says: []string{"certificate has expired"}, Exit: 1},
		{Fault: Stranger, At: Everything, Commands: readers, Lost: everything, Says: []string{"signed by unknown authority"}, Exit: 1},
	}
}

// clusterRows are faults of the API server as a whole.
func clusterRows() []Row {
	return []Row{
		{Fault: HangsBefore, At: Everything, Commands: readers, Lost: everything, Says: []string{"https://127.0.0.1"}, Exit: 1},
		{Fault: HangsAfter, At: Everything, Commands: readers, Lost: everything, Says: []string{"https://127.0.0.1"}, Exit: 1},
		{Fault: Cut, At: Everything, Commands: readers, Lost: everything, Says: []string{"no answer from https://127.0.0.1"}, Exit: 1},
		{Fault: Drips, At: Everything, Commands: readers, Lost: everything, Says: []string{"https://127.0.0.1"}, Exit: 1},
		{Fault: Unauthorized, At: Everything, Commands: readers, Lost: everything, Says: []string{"does not accept the credentials of this context", "log in again"}, Exit: 1},
		{Fault: NotFound, At: Everything, Commands: readers, Lost: everything, Says: []string{"the server could not find the requested resource"}, Exit: 1},
		{Fault: Failing, At: Everything, Commands: readers, Lost: everything, Says: []string{"no answer from https://127.0.0.1"}, Exit: 1},
		{Fault: Unavailable, At: Everything, Commands: readers, Lost: everything, Says: []string{"no answer from https://127.0.0.1", "currently unable to handle the request"}, Exit: 1},
		{Fault: RedirectLoop, At: Everything, Commands: readers, Lost: everything, Says: []string{"no answer from https://127.0.0.1", "redirect"}, Exit: 1},
		{Fault: Unavailable, At: Discovery, Commands: readers, Lost: everything, Says: []string{"which kinds it serves", "currently unable to handle the request"}, Exit: 1},
		{Fault: DeepJSON, At: Discovery, Commands: readers, Lost: everything, Says: []string{"which kinds it serves", "exceeded max depth"}, Exit: 1},
	}
}
