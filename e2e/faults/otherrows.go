package faults

// How often a recorder is killed, and a recording cut or flipped.
const kills, damages = 8, 12

// damagedAnswers are the commands that read a damaged recording.
var damagedAnswers = []string{"jobs", "logs " + failedJob, "curves " + failedJob + " -o csv"}

// OtherRow is a fault that needs no server, or that another test checks.
type OtherRow struct {
	Fault, Lost, Says, Test string
	Tries                   int
}

// OtherRows are the second table.
func OtherRows() []OtherRow {
	return []OtherRow{
		{"a recorder is killed (SIGKILL) at any moment", "at most what was not written yet", "nothing, or why the file holds nothing", "e2e/faults TestKilledRecorder", kills},
		{"a recording is cut, or one bit of it is flipped", "the damaged span", "the span and what it held; nothing where the answer does not rest on it", "e2e/faults TestDamagedRecordings", damages * len(damagedAnswers)},
		{"a part of a recording whose clock is a century or more off, a copy of one, one of another kind or hour, no head", "that part", "the span, what it held and why", "sources/recording TestAPieceFarFromTheOthersIsLeftOut, TestCopiesAndStraysAreLeftOutAndSaid", 29},
		{"hostile text in every field of a recording", "what changes, hides or breaks what a person sees; of one text what is behind 16 Ki characters", "the rest of the text", "sources/recording TestHostileTextsOfARecording", 1},
		{"a proxy (HTTPS_PROXY, proxy-url) that refuses, hangs, closes, speaks garbage, asks for a login, or is no URL", "everything: there is no answer", "the proxy without its password, and what names it", "sources/kube/client TestAProxyThatMisbehavesIsNamed, TestAnInvalidProxyIsSaid", 28},
		{"this machine's clock is not that of the API server: an hour ahead, half an hour behind", "nothing: times and ages are by the server's", "by how much the clocks differ", "sources/kube TestTheClockIsTheServers", 3},
		{"amounts of GPUs that are none: 1e40, -8, 8.5, eight", "the amount, which counts as nothing", "the object, the field and what was read", "cli TestQuantitiesThatAreNoneAreNamed", 6},
		{"the file of a recording is removed, or its folder, while it is written", "nothing while the folder is there: it is written there again", "that it was put back, or cannot be; exit 1", "sources/recording TestARecordingThatIsRemovedWhileItIsWrittenIsPutBack, TestARecordingWhoseFolderIsRemovedIsNoSuccess, TestARecordingIsPutBackWhenItsFolderIsThereAgain", 3},
		{"another file takes the name of a recording that is written, or another program cuts it", "the recording, until that file is moved away; what was cut off", "which of them, and exit 1 where another file has the name", "sources/recording TestAFileThatTookTheNameOfARecordingStays, TestARecordingThatIsCutWhileItIsWrittenSaysSo", 4},
		{"certificates, keys and tokens of a kubeconfig in files that never end", "everything: nothing is asked", "which file, and what it is", "sources/kube TestFilesOfCredentialsThatNeverEndAreRefused", 5},
		{"hostile text in objects, logs and labels", "what changes, hides or breaks what a person sees", "the rest of the text", "e2e/faults TestHostileTextsThroughEveryCommand", commandLines()},
		{"secrets in objects and logs", "the secrets, but for lines that `logs` prints", "what was taken out", "e2e/faults TestSecretsThroughEveryCommand", commandLines()},
		{"QUIT, ABRT, SEGV, TERM, INT, HUP", "nothing: the terminal is given back", "how the program ended", "e2e/signals TestADeadlySignalGivesTheTerminalBack, TestASignalThatEndsGivesTheTerminalBack", 6},
		{"KILL, and a panic in a goroutine that nobody recovers for", "nothing: the terminal is given back, unless an editor or a shell has it", "nothing after KILL, the trace of a panic", "e2e/signals TestAKillGivesTheTerminalBack, TestAPanicElsewhereGivesTheTerminalBack, TestAKillOfAStoppedProgramLeavesTheTerminalAlone", 3},
		{"TSTP and CONT (ctrl-z, fg)", "nothing: the terminal is given back and taken again", "the screen, drawn anew", "e2e/signals TestAStopGivesTheTerminalBackAndTakesItAgain", 1},
		{"the terminal is gone", "the screen: the program ends", "nothing, since nobody is there to read it", "e2e/signals TestAScreenWithoutATerminalEnds", 1},
	}
}

// commandLines is how many command lines there are over all commands.
func commandLines() (lines int) {
	for _, c := range Commands() {
		lines += len(Row{}.runs(c.Name))
	}
	return lines
}
