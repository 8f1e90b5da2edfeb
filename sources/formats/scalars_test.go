package formats

import (
	"testing"
	"time"
)

// Numbers that programs print as objects are read as their number. The texts are
// those of PyTorch 2.4, NumPy 2.1, JAX 0.4, TensorFlow 2.16, Paddle 2.6, MLX 0.18.
func TestScalars(t *testing.T) {
	for line, want := range map[string]string{
		`loss tensor(2.99, device='cuda:0', grad_fn=<NllLossBackward0>) lr 0.1`:                  `loss 2.99 lr 0.1`,
		`loss: tensor([2.99], device='cuda:0', dtype=torch.bfloat16)`:                            `loss: 2.99`,
		`loss: tensor([[-2.99e-05]])`:                                                            `loss: -2.99e-05`,
		`loss: tensor(3., grad_fn=<DivBackward0>)`:                                               `loss: 3.`,
		`loss: tensor(nan, device='cuda:3')`:                                                     `loss: nan`,
		`Step: tensor(120) loss: 2.5`:                                                            `Step: 120 loss: 2.5`,
		`loss: Parameter containing: tensor(2.99, requires_grad=True)`:                           `loss: Parameter containing: 2.99`,
		`loss=np.float32(2.99)`:                                                                  `loss=2.99`,
		`{'loss': np.float64(2.99), 'acc': np.float32(0.5), 'n': np.int64(3)}`:                   `{'loss': 2.99, 'acc': 0.5, 'n': 3}`,
		`loss: Array(2.99, dtype=float32, weak_type=True)`:                                       `loss: 2.99`,
		`loss: DeviceArray(2.99, dtype=float32)`:                                                 `loss: 2.99`,
		`loss: jnp.float32(2.99)`:                                                                `loss: 2.99`,
		`loss: array(2.99, dtype=float32)`:                                                       `loss: 2.99`,
		`loss: tf.Tensor(2.99, shape=(), dtype=float32)`:                                         `loss: 2.99`,
		`loss: <tf.Tensor: shape=(), dtype=float32, numpy=2.99>`:                                 `loss: 2.99`,
		`loss: <tf.Variable 'loss:0' shape=() dtype=float32, numpy=2.99>`:                        `loss: 2.99`,
		`loss: Tensor(shape=[1], dtype=float32, place=Place(gpu:0), stop_gradient=False,[2.99])`: `loss: 2.99`,
		// not one number, or no number of a library
		`loss: tensor([2.9, 3.1])`:                        ``,
		`loss: tensor([2.9, 3.1], device='cuda:0')`:       ``,
		`loss: tensor(..., device='meta', size=())`:       ``,
		`loss: tensor(2.99, device='cuda:0'`:              ``,
		`elapsed time per iteration (ms): 5444.9 | x: 1`:  ``,
		`conv2d_1 (Conv2D) (None, 98, 98, 32) 896`:        ``,
		`Epoch(3) loss(2.99) smoothed(0.5) <unk>: 3`:      ``,
		`top 5 (0.91) array of int (8) and float (16)`:    ``,
		`<class 'torch.Tensor'> has 3 rows`:               ``,
		`range(5) f(2.99) nearest(0.1, k=3) int4(7) e(1)`: ``,
	} {
		if want == "" {
			want = line
		}
		if got := string(new(scalars).apply([]byte(line))); got != want {
			t.Errorf("%s\n got %s\nwant %s", line, got, want)
		}
	}
}

// gives reads a log, and returns the values of its metrics by name.
func gives(lines ...string) (map[string][]float64, []float64) {
	p, found, steps := New(Options{}), map[string][]float64{}, []float64(nil)
	take := func(r Reading) {
		for _, s := range r.Samples {
			if s.HasStep {
				steps = append(steps, s.Step)
			}
			for _, m := range s.Metrics {
				found[m.Name] = append(found[m.Name], m.Value)
			}
		}
	}
	for i, line := range lines {
		take(p.Line(int64(i+1), time.Time{}, []byte(line)))
	}
	take(p.End())
	return found, steps
}
