package custom

import (
	"strings"
	"testing"
)

// Scripts that run the text of a variable, each in a way of its own.
var runningScripts = []string{
	`$NAME`, `"$NAME" --help`, `\$NAME; $NAME`, `! $NAME`, `{ $NAME; }`, `( $NAME )`, `true && $NAME`, `true | $NAME`, `if $NAME; then :; fi`, `while $NAME; do :; done`,
	`case x in x) $NAME;; esac`, `f() { "$1"; }; f "$NAME"`, `for c in "$NAME"; do $c; done`, `set -- $NAME; "$@"`, `X="$NAME"; $X`, `${NAME}`, `${NAME:-ls}; echo "$NAME"`,
	`$(echo "$NAME")`, "`echo \"$NAME\"`", `x=$(echo "$NAME"); $x`, `read x <<< "$NAME"; $x`, `while read l; do $l; done <<< "$NAME"`, `coproc $NAME`, `/usr/bin/$NAME`,
	`eval "$NAME"`, `source "$NAME"`, `. <(echo "$NAME")`, `echo "$NAME" > /tmp/x; . /tmp/x`, `trap "$NAME" EXIT`, `alias x="$NAME"`, `X=$NAME; eval "$X"`,
	`exec $NAME`, `command $NAME`, `builtin $NAME`, `env $NAME`, `env -S "$NAME"`, `env A=b $NAME`, `nohup $NAME`, `timeout 5 $NAME`, `timeout -k 5 5 $NAME`, `time $NAME`, `nice -n 5 $NAME`, `sudo $NAME`, `sudo -u root $NAME`, `sudo -E $NAME x`,
	`watch "$NAME"`, `watch -n1 -t -g "$NAME"`, `flock F $NAME`, `flock F -c "$NAME"`, `script -qc "$NAME" /dev/null`, `su -c "$NAME"`, `su root -c "$NAME"`, `tmux new-window "$NAME"`, `ssh h "$NAME"`, `ssh h "true; $NAME"`, `ssh -oProxyCommand="$NAME" h`, `ssh -l root h $NAME`,
	`sh -c "$NAME"`, `sh -c '$NAME'`, `sh -c 'eval "$NAME"'`, `bash -c "true; $NAME"`, `timeout 5 sh -c "$NAME"`, `env sh -c "$NAME"`, `sudo -u root sh -c "$NAME"`, `kubectl exec p -- sh -c "$NAME"`, `kubectl exec p -- $NAME`, `kubectl run x --image=y -- $NAME`, `docker run x sh -c "$NAME"`, `find . -exec sh -c "$NAME" \;`, `find . -exec "$NAME" \;`, `s"h" -c "$NAME"`, `\sh -c "$NAME"`, `/bin/s? -c "$NAME"`, `sh -c "eval '$NAME'"`,
	`echo "$NAME" | sh`, `printf %s "$NAME" | bash`, `echo "$NAME" | sudo bash -s`, `echo "$NAME" | (cat; sh)`, `echo "$NAME" | while true; do sh; done`, `f() { sh; }; echo "$NAME" | f`, `sh <<< "$NAME"`, "sh <<E\n$NAME\nE", "cat <<E | sh\n$NAME\nE", `echo "$NAME" | tee >(sh)`, `echo "$NAME" | xargs sh -c`, `xargs <<< "$NAME"`, `echo "$NAME" | ssh h`, `echo "$NAME" | kubectl exec -i p -- sh`, `echo "$NAME" | python3`, `echo "$NAME" | python3 -`, `echo "$NAME" | sh /dev/stdin`, `exec < "$NAME"; sh`, `printf "$NAME" > /tmp/x; sh /tmp/x`, `tar --to-command="$NAME" -xf x`, `rsync -e "$NAME" a b`, `git -c core.pager="$NAME" log`, `at now <<< "$NAME"`, `crontab <<< "$NAME"`,
	`python3 -c "$NAME"`, `python3.12 -c "$NAME"`, `perl -e "$NAME"`, `awk "$NAME"`, `awk "BEGIN{$NAME}"`, `sed "s/x/$NAME/e"`, `vim -c "$NAME"`, `make --eval "$NAME"`, `gdb -ex "$NAME"`,
	`PATH="$NAME:$PATH" ls`, `EDITOR="$NAME" kubectl edit x`, `LD_PRELOAD="$NAME" ls`, `env EDITOR="$NAME" kubectl edit x`, `export "$NAME"`, `declare "$NAME"`, `echo "${!NAME}"`, `echo "$NAME" "${NAME@P}"`, `echo "$NAME" &&`,
}

