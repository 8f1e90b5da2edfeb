package formats

var detectron2 = format{
	name:   `Detectron2`,
	source: `detectron2 utils/events.py, maskrcnn-benchmark, YOLOX`,
	about:  `medians of the last steps`,
	examples: []example{
		{lines: []string{
			`[11/01 11:27:04 d2.utils.events]: eta: 8:05:12  iter: 1259  total_loss: 1.012  loss_cls: 0.714  loss_box_reg: 0.291  time: 0.3322  data_time: 0.0334  lr: 0.010000  max_mem: 3961M`,
		}, want: `step=1259 loss=1.012 lr=0.01`},
		{lines: []string{
			`2022-10-29 09:05:23 | INFO     | yolox.core.trainer:261 - epoch: 1/300, iter: 10/102, mem: 12977Mb, iter_time: 8.438s, total_loss: 10.9, iou_loss: 4.7, lr: 3.845e-06, size: 416, ETA: 2 days, 23:42:05`,
		}, want: `step=10 epoch=1 loss=10.9 lr=3.845e-06`},
	},
}
