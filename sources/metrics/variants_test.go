package metrics

import (
	"fmt"
	"strings"
	"testing"

	"github.com/traintop/traintop/train"
)

// short formats a reading like the variants below.
func short(r *train.GPUReading) string {
	g := &r.GPU
	parts := []string{g.Index}
	add := func(name, text string) {
		if text != "" {
			parts = append(parts, name+"="+text)
		}
	}
	add("node", g.Node)
	add("uuid", g.UUID)
	add("model", g.Model)
	add("mig", strings.TrimSpace(g.MIG.Profile+" "+g.MIG.Instance))
	add("pod", strings.Trim(g.Namespace+"/"+g.Pod, "/"))
	for _, q := range []struct {
		name     string
		quantity train.Quantity
	}{
		{"use", train.GPUUtilization}, {"mem", train.GPUMemoryUsed}, {"of", train.GPUMemoryTotal}, {"temp", train.GPUTemperature},
		{"power", train.GPUPower}, {"cap", train.GPUPowerLimit}, {"xid", train.GPUXid}, {"sm", train.GPUSMClock}, {"tensor", train.GPUTensorActive},
	} {
		if number, known := r.Values.Get(q.quantity); known {
			parts = append(parts, fmt.Sprintf("%s=%g", q.name, number))
		}
	}
	return strings.Join(parts, " ")
}

// want reads a text and compares its readings, and whether it has problems.
func want(t *testing.T, what, text string, bad bool, readings ...string) {
	t.Helper()
	a, err := Read(strings.NewReader(text), Origin{})
	if err != nil && !bad {
		t.Errorf("%s: %v", what, err)
	}
	if bad != (len(a.Problems) > 0 || err != nil) {
		t.Errorf("%s (%s): problems are %v", what, a.Format, a.Problems)
	}
	var got []string
	for i := range a.Readings {
		got = append(got, short(&a.Readings[i]))
	}
	if strings.Join(got, "\n") != strings.Join(readings, "\n") {
		t.Errorf("%s (%s): read\n%s\nwant\n%s", what, a.Format, strings.Join(got, "\n"), strings.Join(readings, "\n"))
	}
}

