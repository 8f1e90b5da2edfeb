package keymap

// Actions of the timeline.
const (
	TravelPlay     Action = "time.play"
	TravelBack     Action = "time.back"
	TravelOn       Action = "time.on"
	TravelBackMin  Action = "time.back-minute"
	TravelOnMin    Action = "time.on-minute"
	TravelBackHour Action = "time.back-hour"
	TravelOnHour   Action = "time.on-hour"
	TravelMark     Action = "time.next-mark"
	TravelMarkBack Action = "time.previous-mark"
	TravelFaster   Action = "time.faster"
	TravelSlower   Action = "time.slower"
	TravelNow      Action = "time.now"
	TravelStory    Action = "time.story"
)

// groupTime is the help screen's column of them.
const groupTime = "Time"

// travelling are the keys that move through time, on every screen: k9s has
// nothing like it, and binds none of these keys.
func travelling() []Binding {
	const past = " (a recording, or what this run has seen)"
	return []Binding{
		{Global, keys(";"), TravelPlay, "play", "play, or pause" + past, groupTime, false},
		{Global, keys("{"), TravelBack, "-10s", "10 seconds back" + past, groupTime, false},
		{Global, keys("}"), TravelOn, "+10s", "10 seconds on", groupTime, false},
		{Global, keys("("), TravelBackMin, "-1m", "a minute back" + past, groupTime, false},
		{Global, keys(")"), TravelOnMin, "+1m", "a minute on", groupTime, false},
		{Global, keys("alt+left", "ctrl+left"), TravelBackHour, "-1h", "an hour back" + past, groupTime, false},
		{Global, keys("alt+right", "ctrl+right"), TravelOnHour, "+1h", "an hour on", groupTime, false},
		{Global, keys("'"), TravelMark, "next mark", "to the next mark: a finding, a restart, another phase, a node lost", groupTime, false},
		{Global, keys("\""), TravelMarkBack, "mark before", "to the mark before", groupTime, false},
		{Global, keys("*"), TravelFaster, "faster", "play faster, up to 600 times", groupTime, false},
		{Global, keys("%"), TravelSlower, "slower", "play slower", groupTime, false},
		{Global, keys("ctrl+l"), TravelNow, "now", "back to now; in a recording, to its end", groupTime, false},
		{Global, keys("~"), TravelStory, "story", "show or hide the line that tells the story of the demo", groupTime, false},
	}
}