// Scripts that give a program the text of a variable and run none of it.
var harmless = []string{
	`kubectl --context "$CONTEXT" -n "$NAMESPACE" exec "$POD" -- df -h | sort`, `kubectl get pod $NAME -o yaml | less`, `kubectl debug -it --context $CONTEXT -n=$NAMESPACE $POD --target=$NAME`,
	`printf %s ${NAME} >/dev/null; printf %s "$NAME"`, `for i in 1 2; do kubectl delete pod "$NAME-$i"; done`, `if kubectl get pod "$POD"; then echo "$POD is there"; else echo none; fi`,
	`X="$NAME"; echo "${X%-0}"`, `[ "$NAME" = x ] && echo yes`, `x=$(kubectl get pod "$POD" -o name); echo "$x"`, `case "$NAME" in a*) echo a;; esac`, `"$HOME/bin/look" "$NAME"`, `PATH="$HOME/bin:$PATH" look "$NAME"`,
	`kubectl exec -it "$POD" -- bash`, `kubectl exec "$POD" -- sh -c "ls /data/$NAME"`, `kubectl exec "$POD" -- sh -c 'ls | head'`, `sh tool.sh "$NAME"`, `kubectl get node "$NODE"`,
	`ssh "$NODE" dmesg | tail`, `ssh -l root -p 22 "$NODE" "tail -f /var/log/$NAME"`, `timeout 5 kubectl get pod "$NAME"`, `sudo -u root kubectl get pod "$NAME"`, `watch -n1 kubectl get pod "$NAME"`, `watch "kubectl get pod $NAME"`, `exec kubectl logs -f "$POD"`, `env A="$NAME" look`,
	`kubectl get pod "$POD" -o json | python3 -m json.tool`, `kubectl top pod "$NAME" | awk '{print $1}'`, `awk -v name="$NAME" '$1 == name'`, `python3 tool.py --pod "$POD"`, `kubectl get pods | sed 's/a/b/' | grep "$NAME"`, `trap 'echo done' EXIT; kubectl logs "$POD"`, `kubectl logs "$POD" > "/tmp/$NAME.log"; vim "/tmp/$NAME.log"`, `tmux new-window "kubectl logs -f $POD"`,
	`grep -- "$NAME" x`, `set -- "$NAME"; echo "$1"`, `kubectl get pod -- "$NAME"`, `git -C "$HOME/x" log "$NAME"`, `tar -czf "$NAME.tgz" x 2>&1 >/dev/null; sh tool.sh "$NAME"`, "cat <<E\n$NAME\nE",
}

func TestScriptsThatRunTheTextOfAVariableAreRefused(t *testing.T) {
	for _, script := range runningScripts {
		for _, p := range []*Program{{Script: script}, {Arguments: []string{"bash", "-c", script}}} {
			if err := p.Check(); err == nil {
				t.Errorf("accepted: %q", script)
			}
		}
	}
	for _, script := range harmless {
		for _, p := range []*Program{{Script: script}, {Arguments: []string{"/bin/sh", "-ec", script}}} {
			if err := p.Check(); err != nil {
				t.Errorf("%q: %v", script, err)
			}
		}
	}
}

