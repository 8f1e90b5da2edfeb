package keymap

// Actions of screens with one key or two.
const (
	Use        Action = "namespaces.use"
	UseContext Action = "contexts.use"
	EditConfig Action = "settings.edit"
)

// smallScreenKeys are the keys of screens with one or two.
var smallScreenKeys = []Binding{
	{Queues, keys("enter"), Open, "jobs", "the jobs that wait in or came through the queue", groupScreen, true},

	{Namespaces, keys("enter", "u"), Use, "use", "use this namespace", groupScreen, true},

	{Contexts, keys("enter", "u"), UseContext, "use", "change to this context", groupScreen, true},

	{Sources, keys("enter"), Open, "read", "read what the source says in full", groupScreen, true},

	{Aliases, keys("enter"), Open, "go", "run the command", groupScreen, true},

	{Settings, keys("enter"), Open, "change", "change the setting", groupScreen, true},
	{Settings, keys("e"), EditConfig, "edit file", "edit the configuration file in $EDITOR", groupScreen, true},

	{Help, keys("enter"), Back, "close", "close the help, as esc and ? do", groupGeneral, false},
}
