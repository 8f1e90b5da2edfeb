package formats

var openMMLab = format{
	name:   `OpenMMLab`,
	source: `mmcv 1.x runner/hooks/logger/text.py, mmengine 0.x runner/log_processor.py; XTuner`,
	about:  `the total loss comes last`,
	examples: []example{
		{lines: []string{
			"2020-05-08 18:44:23,494 - mmdet - INFO - Epoch [1][1200/7517]\tlr: 0.00125, eta: 4:44:04, time: 0.593, data_time: 0.031, memory: 6836, loss_rpn_cls: 0.0927, acc: 94.0625, loss_bbox: 0.1375, loss: 0.4606",
		}, want: `step=1200 epoch=1 loss=0.4606 lr=0.00125`},
		{lines: []string{
			`2024/05/07 12:40:23 - mmengine - INFO - Iter(train) [1510/2046]  lr: 3.3994e-05  eta: 0:29:39  time: 24.9128  data_time: 22.0483  memory: 15266  loss: 0.7818  grad_norm: 0.0005`,
		}, want: `step=1510 loss=0.7818 lr=3.3994e-05`},
		{lines: []string{
			`04/15 16:50:26 - mmengine - INFO - Epoch(train) [1][ 50/100]  lr: 1.9820e-03  eta: 0:00:15  time: 0.3082  memory: 3312  loss: 1.4919`,
		}, want: `step=50 epoch=1 loss=1.4919 lr=0.001982`},
	},
}