func TestArgumentListsThatRunAVariableAreRefused(t *testing.T) {
	for _, list := range []string{
		"env sh -c V", "env -S V", "env V", "timeout 5 V", "timeout 5 sh -c V", "nice bash -c V", "xargs sh -c V", "setsid sh -c V", "nohup V", "flock F -c V", "flock F V", "make --eval V", "make --eval=V", "vim -c V", "vim +V", "gdb -ex V", "su -c V", "script -qc V /dev/null", "sudo V", "sudo -u root V", "watch V", "tmux new-window V", "perl -e V", "python3 -c V", "awk V", "sed V",
		"kubectl exec p -- sh -c V", "kubectl exec p -- bash -lc V", "kubectl exec p -- V", "docker run x sh -c V", "find . -exec sh -c V ;", "ssh h V", "ssh -oProxyCommand=V h", "bash V", "ssh h sh -c V", "sh -c $1 sh V", "cmd.exe /c V", "pwsh -c V", "tar --to-command=V -xf x", "rsync -e V a b", "git -c V log", "busybox sh -c V",
	} {
		arguments := strings.Fields(strings.ReplaceAll(list, "V", "${annotation:x}"))
		if err := (&Program{Arguments: arguments}).Check(); err == nil {
			t.Errorf("accepted: %q", arguments)
		}
	}
	for _, list := range []string{
		"kubectl logs V -c V", "ssh V dmesg", "ssh -l root V dmesg", "timeout 5 kubectl get pod V", "kubectl exec -it V -c V -- bash", "kubectl exec V -- tail -n 5 V", "python3 tool.py --pod V", "bash tool.sh V", "xdg-open https://x.example/V", "kubectl get node V", "tmux new-window kubectl logs V", "vim V", "stern --tail 50 V", "git log V", "pwsh -File look.ps1 V", "cmd.exe /c kubectl get pod V",
	} {
		arguments := strings.Fields(strings.ReplaceAll(list, "V", "$NAME"))
		if err := (&Program{Arguments: arguments}).Check(); err != nil {
			t.Errorf("%q: %v", arguments, err)
		}
	}
}

// A value with signs that a shell or an interpreter reads gets into none,
// whatever the check of the command missed.
func TestOnlyWordsGetIntoScripts(t *testing.T) {
	for _, value := range []string{"a b", "a;b", "$(a)", "`a`", "a\tb", "'a", "a|b", "a&b", "a>b", "a*", "-rf", "a\\b", "!a", "{a,b}", "a[0]", "~a"} {
		for _, p := range []*Program{
			{Script: `echo "$NAME"`}, {Arguments: []string{"sh", "-c", `echo "$NAME"`}}, {Arguments: []string{"sh", "-c", `echo "$1"`, "sh", "$NAME"}}, {Arguments: []string{"bash", "tool.sh", "$NAME"}},
			{Arguments: []string{"python3", "tool.py", "$NAME"}}, {Arguments: []string{"timeout", "5", "look", "$NAME"}}, {Arguments: []string{"unknown", "--exec", "$NAME"}}, {Arguments: []string{"unknown", "-c", "$NAME"}}, {Arguments: []string{"unknown", "--post-command=$NAME"}}, {Arguments: []string{"vim", "$NAME"}},
		} {
			if run, err := p.Resolve(Values{"NAME": value}); err == nil {
				t.Errorf("%q in %+v: %q, %q", value, p, run.Arguments, run.Environment)
			}
		}
	}
	run, err := (&Program{Script: `echo "$NAME" "$KUBECONFIG"`}).Resolve(Values{"NAME": "bert-0.x:1/y@z=+,_", "KUBECONFIG": "/home/a b/config"})
	if err != nil || strings.Join(run.Environment, " ") != "NAME=bert-0.x:1/y@z=+,_ KUBECONFIG=/home/a b/config" {
		t.Errorf("%q, %v", run.Environment, err)
	}
}