func TestExpositionVariants(t *testing.T) {
	want(t, "a value that the exporter could not write", `# TYPE DCGM_FI_DEV_GPU_TEMP gauge
DCGM_FI_DEV_GPU_TEMP{gpu="0",UUID="GPU-aaaaaaaa"} 40
DCGM_FI_DEV_FB_USED{gpu="0",UUID="GPU-aaaaaaaa"} ERROR - FAILED TO CONVERT TO STRING
DCGM_FI_DEV_GPU_UTIL{gpu="1",UUID="GPU-bbbbbbbb"} ERROR - FAILED TO CONVERT TO STRING
`, true, "0 uuid=GPU-aaaaaaaa temp=40", "1 uuid=GPU-bbbbbbbb")
	want(t, "names of DCGM 4.7", `DCGM_FI_DEV_GPU_UTIL_RATIO{gpu="0",UUID="GPU-aaaaaaaa"} 0.5
DCGM_FI_DEV_GPU_UTIL_RATIO{gpu="1",UUID="GPU-bbbbbbbb"} 1
DCGM_FI_DEV_GPU_TEMP_CELSIUS{gpu="0",UUID="GPU-aaaaaaaa"} 40
DCGM_FI_DEV_BOARD_POWER_WATTS{gpu="0",UUID="GPU-aaaaaaaa"} 300.5
DCGM_FI_DEV_XID_ERROR{gpu="0",UUID="GPU-aaaaaaaa"} 79
DCGM_FI_PROF_TENSOR_UTIL_RATIO{gpu="0",UUID="GPU-aaaaaaaa"} 0.25
`, false, "0 uuid=GPU-aaaaaaaa use=50 temp=40 power=300.5 xid=79 tensor=0.25", "1 uuid=GPU-bbbbbbbb use=100")
	want(t, "the same names in DCGM 4.6: percentages", `DCGM_FI_DEV_GPU_UTIL_RATIO{gpu="0",UUID="GPU-aaaaaaaa"} 1
DCGM_FI_DEV_GPU_UTIL_RATIO{gpu="1",UUID="GPU-bbbbbbbb"} 97
`, false, "0 uuid=GPU-aaaaaaaa use=1", "1 uuid=GPU-bbbbbbbb use=97")
	want(t, "names of 1.x with the pod's old labels", `dcgm_gpu_utilization{gpu="0",uuid="GPU-aaaaaaaa",pod_name="w-0",pod_namespace="ml",container_name="c"} 88
dcgm_xid_errors{gpu="0",uuid="GPU-aaaaaaaa",pod_name="w-0",pod_namespace="ml",container_name="c"} 31
`, false, "0 uuid=GPU-aaaaaaaa pod=ml/w-0 use=88 xid=31")
	want(t, "no sample of a switch, a CPU or a link is a GPU", `DCGM_FI_DEV_NVSWITCH_TEMPERATURE_CURRENT{nvswitch="0",Hostname="n"} 40
DCGM_FI_DEV_CPU_UTIL_TOTAL{cpu="0",Hostname="n"} 0.1
# a comment
DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL{gpu="0",UUID="GPU-aaaaaaaa",nvlink="3"} 7
`, false, "0 uuid=GPU-aaaaaaaa")
	want(t, "device and pod, never added up", `DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-aaaaaaaa"} 90
DCGM_FI_DEV_GPU_TEMP{gpu="0",UUID="GPU-aaaaaaaa"} 50
DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-aaaaaaaa",namespace="ml",pod="a",vgpu="0"} 40
DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-aaaaaaaa",namespace="ml",pod="b",vgpu="1"} 50
`, false, "0 uuid=GPU-aaaaaaaa pod=ml/a use=40 temp=50", "0 uuid=GPU-aaaaaaaa pod=ml/b use=50 temp=50")
	want(t, "numbers that no GPU has", `DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-aaaaaaaa"} -3
DCGM_FI_DEV_POWER_USAGE{gpu="0",UUID="GPU-aaaaaaaa"} NaN
DCGM_FI_DEV_GPU_TEMP{gpu="0",UUID="GPU-aaaaaaaa"} 2147483632
DCGM_FI_DEV_SM_CLOCK{gpu="0",UUID="GPU-aaaaaaaa"} 140737488355330
`, true, "0 uuid=GPU-aaaaaaaa")
	want(t, "Windows line ends", "DCGM_FI_DEV_GPU_TEMP{gpu=\"0\"} 54\r\nDCGM_FI_DEV_GPU_UTIL{gpu=\"0\"} 7\r\n", false, "0 use=7 temp=54")
	want(t, "copied from Prometheus' console: values below, pods are the exporter's", `#### Prometheus
DCGM_FI_DEV_FB_USED{UUID="GPU-aaaaaaaa", container="nvidia-dcgm-exporter", gpu="0", instance="10.244.1.14:9400", job="nvidia-dcgm-exporter", namespace="gpu-operator", pod="nvidia-dcgm-exporter-nrq5s", service="nvidia-dcgm-exporter"}
11441

DCGM_FI_DEV_GPU_UTIL{UUID="GPU-aaaaaaaa", container="nvidia-dcgm-exporter", gpu="0", instance="10.244.1.14:9400", job="nvidia-dcgm-exporter", namespace="gpu-operator", pod="nvidia-dcgm-exporter-nrq5s", service="nvidia-dcgm-exporter"}
3
`, true, "0 uuid=GPU-aaaaaaaa use=3 mem=11441")
	want(t, "a title above", `Active 2*1g.5gb + 2g.10gb

# HELP DCGM_FI_DEV_SM_CLOCK SM clock frequency (in MHz).
DCGM_FI_DEV_SM_CLOCK{gpu="0",UUID="GPU-aaaaaaaa",GPU_I_PROFILE="1g.5gb",GPU_I_ID="7"} 1410
`, true, "0 uuid=GPU-aaaaaaaa mig=1g.5gb 7 sm=1410")
	want(t, "a line of 9 MiB", "DCGM_FI_DEV_GPU_TEMP{gpu=\"0\"} 54\nDCGM_FI_DEV_GPU_TEMP{gpu=\""+strings.Repeat("x", 9<<20)+"\"} 1\nDCGM_FI_DEV_GPU_UTIL{gpu=\"0\"} 7\n", true, "0 use=7 temp=54")
	want(t, "samples without labels first", "go_goroutines 8\ngo_threads 9\nup 1\nprocess_open_fds 7\nDCGM_FI_DEV_GPU_TEMP{gpu=\"0\"} 54\n", false, "0 temp=54")
	want(t, "one sample twice, the newer first", `DCGM_FI_DEV_GPU_UTIL{gpu="0"} 90 1760000002000
DCGM_FI_DEV_FB_FREE{gpu="0"} 100 1760000002000
DCGM_FI_DEV_FB_USED{gpu="0"} 50 1760000002000
DCGM_FI_DEV_GPU_UTIL{gpu="0"} 10 1760000001000
DCGM_FI_DEV_FB_FREE{gpu="0"} 900 1760000001000
`, false, "0 use=90 mem=50 of=150")
	want(t, "one sample twice, the newer last", `DCGM_FI_DEV_GPU_UTIL{gpu="0"} 90 1760000001000
DCGM_FI_DEV_GPU_UTIL{gpu="0"} 10 1760000002000
`, false, "0 use=10")
	want(t, "OpenMetrics with exemplars and times in seconds", `# TYPE DCGM_FI_DEV_GPU_TEMP gauge
# UNIT DCGM_FI_DEV_GPU_TEMP celsius
DCGM_FI_DEV_GPU_TEMP{gpu="0",modelName="a } # {b} \"c"} 54 1760000002.25 # {trace_id="KOO5S4vxi0o"} 0.67
DCGM_FI_DEV_GPU_TEMP{gpu="0",modelName="a } # {b} \"c"} 30 1760000001
# TYPE build info
build_info{version="1"} 1
# TYPE state stateset
state{state="a"} 1
# TYPE requests counter
requests_total 17.0 1760000002.25 # {} 0.67 1760000002.25
requests_created 1.76e9
requests_bucket{le="+Inf"} 17 # {trace_id="a # b"} 1
# EOF
`, false, `0 model=a } # {b} "c temp=54`)
	want(t, "OpenMetrics with times alone", "DCGM_FI_DEV_GPU_TEMP{gpu=\"0\"} 54 1760000002.25\nDCGM_FI_DEV_GPU_TEMP{gpu=\"0\"} 30 1760000001.5\n# EOF\n", false, "0 temp=54")
	want(t, "OpenMetrics with a bad line", "DCGM_FI_DEV_GPU_TEMP{gpu=\"0\"} 54 # {a=\"b\"} 1\nDCGM_FI_DEV_GPU_UTIL{gpu=\"0\"} 5x # {a=\"b\"} 1\n# EOF\n", true, "0 temp=54")
	want(t, "OpenMetrics", "# TYPE DCGM_FI_DEV_GPU_TEMP gauge\nDCGM_FI_DEV_GPU_TEMP{gpu=\"0\"} 54\n# EOF\n", false, "0 temp=54")
}

