package signatures

import (
	"testing"

	"github.com/traintop/traintop/train"
)

// TestDeathsOfPrograms checks the last lines of programs in other languages than
// Python, and similar lines that are not fatal.
func TestDeathsOfPrograms(t *testing.T) {
	checkFirst(t, map[string]train.Cause{
		"F0501 10:00:20.123456 4711 reader.cc:42] cannot map the embedding table":                                    "abort-sigabrt",
		"F0000 00:00:00.000000    4711 pjrt_client.cc:12] Non-OK-status: status":                                     "abort-sigabrt",
		"*** Check failure stack trace: ***":                                                                         "abort-sigabrt",
		"I0501 10:00:20.123456 4711 reader.cc:42] mapped the embedding table":                                        "",
		"F1 score 0.93 at step 20 of the evaluation":                                                                 "",
		"==123==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000014 at pc 0x0000004008f6":        "abort-sigabrt",
		"==77==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000000 (pc 0x55 bp 0x7f sp 0x7f T0)":         "segfault",
		"==9==WARNING: MemorySanitizer: use-of-uninitialized-value":                                                  "abort-sigabrt",
		"AddressSanitizer is enabled for this build":                                                                 "",
		"thread 'main' panicked at src/main.rs:42:10:":                                                               "application-error",
		"thread 'tokenizer' (7) panicked at 'index out of bounds: the len is 3 but the index is 7', src/lib.rs:10:5": "application-error",
		`{"level":"error","exception":[{"exc_type":"ValueError","exc_value":"bad shard 3","frames":[]}]}`:            "python-exception",
		`{"level":"info","exc_type":null}`:                                                                           "",
		"panic: shard list is empty":                                                                                 "application-error",
		"panic: runtime error: index out of range [5] with length 3":                                                 "application-error",
		"fatal error: all goroutines are asleep - deadlock!":                                                         "application-error",
		"don't panic: the loss goes down":                                                                            "",
		`Exception in thread "main" java.lang.IllegalStateException: no executor`:                                    "application-error",
		"Caused by: java.io.FileNotFoundException: /data/part-0":                                                     "application-error",
		"Caused by: a slow disk":                                                                                     "",
		"ERROR: LoadError: UndefVarError: `foo` not defined":                                                         "application-error",
		"Error in lm.fit(x, y, offset = offset, singular.ok = singular.ok, ...) : ":                                  "application-error",
		"Error in validation went down to 0.03":                                                                      "",
		"Fortran runtime error: End of file":                                                                         "application-error",
		"forrtl: severe (174): SIGSEGV, segmentation fault occurred":                                                 "segfault",
		"Exception: EXCEPTION_ACCESS_VIOLATION at 0x7ffeb6fb36a7 -- unknown function (ip: 00007ffeb6fb36a7)":         "segfault", // JuliaGPU/CUDA.jl#2439
		"#  EXCEPTION_ACCESS_VIOLATION (0xc0000005) at pc=0x00007fffdd24f9d6, pid=8308, tid=3068":                    "segfault",
		"the handler of EXCEPTION_ACCESS_VIOLATION is set":                                                           "",
		"ERROR STOP invalid mesh":                                                                                    "application-error",
		"*** SIGFPE (@0x7f268c23bda5) received by PID 337444 (TID 0x7f26fd303740) from PID 18446744071765736869 ***": "application-error", // PaddlePaddle/Paddle#63435
		"*** SIGTERM (@0x3e8) received by PID 33 (TID 0x7f2) from PID 1000; stack trace: ***":                        "sigterm-received",
		"FatalError: `Termination signal` is detected by the operating system.":                                      "sigterm-received",  // ROCm/rccl#429
		"Floating point exception (core dumped)":                                                                     "application-error", // rohanchandra30/TrackNPred#7
		"run.sh: line 7:  4711 Illegal instruction     (core dumped) ./train":                                        "image-arch-mismatch",
		"it raised a Floating point exception once":                                                                  "",
		// quangnhat185/darknet_for_colab, AlexeyAB/darknet#4227: an assertion of the host, in a source of CUDA's name
		"darknet: ./src/cuda.c:36: check_error: Assertion `0' failed.":                                                                                  "abort-sigabrt",
		"No Obj: 0.508424, .5R: 0darknet: ./src/cuda.c:36: check_error: Assertion `0' failed.":                                                          "abort-sigabrt",
		"/src/THC/THCTensorIndex.cu:362: void indexSelectLargeIndex(): block: [3,0,0], thread: [7,0,0] Assertion `srcIndex < srcSelectDimSize` failed.": "device-side-assert",
		"Key 'period' not in 'ModelCheckpointConf'":                                                                                                     "python-exception", // SeanNaren/deepspeech.pytorch#670
		"Key 'period' not in 'the list of keys that were read'":                                                                                         "",
		"Killedg in train batch: 127687 / 263115":                                                                                                       "sigkill-received",
		"Killed_jobs: 3 / 5":                    "",
		"Killedays are 12 of 20":                "",
		"  what():  tensor shapes do not match": "abort-sigabrt",
	})
}

// TestOtherLanguages checks that translated messages of libc and shells are
// recognised, and that a hit quotes the original text.
func TestOtherLanguages(t *testing.T) {
	lines := map[string]train.Cause{
		"./run.sh: Zeile 3:    17 Getötet                 python train.py":                             "sigkill-received",
		"./run.sh: Zeile 3:    17 Speicherzugriffsfehler  (Speicherabzug geschrieben) python train.py": "segfault",
		"cat: /data/train.csv: Datei oder Verzeichnis nicht gefunden":                                  "file-not-found",
		"bash: ./train: Keine Berechtigung":                                                            "permission-denied",
		"./run.sh: Zeile 3: torchrunn: Kommando nicht gefunden.":                                       "command-not-found",
		"cp: Fehler beim Schreiben von '/data/x': Auf dem Gerät ist kein Speicherplatz mehr verfügbar": "no-space-left",
		"./run.sh: ligne 3 : torchrunn : commande introuvable":                                         "command-not-found",
		"cat: /data/train.csv: Aucun fichier ou dossier de ce type":                                    "file-not-found",
		"./run.sh: ligne 3:    17 Erreur de segmentation  (core dumped) python train.py":               "segfault",
		"./run.sh: línea 3:    17 Terminado (killed)      python train.py":                             "sigkill-received",
		"cp: error al escribir '/data/x': No queda espacio en el dispositivo":                          "no-space-left",
		"bash: línea 1: /data/out: Permiso denegado":                                                   "permission-denied",
		"./run.sh：行 3:    17 已杀死               python train.py":                                        "sigkill-received",
		"./run.sh: 行 3:    17 段错误               （核心已转储）python train.py":                                "segfault",
		"cat: /data/train.csv: 没有那个文件或目录":                                                              "file-not-found",
		"bash: ./train: 权限不够":                                                                          "permission-denied",
		"./run.sh: 行 3:    17 強制終了            python train.py":                                         "sigkill-received",
		"セグメンテーション違反です (コアダンプ)":                                                                        "segfault",
		"bash: /data/out: 許可がありません":                                                                    "permission-denied",
		"cp: '/data/x' の書き込みエラー: デバイスに空き領域がありません":                                                      "no-space-left",
		"der Prozess wurde nicht getötet: Getötet wird nur, wer zu viel braucht":                       "",
	}
	checkFirst(t, lines)
	for line := range lines {
		if hits := scanned(line); len(hits) > 0 && hits[0].Text != string(shown([]byte(line))) {
			t.Errorf("quotes %q of %q", hits[0].Text, line)
		}
	}
}
