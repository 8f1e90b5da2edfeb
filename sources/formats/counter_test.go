package formats

import (
	"fmt"
	"strings"
	"testing"
)

// numbered repeats a line with each of some numbers in the place of its sign.
func numbered(line string, numbers ...int) string {
	lines := make([]string, 0, len(numbers))
	for _, n := range numbers {
		lines = append(lines, strings.ReplaceAll(line, "@", fmt.Sprint(n)))
	}
	return strings.Join(lines, "\n")
}

// Positions that no table names are learned from how they grow, each beside what grows too and
// is none.
func TestCountersAreLearned(t *testing.T) {
	for _, c := range []struct{ about, log, want string }{
		{"the variable of a loop", numbered("I:@ Test-Acc:0.0@ Train-Acc:0.1", 1, 2, 3), "1 step=1; 2 step=2; 3 step=3"},
		{"an index of samples", numbered("index:@, cost:0.2 min, Acc:0.5, Recall:0.9", 0, 1, 2, 3, 4, 5), ""},
		{"a plural that grows", numbered("Epochs: @ | epoch avg. loss: 0.1@", 1, 2, 3), "1 epoch=1 loss=0.11; 2 epoch=2 loss=0.12; 3 epoch=3 loss=0.13"},
		{"a plural that stays", "Epochs: 10 | loss: 0.5\nEpochs: 10 | loss: 0.4\nEpochs: 10 | loss: 0.3", "1 loss=0.5; 2 loss=0.4; 3 loss=0.3"},
		{"a bare number before a reward", numbered("@: done 3 games, mean reward -20.000, speed 438.31 f/s", 1039, 2138, 3073, 3971, 4756), "1 step=1039; 2 step=2138; 3 step=3073; 4 step=3971; 5 step=4756"},
		{"numbers of tasks", numbered("@: mean reward -20.000, speed 438.31 f/s", 0, 1, 2, 3, 4, 5), ""},
		{"a bare number that is the step of a loss", numbered("@: loss 0.5", 100, 200, 300, 400, 500), "1 step=100 loss=0.5; 2 step=200 loss=0.5; 3 step=300 loss=0.5; 4 step=400 loss=0.5; 5 step=500 loss=0.5"},
		{"a number of each line that grows by one", numbered(" @: training loss = 1.5 | validation loss = 0.4", 1, 2, 3, 4, 5), "1 step=1 loss=1.5 eval_loss=0.4; 2 step=2 loss=1.5 eval_loss=0.4; 3 step=3 loss=1.5 eval_loss=0.4; 4 step=4 loss=1.5 eval_loss=0.4; 5 step=5 loss=1.5 eval_loss=0.4"},
		{"numbers of tasks that come again", numbered("@: loss 0.5@", 0, 1, 2, 3, 4, 5) + "\n" + numbered("@: loss 0.4@", 0, 1, 2, 3, 4, 5), "1 loss=0.5; 2 loss=0.51; 3 loss=0.52; 4 loss=0.53; 5 loss=0.54; 6 loss=0.55; 7 loss=0.4; 8 loss=0.41; 9 loss=0.42; 10 loss=0.43; 11 loss=0.44; 12 loss=0.45"},
		{"rows of an analysis", numbered("Components:  @, total explained variance: 0.15", 0, 1, 2, 3, 4, 5), ""},
		{"rows of classes", numbered("@ precision=0.91 recall=0.92", 0, 1, 2, 3, 4, 5), ""},
		{"networks of an ensemble", numbered("Network: @, Accuracy on Validation-Set: 0.9948, Test-Set: 0.9893", 0, 1, 2, 3, 4), ""},
		{"services count too", numbered("processed: @ errors: 0.02 throughput: 31.5/s", 10, 20, 30, 40), ""},
		{"frames of a game", numbered("frame @. reward: 200.0", 18400, 19400, 20400), "1 step=18400; 2 step=19400; 3 step=20400"},
		{"what is done", numbered("Progress:20.8% Speed(reviews/sec):223.8 #Trained:@ Training Accuracy:50.0%", 1, 2501, 5001), "1 step=1; 2 step=2501; 3 step=5001"},
		{"samples behind the record", "0 loss: 1.7 prediction: [[1 1]] str: ee\n1 loss: 1.4 prediction: [[1 2]] str: ez\n2 loss: 1.3 prediction: [[1 2]] str: if\n3 loss: 1.2 prediction: [[1 2]] str: wa\n4 loss: 1.1 prediction: [[1 2]] str: yo", "1 step=0 loss=1.7; 2 step=1 loss=1.4; 3 step=2 loss=1.3; 4 step=3 loss=1.2; 5 step=4 loss=1.1"},
	} {
		if got := pointsOf(c.log); got != c.want {
			t.Errorf("%s:\n\t%s\nwant\n\t%s", c.about, got, c.want)
		}
	}
}

