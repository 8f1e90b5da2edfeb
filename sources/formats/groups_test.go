package formats

import "testing"

// TestGroupsOfThousands checks the signs that separate the thousands of a number, beside lines in
// which the same signs separate something else.
func TestGroupsOfThousands(t *testing.T) {
	runWays(t, []way{
		{"underscores", "step=900 loss=2.9\nstep=19_000 loss=2.8\nStep: 1_019_000 | Loss: 2.7 | LR: 1e-4", "1 step=900 loss=2.9; 2 step=19000 loss=2.8; 3 step=1.019e+06 loss=2.7 lr=0.0001"},
		{"underscores of a total", "step 1_000/60_000 loss 2.81 lr 1e-4", "1 step=1000 loss=2.81 lr=0.0001"},
		{"underscores of another value", "step=5 tokens=5_000 loss=2.95 lr=1e-4", "1 step=5 loss=2.95 lr=0.0001 tokens=5000"},
		{"underscores in a string", `{"step":"19_000","loss":2.81}`, "1 step=19000 loss=2.81"},
		{"underscores before decimals", "step=7 tokens=5_000.25 loss=12_345.5", "1 step=7 loss=12345.5 tokens=5000.25"},
		{"underscores of an identifier", "step=7 run=0_123 loss=2.5\nstep=8 run=20240501_123 loss=2.4\nstep=9 run=12_34 loss=2.3\nstep=10 run=1_234_abc loss=2.2", "1 step=7 loss=2.5; 2 step=8 loss=2.4; 3 step=9 loss=2.3; 4 step=10 loss=2.2"},
		{"two signs are no groups", "step=1,000_000 loss=2.5\nstep=1,001_000 loss=2.4", "1 loss=2.5; 2 loss=2.4"},
		{"apostrophes", "step=19'000 loss=2.81\nstep 1'020'000/2'000'000 loss 2.7", "1 step=19000 loss=2.81; 2 step=1.02e+06 loss=2.7"},
		{"apostrophes that are quotes", "'step': '19', 'loss': '2.81'\n('step', 20, 'loss', 2.5)", "1 step=19 loss=2.81; 2 step=20 loss=2.5"},
		{"an apostrophe between other groups", "step=19'00 loss=2.81\nstep=20'00 loss=2.7", "1 loss=2.81; 2 loss=2.7"},
		{"blanks", "step=19 000 loss=2.81\nstep: 19 100 | loss: 2.7\nstep 20 000/60 000 loss 2.6\niteration: 1 234 567, loss: 2.5", "1 step=19000 loss=2.81; 2 step=19100 loss=2.7; 3 step=20000 loss=2.6; 4 step=1.234567e+06 loss=2.5"},
		{"blanks in a string", `{"step":"19 000","loss":2.81}`, "1 step=19000 loss=2.81"},
		{"blanks between values", "Epoch: 1 100/500 loss: 2.5\nstep: 5 100 samples, loss: 2.4\nstep 6 100 loss 2.3\nstep=7 100.5 loss=2.2", "1 step=100 epoch=1 loss=2.5; 2 step=5 epoch=1 loss=2.4; 3 step=6 epoch=1 loss=2.3; 4 step=7 epoch=1 loss=2.2"},
	})
}

// TestUnreadNumbers checks that a value that is no number takes no other value of its line away.
func TestUnreadNumbers(t *testing.T) {
	runWays(t, []way{
		{"a step in hexadecimal digits", "step=0x13 loss=2.81\nstep=0x14 loss=2.7", "1 loss=2.81; 2 loss=2.7"},
		{"a step in hexadecimal digits behind a colon", "Step: 0x13 loss: 2.81\nStep: 0x14 loss: 2.7", "1 loss=2.81; 2 loss=2.7"},
		{"an address", "step=3 buffer 0x7f13 loss=2.81", "1 step=3 loss=2.81"},
		{"a version", "step=12.3.4 loss=2.81\nstep=12.3.5 loss=2.7", "1 loss=2.81; 2 loss=2.7"},
		{"a number with a word behind it", "step=12-foo loss=2.81\nstep=12abc loss=2.7\nstep=12th loss=2.6", "1 loss=2.81; 2 loss=2.7; 3 loss=2.6"},
		{"a version behind a colon", "Step: 12.3.4 loss: 2.81\nStep: 12.3.5 loss: 2.7", "1 loss=2.81; 2 loss=2.7"},
		{"a name that begins with a digit", "step 3 2d_loss=0.5 loss=0.7\nEpoch 4: 5-shot accuracy: 0.7", "1 step=3 2d_loss=0.5 loss=0.7; 2 epoch=4 5-shot accuracy=0.7"},
	})
}
