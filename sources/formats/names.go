package formats

// playPrio is the priority of a game or a generation: a position only beside what learning measures.
const playPrio = 39

// namedPlayPrio is that of one with other words in front: "joined group at generation 3".
const namedPlayPrio = playPrio - behindWords

// names are whole names, words joined by "_", that need no rule. Of two names of the
// same class on one line, the one with the higher prio counts.
var names = map[string]kind{
	"步":                     {class: classStep, prio: 70},
	"步骤":                    {class: classStep, prio: 70},
	"迭代":                    {class: classStep, prio: 65},
	"global_step":           {class: classStep, prio: 100},
	"global_steps":          {class: classStep, prio: 99},
	"globalstep":            {class: classStep, prio: 99},
	"trainer_global_step":   {class: classStep, prio: 100},
	"train_global_step":     {class: classStep, prio: 100},
	"training_global_step":  {class: classStep, prio: 98},
	"global_step_max_steps": {class: classStep, prio: 100},
	"global_iter":           {class: classStep, prio: 96},
	"global_iteration":      {class: classStep, prio: 96},
	"global_batch_idx":      {class: classStep, prio: 96},
	"num_updates":           {class: classStep, prio: 100},
	"nupdates":              {class: classStep, prio: 60}, // wav2letter, OpenAI Baselines
	"current_steps":         {class: classStep, prio: 100},
	"opt_step":              {class: classStep, prio: 97},
	"optim_step":            {class: classStep, prio: 97},
	"optimizer_step":        {class: classStep, prio: 97},
	"total_timesteps":       {class: classStep, prio: 95},
	"acc_iter":              {class: classStep, prio: 95}, // OpenPCDet: accumulated
	"learner_steps":         {class: classStep, prio: 94}, // DeepMind Acme
	"num_timesteps":         {class: classStep, prio: 95},
	"total_env_steps":       {class: classStep, prio: 85},
	"total_t":               {class: classStep, prio: 84}, // TD3, beside "Episode Num"
	"totalenvinteracts":     {class: classStep, prio: 85},
	"total_env_interacts":   {class: classStep, prio: 85},
	"num_env_steps_sampled": {class: classStep, prio: 85},
	"step":                  {class: classStep, prio: 92},
	"steps":                 {class: classStep, prio: 50},
	"iteration":             {class: classStep, prio: 75},
	"iterations":            {class: classStep, prio: 66},
	"iter":                  {class: classStep, prio: 75},
	"iters":                 {class: classStep, prio: 66},
	"itrs":                  {class: classStep, prio: 66},
	"it":                    {class: classStep, prio: 70},
	"itr":                   {class: classStep, prio: 75},
	"niter":                 {class: classStep, prio: 70},
	"n_iter":                {class: classStep, prio: 70},
	"num_iter":              {class: classStep, prio: 40},
	"update":                {class: classStep, prio: 74},
	"updates":               {class: classStep, prio: 74},
	"up":                    {class: classStep, prio: 60}, // Marian
	"batch":                 {class: classStep, prio: 60},
	"batch_idx":             {class: classStep, prio: 58},
	"example_counter":       {class: classStep, prio: 40}, // Vowpal Wabbit
	"batch_index":           {class: classStep, prio: 58},
	"batchidx":              {class: classStep, prio: 58},
	"minibatch":             {class: classStep, prio: 58},
	"mini_batch":            {class: classStep, prio: 58},
	"batches":               {class: classStep, prio: 45},
	"micro_step":            {class: classStep, prio: 30},
	"round":                 {class: classStep, prio: 56},
	"tick":                  {class: classStep, prio: 50},
	"episode":               {class: classStep, prio: 40},
	"game":                  {class: classStep, prio: playPrio},
	"generation":            {class: classStep, prio: playPrio},
	"gen":                   {class: classStep, prio: playPrio},
	"ep_r":                  {class: classEvidence}, // the reward of an episode
	"ep_reward":             {class: classEvidence},
	"ep_rew":                {class: classEvidence},
	"test_batch":            {class: classStep, prio: 30, eval: true},

	"轮":             {class: classEpoch, prio: 80},
	"轮次":            {class: classEpoch, prio: 80},
	"轮数":            {class: classEpoch, prio: 80},
	"批次":            {class: classStep, prio: 60},
	"epoch":         {class: classEpoch, prio: 100},
	"pass":          {class: classEpoch, prio: passPrio}, // PaddlePaddle before 2.0
	"ep":            {class: classEpoch, prio: 80},
	"e":             {class: classEpoch, prio: 60},
	"epo":           {class: classEpoch, prio: 85},
	"epch":          {class: classEpoch, prio: 90}, // LeRobot, beside "ep", its episodes
	"epoch_num":     {class: classEpoch, prio: 90},
	"cur_epoch":     {class: classEpoch, prio: 95},
	"current_epoch": {class: classEpoch, prio: 90},
	"epoch_idx":     {class: classEpoch, prio: 90},

	"total_steps":              {class: classTotalSteps, prio: 90},
	"max_steps":                {class: classTotalSteps, prio: 90},
	"max_step":                 {class: classTotalSteps, prio: 85},
	"max_iter":                 {class: classTotalSteps, prio: 80},
	"max_iters":                {class: classTotalSteps, prio: 80},
	"num_steps":                {class: classTotalSteps, prio: 40},
	"num_train_steps":          {class: classTotalSteps, prio: 85},
	"train_steps":              {class: classTotalSteps, prio: 80, train: true},
	"training_steps":           {class: classTotalSteps, prio: 80, train: true},
	"num_training_steps":       {class: classTotalSteps, prio: 85},
	"max_train_steps":          {class: classTotalSteps, prio: 90},
	"total_training_steps":     {class: classTotalSteps, prio: 90},
	"total_train_steps":        {class: classTotalSteps, prio: 90},
	"total_iterations":         {class: classTotalSteps, prio: 85},
	"total_optimization_steps": {class: classTotalSteps, prio: 100},
	"total_optimization_step":  {class: classTotalSteps, prio: 100},

	"epochs":           {class: classTotalEpochs, prio: 50},
	"num_epochs":       {class: classTotalEpochs, prio: 100},
	"num_epoch":        {class: classTotalEpochs, prio: 90},
	"n_epochs":         {class: classTotalEpochs, prio: 90},
	"max_epochs":       {class: classTotalEpochs, prio: 90},
	"max_epoch":        {class: classTotalEpochs, prio: 90},
	"total_epochs":     {class: classTotalEpochs, prio: 90},
	"num_train_epochs": {class: classTotalEpochs, prio: 90},
	"scheduled_epochs": {class: classTotalEpochs, prio: 90}, // timm
	"total_epoch":      {class: classTotalEpochs, prio: 80},

	"steps_per_epoch":       {class: classStepsPerEpoch, prio: 90},
	"num_batches_per_epoch": {class: classStepsPerEpoch, prio: 90},
	"batches_per_epoch":     {class: classStepsPerEpoch, prio: 90},
	"iters_per_epoch":       {class: classStepsPerEpoch, prio: 90},

	"eta":                      {class: classETA, prio: 100},
	"remaining_time":           {class: classETA, prio: 90},
	"remaining":                {class: classETA, prio: 90},
	"time_remaining":           {class: classETA, prio: 90},
	"time_left":                {class: classETA, prio: 90},
	"estimated_time_remaining": {class: classETA, prio: 90},

	"elapsed_time": {class: classClock},

	"lr":            {class: classLR, prio: 100},
	"lrate":         {class: classLR, prio: 60}, // Kaldi
	"learning_rate": {class: classLR, prio: 100},
	"train_lr":      {class: classLR, prio: 90},
	"actor_lr":      {class: classLR, prio: 80},
	"act_lr":        {class: classLR, prio: 80}, // OpenRLHF 0.6 and later
	"lr_0":          {class: classLR, prio: 90},
	"current_lr_0":  {class: classLR, prio: 90}, // Coqui TTS: of the first optimizer
	"lr_pg0":        {class: classLR, prio: 70},
	"pg0_lr":        {class: classLR, prio: 70},
	"group0_lr":     {class: classLR, prio: 70},
	"lr_group_0":    {class: classLR, prio: 70},
	"lr_group0":     {class: classLR, prio: 70},
	"lr_pg_0":       {class: classLR, prio: 70},

	"learning_rate_group0":       {class: classLR, prio: 70},
	"optim_learning_rate_group0": {class: classLR, prio: 70}, // OLMo
	"pg_0_lr":                    {class: classLR, prio: 70},
	"group_0_lr":                 {class: classLR, prio: 70},
	"l_r":                        {class: classLR, prio: 80}, // Marian
	"optim0_lr0":                 {class: classLR, prio: 80},
	"lr0":                        {class: classLR, prio: 75}, // ESPnet
	"current_lr":                 {class: classLR, prio: 90},
	"last_lr":                    {class: classLR, prio: 90},

	"cost":          {class: classLoss, prio: costPrio},
	"avg_cost":      {class: classLoss, prio: 38},
	"average_cost":  {class: classLoss, prio: 38},
	"mean_cost":     {class: classLoss, prio: 38},
	"train_cost":    {class: classLoss, prio: 39, train: true},
	"training_cost": {class: classLoss, prio: 39, train: true},
	"loss":          {class: classLoss, prio: 100},
	"l_total":       {class: classLoss, prio: 60},
	"l_tot":         {class: classLoss, prio: 60},
	"closs":         {class: classLoss, prio: 60}, // LLaMA-Adapter, LLaMA2-Accessory: of classes, beside mloss

	"valid_cost":      {class: classEvalLoss, prio: 39, eval: true},
	"validation_cost": {class: classEvalLoss, prio: 39, eval: true},
	"test_cost":       {class: classEvalLoss, prio: 39, eval: true},

	"step_time":              {class: classStepTime, prio: 90},
	"steptime":               {class: classStepTime, prio: 90},
	"step_time_s":            {class: classStepTime, prio: 90},
	"iter_time":              {class: classStepTime, prio: 90},
	"iteration_time":         {class: classStepTime, prio: 90},
	"iter_time_s":            {class: classStepTime, prio: 90},
	"time_per_step":          {class: classStepTime, prio: 80},
	"time_per_iter":          {class: classStepTime, prio: 80},
	"time_per_iteration":     {class: classStepTime, prio: 80},
	"per_step_time":          {class: classStepTime, prio: 90},
	"batch_cost":             {class: classStepTime, prio: 85},
	"avg_batch_cost":         {class: classStepTime, prio: 85},
	"batch_time":             {class: classStepTime, prio: 80},
	"sec_per_step":           {class: classStepTime, prio: 80},
	"train_step_timing_in_s": {class: classStepTime, prio: 90},
	"seconds":                {class: classStepTime, prio: 60},

	"elapsed_time_per_iteration_ms": {class: classStepMillis, prio: 90},
	"step_time_ms":                  {class: classStepMillis, prio: 90},
	"ms_step":                       {class: classStepMillis, prio: 80},

	"dt":      {class: classTime, prio: 80},
	"time":    {class: classTime, prio: 50},
	"elapsed": {class: classTime, prio: 40},

	"mfu":            {class: classMFU, prio: 90},
	"bf16_mfu":       {class: classMFU, prio: 80},
	"perf_mfu_actor": {class: classMFU, prio: 80},

	"tflops":                         {class: classTFLOPS, prio: 90},
	"tflop_s_device":                 {class: classTFLOPS, prio: 90},
	"throughput_per_gpu_tflop_s_gpu": {class: classTFLOPS, prio: 90},
	"tflops_gpu":                     {class: classTFLOPS, prio: 80},

	"steps_per_second": {class: classItsSecond, prio: 90},
	"steps_per_sec":    {class: classItsSecond, prio: 90},
	"global_step_sec":  {class: classItsSecond, prio: 90},
	"it_s":             {class: classItsSecond, prio: 80},

	"tps": {class: classTokens, prio: 80},
	"tgs": {class: classTokens, prio: 70},

	"ips": {class: classSamples, prio: 60},

	"base_lr":    {class: classEvidence},
	"time_cost":  {class: classEvidence},
	"epoch_time": {class: classEvidence},

	"avg":   {class: classNone},
	"v_num": {class: classNone}, // Lightning: the number of the run

	"eps":           {class: classUnknown},
	"new_lr":        {class: classUnknown},
	"bsz":           {class: classUnknown},
	"lrm":           {class: classUnknown}, // nanochat: a multiplier
	"train_runtime": {class: classUnknown},
	"eval_runtime":  {class: classUnknown},
}