// Evolutions measure their populations.
func TestGenerations(t *testing.T) {
	for _, c := range []struct{ about, log, want string }{
		{"the best of each", "Generation 12 best fitness 0.3\nGeneration 13 best fitness 0.4", "1 step=12; 2 step=13"},
		{"statistics of the population", "Gen 12: best=0.3 avg=0.2\nGen 13: best=0.35 avg=0.21", "1 step=12; 2 step=13"},
		{"below a heading", "Generation 1/3\n  Best fitness: 0.3421\nGeneration 2/3\n  Best fitness: 0.4156", "2 step=1; 4 step=2"},
		{"DEAP's logbook", "gen\tnevals\tavg\tstd\tmin\tmax\n0  \t300   \t49.6\t5.1\t35 \t63 \n1  \t183   \t53.6\t4.1\t41 \t66 ", "2 step=0; 3 step=1"},
		{"what a language model generates", "generation: 128 tokens, 2.135 s/token (0.489 tok/s)\ngeneration: 256 tokens, 2.135 s/token (0.489 tok/s)", ""},
		{"an object of Kubernetes", "generation: 3\nobservedGeneration: 3\ngeneration: 4", ""},
		{"games of a match", "  game 1/100 id=7918 plies=32 winner=P2 101.8s avg_len=64\n  game 2/100 id=7919 plies=33 winner=P1 81.2s avg_len=68", ""},
	} {
		if got := pointsOf(c.log); got != c.want {
			t.Errorf("%s:\n\t%s\nwant\n\t%s", c.about, got, c.want)
		}
	}
}

// More ways to write one record.
func TestRecordsOfOwnLoops(t *testing.T) {
	for _, c := range []struct{ about, log, want string }{
		{"a verb between the position and the value", "loss at iteration 125 is: 2.3281\nloss at iteration 150 was: 1.4480", "1 step=125 loss=2.3281; 2 step=150 loss=1.448"},
		{"a colon alone between the epoch and the value", "accuracy epoch 0:0.6649\nval loss epoch 1:0.6652\nstep 12:30 loss", "1 epoch=0; 2 epoch=1 eval_loss=0.6652"},
		{"something measured on an epoch", "Performance on epoch 0: 0.59\nPerformance on epoch 1: 0.85", "1 epoch=0; 2 epoch=1"},
		{"a tuple that Python 2 printed", "('Loss at ', 0, 16.65)\n('Loss at ', 10, 14.67)\n('Epoch:', 2, 'cost =0.292')", "1 step=0 loss=16.65; 2 step=10 loss=14.67; 3 epoch=2 loss=0.292"},
		{"a tuple of names", "('epoch', 3, 'loss', 0.5)\n('epoch', 4, 'loss', 0.4)", "1 epoch=3 loss=0.5; 2 epoch=4 loss=0.4"},
		{"an epoch and its phase", "[Epoch 0-TRAIN] loss: 0.16\n[Epoch 0-VALID] loss: 0.17", "1 epoch=0 loss=0.16; 2 epoch=0 eval_loss=0.17"},
		{"a range is no phase", "Epoch 3-train_x loss: 0.5\nlayers 3-test: 0.4", ""},
		{"two names and two values", "Epoch 002 | Avg Losses >> G/D 4.3550/0.1622\nEpoch 003 | Avg Losses >> G/D 4.2550/0.1722", "1 epoch=2; 2 epoch=3"},
		{"an arrow of two signs", "Epoch 002 | Loss >> -0.6277\nEpoch 003 | Loss >> -0.5277", "1 epoch=2 loss=-0.6277; 2 epoch=3 loss=-0.5277"},
		{"a position and what it measures in one name", "Adam iteration/NLL: 1\t700.83\nAdam iteration/NLL: 2\t600.83", "1 step=1 loss=700.83; 2 step=2 loss=600.83"},
		{"in this epoch", "Epoch 1\ntrain loss in this epoch: 0.57, accuracy in this epoch: 0.66\nval loss in this epoch: 0.46", "2 epoch=1 loss=0.57; 3 epoch=1 eval_loss=0.46"},
		{"a mean cost of training", "epoch 1, training avg cost 0.53\nepoch 2, training avg cost 0.52", "1 epoch=1 loss=0.53; 2 epoch=2 loss=0.52"},
		{"the reward of an episode", "Ep:  201 | Ep_r:  1.59\nEp:  202 | Ep_r:  4.18", "1 step=201; 2 step=202"},
		{"twins of training and evaluation", "{'num_gens': 1, 'train_perf': 0.64, 'test_perf': 0.42}\n{'num_gens': 200, 'train_perf': 0.5, 'test_perf': 0.53}\n{'num_gens': 400, 'train_perf': 0.4, 'test_perf': 0.34}", "1 step=1; 2 step=200; 3 step=400"},
		{"a rate among columns of losses", "Learning Rate\tTrain Loss\tTheta Loss\n0.0002\t-0.0024\t0.36\n0.0002\t-0.0023\t0.35", "2 loss=-0.0024 lr=0.0002; 3 loss=-0.0023 lr=0.0002"},
	} {
		if got := pointsOf(c.log); got != c.want {
			t.Errorf("%s:\n\t%s\nwant\n\t%s", c.about, got, c.want)
		}
	}
}