// Samples of other vendors, from their documentation: XPU Manager 1.2, xpumd
// 2.0, habana-metric-exporter 1.19, tpu-device-plugin 1.35 (a captured page in a
// public test), cAdvisor 0.43.
func TestVendors(t *testing.T) {
	want(t, "xpum", `xpum_engine_ratio{dev_file="card0",dev_name="Intel(R) Data Center GPU Max 1100",pci_bdf="0000:29:00.0",uuid="01000000-0000-0000-0000-000000290000",kube_pod="w-0",kube_namespace="ml"} 0.42
xpum_engine_ratio{dev_file="card0",pci_bdf="0000:29:00.0",uuid="01000000-0000-0000-0000-000000290000",sub_dev="0"} 0.84
xpum_memory_used_bytes{dev_file="card0",pci_bdf="0000:29:00.0",uuid="01000000-0000-0000-0000-000000290000",kube_pod="w-0",kube_namespace="ml"} 1.073741824e+09
xpum_temperature_celsius{dev_file="card0",location="gpu",pci_bdf="0000:29:00.0",uuid="01000000-0000-0000-0000-000000290000",kube_pod="w-0",kube_namespace="ml"} 41
xpum_temperature_celsius{dev_file="card0",location="mem",pci_bdf="0000:29:00.0",uuid="01000000-0000-0000-0000-000000290000",kube_pod="w-0",kube_namespace="ml"} 60
`, false, "card0 uuid=01000000-0000-0000-0000-000000290000 model=Intel(R) Data Center GPU Max 1100 pod=ml/w-0 use=42 mem=1024 temp=41")
	want(t, "xpumd", `hw_gpu_utilization_ratio{pci_bdf="0000:01:00.0",hw_gpu_task="all"} 0.125
hw_gpu_utilization_ratio{pci_bdf="0000:01:00.0",hw_gpu_task="copy-all"} 1
hw_memory_usage_bytes{pci_bdf="0000:01:00.0",hw_memory_location="device"} 1048576
hw_power_watts{pci_bdf="0000:01:00.0"} 120
`, false, "0000:01:00.0 use=12.5 mem=1 power=120")
	want(t, "habana", `habanalabs_utilization{UUID="01P4-HL2080A0-15-TNPS34-20-07-07",device="0"} 95
habanalabs_memory_used_bytes{UUID="01P4-HL2080A0-15-TNPS34-20-07-07",device="0"} 1.073741824e+09
habanalabs_power_mW{UUID="01P4-HL2080A0-15-TNPS34-20-07-07",device="0"} 264000
habanalabs_temperature_onchip{UUID="01P4-HL2080A0-15-TNPS34-20-07-07",device="0"} 43
`, false, "0 uuid=01P4-HL2080A0-15-TNPS34-20-07-07 use=95 mem=1024 temp=43 power=264")
	npu := `{container_name="c",id="0",model_name="910B3-Ascend-V1",namespace="ml",pcie_bus_info="0000:61:00.0",pod_name="w-0",vdie_id="A-1"} `
	want(t, "npu-exporter", "npu_chip_info_utilization"+npu+"44 1723621883587\nnpu_chip_info_hbm_used_memory"+npu+"32000 1723621883587\nnpu_chip_info_hbm_total_memory"+npu+"65536 1723621883587\n"+
		"npu_chip_info_total_memory"+npu+"0 1723621883587\nnpu_chip_info_temperature"+npu+"41 1723621883587\nnpu_chip_info_power"+npu+"97.4 1723621883587\nnpu_chip_info_error_code"+npu+"0 1723621883587\n"+
		"npu_chip_info_temperature{id=\"1\"} 36\nnpu_chip_info_hbm_total_memory{id=\"1\"} 65536\n",
		false, "0 model=910B3-Ascend-V1 pod=ml/w-0 use=44 mem=32000 of=65536 temp=41 power=97.4", "1 of=65536 temp=36")
	want(t, "npu-exporter under other labels", `npu_chip_info_utilization{model_name="Ascend910B",npu_id="3"} 41
npu_chip_info_hbm_used_memory{npuID="3",modelName="Ascend910B",podName="",containerName=""} 18432
`, false, "3 model=Ascend910B use=41 mem=18432")
	want(t, "TPU of GKE", `duty_cycle{accelerator_id="1234-4",container="c",make="cloud-tpu",model="tpu7x",namespace="ml",pod="w",tpu_topology="2x2x2"} 42
duty_cycle_node{accelerator_id="1234-0",make="cloud-tpu",model="tpu7x",tpu_topology="2x2x2"} 0
duty_cycle_node{accelerator_id="1234-4",make="cloud-tpu",model="tpu7x",tpu_topology="2x2x2"} 42
memory_total_node{accelerator_id="1234-4",make="cloud-tpu",model="tpu7x",tpu_topology="2x2x2"} 1073741824
`, false, "1234-4 model=tpu7x pod=ml/w use=42 of=1024", "1234-0 model=tpu7x use=0")
	want(t, "cAdvisor", `container_accelerator_duty_cycle{acc_id="GPU-aaaaaaaa",container="c",make="nvidia",model="Tesla K80",namespace="ml",pod="w"} 11
`, false, " uuid=GPU-aaaaaaaa model=Tesla K80 pod=ml/w use=11")
	want(t, "AMD in partitions", `gpu_gfx_activity{card_model="x",gpu_compute_partition_type="cpx",gpu_id="0",gpu_partition_id="0",hostname="h"} 30
gpu_gfx_activity{card_model="x",gpu_compute_partition_type="cpx",gpu_id="0",gpu_partition_id="1",hostname="h"} 0
gpu_edge_temperature{card_model="x",gpu_compute_partition_type="cpx",gpu_id="0",gpu_partition_id="1",hostname="h"} 0
`, false, "0 mig=cpx 1 use=0", "0 mig=cpx 0 use=30")
	want(t, "HAMi: what containers use of a GPU, scraped", `HostCoreUtilization{deviceidx="0",deviceuuid="GPU-59ab1128-3130",zone="vGPU",pod="hami-device-plugin-x7k2p",namespace="kube-system",instance="10.0.0.7:9394"} 57
HostGPUMemoryUsage{deviceidx="0",deviceuuid="GPU-59ab1128-3130",zone="vGPU",pod="hami-device-plugin-x7k2p",namespace="kube-system",instance="10.0.0.7:9394"} 3.145728e+08
HostCoreUtilization{deviceidx="1",deviceuuid="GPU-6ff6801c-e914",zone="vGPU",pod="hami-device-plugin-x7k2p",namespace="kube-system",instance="10.0.0.7:9394"} 0
Device_utilization_desc_of_container{ctrname="main",deviceuuid="GPU-59ab1128-3130",podname="a-0",podnamespace="ml",vdeviceid="0",zone="vGPU",pod="hami-device-plugin-x7k2p",namespace="kube-system"} 40
vGPU_device_memory_usage_in_bytes{ctrname="main",deviceuuid="GPU-59ab1128-3130",podname="a-0",podnamespace="ml",vdeviceid="0",zone="vGPU",pod="hami-device-plugin-x7k2p",namespace="kube-system"} 1.048576e+08
vGPU_device_memory_limit_in_bytes{ctrname="main",deviceuuid="GPU-59ab1128-3130",podname="a-0",podnamespace="ml",vdeviceid="0",zone="vGPU",pod="hami-device-plugin-x7k2p",namespace="kube-system"} 2.097152e+08
Device_utilization_desc_of_container{ctrname="main",deviceuuid="GPU-59ab1128-3130",podname="b-0",podnamespace="ml",vdeviceid="0",zone="vGPU",pod="hami-device-plugin-x7k2p",namespace="kube-system"} 17
`, false, "0 uuid=GPU-59ab1128-3130 pod=ml/a-0 use=40 mem=100 of=200", "0 uuid=GPU-59ab1128-3130 pod=ml/b-0 use=17 mem=300", "1 uuid=GPU-6ff6801c-e914 use=0")
	want(t, "HAMi's scheduler: what it gave to pods, as its documents of 2.7 show it", `GPUDeviceMemoryLimit{deviceidx="0",deviceuuid="GPU-59ab1128-3130",nodeid="n1",zone="vGPU"} 3.4359738368e+10
GPUDeviceMemoryLimit{deviceidx="1",deviceuuid="GPU-6ff6801c-e914",nodeid="n1",zone="vGPU"} 3.4359738368e+10
GPUDeviceCoreAllocated{deviceidx="0",deviceuuid="GPU-59ab1128-3130",nodeid="n1",zone="vGPU"} 45
GPUDeviceMemoryAllocated{devicecores="0",deviceidx="0",deviceuuid="GPU-59ab1128-3130",nodeid="n1",zone="vGPU"} 3.221225472e+09
vGPUMemoryAllocated{containeridx="main",deviceuuid="GPU-59ab1128-3130",nodename="n1",podname="a-0",podnamespace="ml",zone="vGPU"} 3.221225472e+09
`, false, "1 node=n1 uuid=GPU-6ff6801c-e914 of=32768", "0 node=n1 uuid=GPU-59ab1128-3130 pod=ml/a-0 of=3072")
	want(t, "HAMi's scheduler with the names of 2.10", `hami_gpu_memory_limit_bytes{device_index="0",device_uuid="GPU-59ab1128-3130",node="n1",zone="vGPU"} 3.4359738368e+10
hami_gpu_memory_limit_bytes{device_index="1",device_uuid="GPU-6ff6801c-e914",node="n1",zone="vGPU"} 3.4359738368e+10
hami_vgpu_memory_allocated_bytes{container_index="main",device_uuid="GPU-59ab1128-3130",namespace="ml",node="n1",pod="a-0",zone="vGPU"} 3.221225472e+09
`, false, "1 node=n1 uuid=GPU-6ff6801c-e914 of=32768", "0 node=n1 uuid=GPU-59ab1128-3130 pod=ml/a-0 of=3072")
	want(t, "the monitor of HAMi's DRA driver, in MiB", `GPUDeviceMemoryLimit{nodeid="n1",deviceuuid="GPU-59ab1128-3130",deviceidx="0"} 16000
vGPUDeviceMemoryAllocated{nodeid="n1",deviceuuid="GPU-59ab1128-3130",deviceidx="0",podname="a-0",podnamespace="ml"} 4000
`, false, "0 node=n1 uuid=GPU-59ab1128-3130 pod=ml/a-0 of=4000")
	want(t, "HAMi 2.10", `hami_host_gpu_utilization_ratio{device_index="0",device_type="NVIDIA-H20",device_uuid="GPU-59ab1128-3130",node="n1"} 57
hami_host_gpu_memory_used_bytes{device_index="0",device_type="NVIDIA-H20",device_uuid="GPU-59ab1128-3130",node="n1"} 3.145728e+08
hami_vgpu_memory_used_bytes{container="main",device_uuid="GPU-59ab1128-3130",namespace="ml",pod="a-0",vdevice_index="0"} 1.048576e+08
hami_vgpu_memory_limit_bytes{container="main",device_uuid="GPU-59ab1128-3130",namespace="ml",pod="a-0",vdevice_index="0"} 0
`, false, "0 node=n1 uuid=GPU-59ab1128-3130 model=NVIDIA-H20 pod=ml/a-0 use=57 mem=100")
	want(t, "neuron: processes on one core", `neuroncore_utilization_ratio{instance_id="i-1",instance_type="trn1.32xlarge",neuroncore="0",runtime_tag="1"} 0.25
neuroncore_utilization_ratio{instance_id="i-1",instance_type="trn1.32xlarge",neuroncore="0",runtime_tag="2"} 0.125
`, false, "0 model=trn1.32xlarge use=25")
}

