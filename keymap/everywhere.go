package keymap

// Actions of the shell.
const (
	Command      Action = "shell.command"
	Filter       Action = "shell.filter"
	ShowHelp     Action = "shell.help"
	Back         Action = "shell.back"
	BackOrQuit   Action = "shell.back-or-quit"
	Quit         Action = "shell.quit"
	Redraw       Action = "shell.redraw"
	ToggleHeader Action = "shell.header"
	ToggleCrumbs Action = "shell.crumbs"
	ShowAliases  Action = "shell.aliases"
	HistoryBack  Action = "shell.history-back"
	HistoryOn    Action = "shell.history-forward"
	LastCommand  Action = "shell.last-command"
	Favourite0   Action = "shell.namespace-0"
	Favourite1   Action = "shell.namespace-1"
	Favourite2   Action = "shell.namespace-2"
	Favourite3   Action = "shell.namespace-3"
	Favourite4   Action = "shell.namespace-4"
	Favourite5   Action = "shell.namespace-5"
	Favourite6   Action = "shell.namespace-6"
	Favourite7   Action = "shell.namespace-7"
	Favourite8   Action = "shell.namespace-8"
	Favourite9   Action = "shell.namespace-9"
)

// globalKeys are the keys that are valid everywhere.
var globalKeys = []Binding{
	{Global, keys("/"), Filter, "filter", "narrow the rows (regex, !inverse, -f fuzzy, -l labels)", groupGeneral, true},
	{Global, keys(":"), Command, "command", "go somewhere by name", groupGeneral, true},
	{Global, keys("?"), ShowHelp, "help", "the keys that are valid here", groupGeneral, true},
	{Global, keys("esc"), Back, "back", "one step back: prompt, then filter, then screen", groupGeneral, false},
	{Global, keys("q"), BackOrQuit, "back", "one step back; on the first screen, twice quits", groupGeneral, false},
	{Global, keys("ctrl+c"), Quit, "quit", "quit", groupGeneral, false},
	{Global, keys("["), HistoryBack, "earlier command", "back in the history of commands", groupGeneral, false},
	{Global, keys("]"), HistoryOn, "later command", "forward in the history of commands", groupGeneral, false},
	{Global, keys("-"), LastCommand, "last command", "swap with the command before", groupGeneral, false},
	{Global, keys("ctrl+a"), ShowAliases, "aliases", "all commands and their short names", groupGeneral, false},
	{Global, keys("ctrl+r"), Redraw, "redraw", "draw the screen anew", groupGeneral, false},
	{Global, keys("ctrl+e"), ToggleHeader, "header", "show or hide the header", groupGeneral, false},
	{Global, keys("ctrl+g"), ToggleCrumbs, "crumbs", "show or hide the breadcrumbs", groupGeneral, false},
	{Global, keys("0"), Favourite0, "all", "all namespaces", groupGeneral, false},
	{Global, keys("1"), Favourite1, "1", "the first favourite namespace of the header; 2 to 9 likewise", groupGeneral, false},
	{Global, keys("2"), Favourite2, "2", "favourite namespace 2", groupGeneral, false},
	{Global, keys("3"), Favourite3, "3", "favourite namespace 3", groupGeneral, false},
	{Global, keys("4"), Favourite4, "4", "favourite namespace 4", groupGeneral, false},
	{Global, keys("5"), Favourite5, "5", "favourite namespace 5", groupGeneral, false},
	{Global, keys("6"), Favourite6, "6", "favourite namespace 6", groupGeneral, false},
	{Global, keys("7"), Favourite7, "7", "favourite namespace 7", groupGeneral, false},
	{Global, keys("8"), Favourite8, "8", "favourite namespace 8", groupGeneral, false},
	{Global, keys("9"), Favourite9, "9", "favourite namespace 9", groupGeneral, false},
}

// favourites are the actions of the digits, by digit.
var favourites = [...]Action{
	Favourite0, Favourite1, Favourite2, Favourite3, Favourite4,
	Favourite5, Favourite6, Favourite7, Favourite8, Favourite9,
}

// FavouriteDigit is the digit of a favourite namespace's action.
func FavouriteDigit(a Action) (digit int, ok bool) {
	for i, f := range favourites {
		if a == f {
			return i, true
		}
	}
	return 0, false
}