func TestPrometheusAnswers(t *testing.T) {
	series := func(name, labels, point string) string {
		return `{"metric":{"__name__":"` + name + `","gpu":"0","UUID":"GPU-aaaaaaaa"` + labels + `},` + point + `}`
	}
	vector := func(all ...string) string {
		return `{"status":"success","data":{"resultType":"vector","result":[` + strings.Join(all, ",") + `]}}`
	}
	exporter := `,"namespace":"gpu-operator","pod":"nvidia-dcgm-exporter-x","job":"nvidia-dcgm-exporter","instance":"10.0.0.1:9400"`
	want(t, "a free GPU: the pod is the exporter's", vector(series("DCGM_FI_DEV_GPU_UTIL", exporter, `"value":[1,"5"]`)), false,
		"0 uuid=GPU-aaaaaaaa use=5")
	own := `,"namespace":"mon","pod":"gpu-stats-x","job":"scrape-7","instance":"10.0.0.1:9400"`
	want(t, "a free GPU beside a held one", vector(
		series("DCGM_FI_DEV_GPU_UTIL", own+`,"exported_namespace":"ml","exported_pod":"w-0"`, `"value":[1,"5"]`),
		`{"metric":{"__name__":"DCGM_FI_DEV_GPU_UTIL","gpu":"1","UUID":"GPU-bbbbbbbb"`+own+`},"value":[1,"0"]}`), false,
		"0 uuid=GPU-aaaaaaaa pod=ml/w-0 use=5", "1 uuid=GPU-bbbbbbbb use=0")
	want(t, "NaN and infinity", vector(series("DCGM_FI_DEV_GPU_UTIL", "", `"value":[1,"NaN"]`), series("DCGM_FI_DEV_GPU_TEMP", "", `"value":[1,"+Inf"]`)), true,
		"0 uuid=GPU-aaaaaaaa")
	want(t, "a warning", `{"status":"success","warnings":["x: partial"],"data":{"resultType":"vector","result":[`+series("DCGM_FI_DEV_GPU_UTIL", "", `"value":[1,"5"]`)+`]}}`, true,
		"0 uuid=GPU-aaaaaaaa use=5")
	want(t, "cut off", `{"status":"success","data":{"resultType":"vector","result":[`+series("DCGM_FI_DEV_GPU_UTIL", "", `"value":[1,"5"]`)+`,{"metric":{"__na`, true,
		"0 uuid=GPU-aaaaaaaa use=5")
	matrix := func(all ...string) string { return strings.ReplaceAll(vector(all...), "vector", "matrix") }
	want(t, "who held it before is gone", matrix(
		series("DCGM_FI_DEV_GPU_UTIL", `,"exported_namespace":"ml","exported_pod":"old"`, `"values":[[1000,"1"],[1060,"2"]]`),
		series("DCGM_FI_DEV_GPU_UTIL", `,"exported_namespace":"ml","exported_pod":"new"`, `"values":[[9000,"3"],[9060,"4"]]`)), false,
		"0 uuid=GPU-aaaaaaaa pod=ml/new use=4")
	want(t, "an Xid begins a series of its own", matrix(
		series("DCGM_FI_DEV_XID_ERRORS", `,"err_code":"79"`, `"values":[[1060,"79"]]`),
		series("DCGM_FI_DEV_XID_ERRORS", `,"err_code":"0"`, `"values":[[1000,"0"]]`)), false,
		"0 uuid=GPU-aaaaaaaa xid=79")
	want(t, "no name", vector(`{"metric":{"gpu":"0","UUID":"GPU-aaaaaaaa"},"value":[1,"5"]}`), true, "0 uuid=GPU-aaaaaaaa")
	want(t, "an error", `{"status":"error","errorType":"execution","error":"query timed out"}`, true)
	want(t, "a scalar", `{"status":"success","data":{"resultType":"scalar","result":[1,"2"]}}`, false)
}
