package train

import "strconv"

// Xid is the meaning of an error code of NVIDIA's driver. Meanings, blame and
// actions are those of NVIDIA's catalogue of Xid errors
// (docs.nvidia.com/deploy/xid-errors) as leptonai/gpud keeps it
// (components/accelerator/nvidia/xid/catalog_generated.go, 2025-10-29); numbers and
// names are those of NVIDIA/open-gpu-kernel-modules 595.45 (nverror.h). By name alone,
// since the catalogue has no words or no action for them: 56 to 58, 61, 108, 122 to
// 125, 142, and 162 to 176 but 171 and 172.
type Xid struct {
	Code int
	// Meaning is a few words: "fell off the bus".
	Meaning string
	Blame   Blame
	// Action is what to do about it, as an imperative sentence without a stop.
	Action string
	// Cause is the cause that a line of the kernel's log with it indicates, ""
	// where the application is to be checked first.
	Cause Cause
}

// CauseNow returns the cause that a code indicates where it is unknown whether
// a line of a log belongs to it: none for what is repaired or follows
// something else.
func (x Xid) CauseNow() Cause {
	if x.Blame == BlameNobody {
		return ""
	}
	return x.Cause
}

// Blame is where the fault of an Xid usually is.
type Blame string

const (
	BlameHardware    Blame = "hardware"    // the GPU, its memory, its power
	BlameLink        Blame = "link"        // NVLink, a switch, a peer
	BlameDriver      Blame = "driver"      // driver or firmware
	BlameApplication Blame = "application" // the program: an illegal address, a bad index
	BlameNobody      Blame = "nobody"      // it follows something else, or reports a repair
)

// Xids returns all codes of the table, in order.
func Xids() []Xid { return xids }

// Known reports whether the table has the code.
func (x Xid) Known() bool { return x.Meaning != unknownXid }

const unknownXid = "unknown code"

// XidOf returns the meaning of a code. A code that is not in the table is
// marked as unknown, and the driver's.
func XidOf(code int) Xid {
	for _, x := range xids {
		if x.Code == code {
			return x
		}
	}
	return Xid{code, unknownXid, BlameDriver, "look it up in NVIDIA's catalogue of Xid errors", "gpu-xid-error"}
}

// XidNamed reads a code from text; false when it is none.
func XidNamed(text string) (Xid, bool) {
	code, err := strconv.Atoi(text)
	if err != nil || code <= 0 {
		return Xid{}, false
	}
	return XidOf(code), true
}

// Severity returns the severity of an Xid for a job: hardware and links stop
// it, a driver or a program threaten it, the others are notices.
func (x Xid) Severity() Severity {
	switch x.Blame {
	case BlameHardware, BlameLink:
		return SeverityError
	case BlameDriver, BlameApplication:
		return SeverityWarning
	}
	return SeverityInfo
}

const (
	resetGPU   = "drain the node and reset the GPU"
	rebootNode = "drain and reboot the node; reseat or replace the board if it comes back"
	debugApp   = "start the program again under compute-sanitizer; suspect the board only if the error follows it"
	checkLinks = "reset the GPUs of the node and check NVLink and its peers"
	restartApp = "start the program again; have the GPU looked at if it comes back"
	besideIt   = "look at the Xids beside it: alone it asks for nothing"
)

// xids are ordered by code.
var xids = []Xid{
	{13, "graphics engine exception", BlameApplication, debugApp, "illegal-memory-access"},
	{31, "memory page fault", BlameApplication, debugApp, "illegal-memory-access"},
	{32, "bad push buffer", BlameApplication, "start the program again", "gpu-xid-error"},
	{38, "driver firmware error", BlameDriver, "look at the Xids beside it; ask NVIDIA's support if it comes back", "gpu-xid-error"},
	{39, "copy engine 0 exception", BlameApplication, restartApp, "gpu-xid-error"},
	{40, "copy engine 1 exception", BlameApplication, restartApp, "gpu-xid-error"},
	{41, "copy engine 2 exception", BlameApplication, restartApp, "gpu-xid-error"},
	{43, "GPU stopped processing", BlameNobody, "look at what came before: it follows a fault or a kill", ""},
	{44, "graphics engine fault during a context switch", BlameNobody, besideIt, ""},
	{45, "cleanup after a killed process", BlameNobody, "look at the first Xid: it follows another one, or a kill", ""},
	{46, "GPU stopped processing", BlameDriver, resetGPU, "gpu-xid-error"},
	{48, "double-bit ECC error", BlameHardware, resetGPU, "gpu-ecc-error"},
	{54, "auxiliary power is not connected to the board", BlameHardware, "check the power cables of the board", "gpu-xid-error"},
	{56, "display engine error", BlameDriver, resetGPU, "gpu-xid-error"},
	{57, "memory interface could not be programmed", BlameHardware, resetGPU, "gpu-xid-error"},
	{58, "memory interface is unstable", BlameHardware, "reset the GPU; replace the board if it comes back", "gpu-xid-error"},
	{60, "security processor exception (SEC2)", BlameApplication, restartApp, "gpu-xid-error"},
	{61, "microcontroller breakpoint", BlameDriver, resetGPU, "gpu-xid-error"},
	{62, "microcontroller halt", BlameHardware, resetGPU, "gpu-xid-error"},
	{63, "memory row remapped or page retired", BlameNobody, "reset the GPU at the next occasion: the memory is repaired then", "gpu-ecc-error"},
	{64, "memory row could not be remapped", BlameHardware, "reset the GPU; replace the board if it comes back", "gpu-ecc-error"},
	{66, "illegal access by the driver", BlameNobody, besideIt, ""},
	{67, "illegal access by the driver", BlameNobody, besideIt, ""},
	{68, "video decoder exception", BlameApplication, restartApp, "gpu-xid-error"},
	{69, "graphics engine class error", BlameApplication, "start the program again", "gpu-xid-error"},
	{70, "copy engine 3 exception", BlameApplication, restartApp, "gpu-xid-error"},
	{71, "copy engine 4 exception", BlameApplication, restartApp, "gpu-xid-error"},
	{72, "copy engine 5 exception", BlameApplication, restartApp, "gpu-xid-error"},
	{74, "NVLink error", BlameLink, checkLinks, "nvlink-error"},
	{75, "copy engine 6 exception", BlameApplication, restartApp, "gpu-xid-error"},
	{76, "copy engine 7 exception", BlameApplication, restartApp, "gpu-xid-error"},
	{77, "copy engine 8 exception", BlameApplication, restartApp, "gpu-xid-error"},
	{78, "vGPU could not be started", BlameDriver, "bring the drivers of the host and the guest to versions that fit", "gpu-xid-error"},
	{79, "fell off the bus", BlameHardware, rebootNode, "gpu-fell-off-bus"},
	{80, "corrupted data reached the GPU", BlameDriver, "start the program again; look at the PCIe link if it comes back", "gpu-xid-error"},
	{82, "JPEG decoder exception", BlameApplication, restartApp, "gpu-xid-error"},
	{83, "video decoder exception", BlameApplication, restartApp, "gpu-xid-error"},
	{84, "video decoder exception", BlameApplication, restartApp, "gpu-xid-error"},
	{85, "copy engine 9 exception", BlameApplication, restartApp, "gpu-xid-error"},
	{86, "optical flow engine exception", BlameApplication, restartApp, "gpu-xid-error"},
	{88, "video decoder exception", BlameApplication, restartApp, "gpu-xid-error"},
	{89, "video decoder exception", BlameApplication, restartApp, "gpu-xid-error"},
	{92, "many corrected memory errors", BlameNobody, "watch it: the memory ages", "gpu-ecc-error"},
	{93, "the InfoROM is written too often", BlameNobody, "ask NVIDIA's support: the InfoROM wears out", ""},
	{94, "contained memory error", BlameHardware, "start the program again; reset the GPU soon", "gpu-ecc-error"},
	{95, "uncontained memory error", BlameHardware, resetGPU, "gpu-ecc-error"},
	{96, "video decoder exception", BlameApplication, restartApp, "gpu-xid-error"},
	{97, "video decoder exception", BlameApplication, restartApp, "gpu-xid-error"},
	{98, "video decoder exception", BlameApplication, restartApp, "gpu-xid-error"},
	{99, "JPEG decoder exception", BlameApplication, restartApp, "gpu-xid-error"},
	{100, "JPEG decoder exception", BlameApplication, restartApp, "gpu-xid-error"},
	{101, "JPEG decoder exception", BlameApplication, restartApp, "gpu-xid-error"},
	{102, "JPEG decoder exception", BlameApplication, restartApp, "gpu-xid-error"},
	{103, "JPEG decoder exception", BlameApplication, restartApp, "gpu-xid-error"},
	{104, "JPEG decoder exception", BlameApplication, restartApp, "gpu-xid-error"},
	{105, "JPEG decoder exception", BlameApplication, restartApp, "gpu-xid-error"},
	{108, "translation of a peer's address failed over NVLink", BlameApplication, "look at the peer GPU: the fault is there", "illegal-memory-access"},
	{109, "context switch timeout", BlameDriver, resetGPU, "gpu-xid-error"},
	{110, "security fault", BlameHardware, resetGPU, "gpu-xid-error"},
	{119, "GSP firmware does not answer", BlameDriver, "reset the GPU; reboot the node if it comes back", "gpu-xid-error"},
	{120, "GSP firmware error", BlameDriver, "reset the GPU; reboot the node if it comes back", "gpu-xid-error"},
	{121, "C2C link error", BlameLink, "watch it: the link to the Grace CPU repeats", "gpu-xid-error"},
	{122, "the board's flash could not be read (SPI)", BlameHardware, resetGPU, "gpu-xid-error"},
	{123, "the board's flash could not be written (SPI)", BlameHardware, resetGPU, "gpu-xid-error"},
	{124, "the board's flash could not be erased (SPI)", BlameHardware, resetGPU, "gpu-xid-error"},
	{125, "file system error of the InfoROM", BlameHardware, resetGPU, "gpu-xid-error"},
	{126, "copy engine 10 exception", BlameApplication, restartApp, "gpu-xid-error"},
	{127, "copy engine 11 exception", BlameApplication, restartApp, "gpu-xid-error"},
	{128, "copy engine 12 exception", BlameApplication, restartApp, "gpu-xid-error"},
	{129, "copy engine 13 exception", BlameApplication, restartApp, "gpu-xid-error"},
	{130, "copy engine 14 exception", BlameApplication, restartApp, "gpu-xid-error"},
	{131, "copy engine 15 exception", BlameApplication, restartApp, "gpu-xid-error"},
	{132, "copy engine 16 exception", BlameApplication, restartApp, "gpu-xid-error"},
	{133, "copy engine 17 exception", BlameApplication, restartApp, "gpu-xid-error"},
	{134, "copy engine 18 exception", BlameApplication, restartApp, "gpu-xid-error"},
	{135, "copy engine 19 exception", BlameApplication, restartApp, "gpu-xid-error"},
	{136, "NVLink training failed", BlameLink, checkLinks, "nvlink-error"},
	{137, "page fault of a peer over NVLink", BlameApplication, "look at the peer GPU: the fault is there", "illegal-memory-access"},
	{139, "optical flow engine exception", BlameApplication, restartApp, "gpu-xid-error"},
	{140, "unrecovered ECC error", BlameHardware, resetGPU, "gpu-ecc-error"},
	{141, "CUDA fast path error", BlameNobody, besideIt, ""},
	{142, "video encoder exception", BlameApplication, restartApp, "gpu-xid-error"},
	{143, "GPU could not be initialised", BlameHardware, resetGPU, "gpu-xid-error"},
	{144, "NVLink error (SAW)", BlameLink, checkLinks, "nvlink-error"},
	{145, "NVLink error (RLW)", BlameLink, checkLinks, "nvlink-error"},
	{146, "NVLink error (TLW)", BlameLink, checkLinks, "nvlink-error"},
	{147, "NVLink error (TREX)", BlameLink, checkLinks, "nvlink-error"},
	{148, "NVLink error (NVLPW_CTRL)", BlameLink, checkLinks, "nvlink-error"},
	{149, "NVLink error (NETIR)", BlameLink, checkLinks, "nvlink-error"},
	{150, "NVLink error (MSE)", BlameLink, checkLinks, "nvlink-error"},
	{151, "key rotation error", BlameDriver, "restart the virtual machine", "gpu-xid-error"},
	{154, "the driver wants a recovery", BlameHardware, "read what the kernel log says it wants (reset, reboot, drain), and do it", "gpu-xid-error"},
	{155, "NVLink error found by software", BlameLink, checkLinks, "nvlink-error"},
	{156, "resource retired", BlameHardware, resetGPU, "gpu-ecc-error"},
	{157, "resource could not be retired", BlameHardware, "ask NVIDIA's support; replace the board if it comes back", "gpu-ecc-error"},
	{158, "fatal timeout", BlameHardware, resetGPU, "gpu-xid-error"},
	{159, "CHI non-data error", BlameDriver, "look at the Xids beside it; reset the GPU if there are none", "gpu-xid-error"},
	{160, "memory channel retired", BlameNobody, "watch it: the memory ages", "gpu-ecc-error"},
	{161, "memory channel could not be retired", BlameDriver, "ask NVIDIA's support", "gpu-ecc-error"},
	{162, "power smoothing is on again", BlameNobody, besideIt, ""},
	{163, "power smoothing is off", BlameNobody, besideIt, ""},
	{164, "power smoothing wears out", BlameNobody, besideIt, ""},
	{165, "power smoothing is worn out", BlameNobody, besideIt, ""},
	{166, "NVLink encryption error", BlameLink, checkLinks, "nvlink-error"},
	{167, "PCIe does not answer", BlameHardware, rebootNode, "gpu-xid-error"},
	{168, "the GPU has less memory than it should", BlameHardware, "reset the GPU; replace the board if it comes back", "gpu-ecc-error"},
	{169, "security processor halt (SEC2)", BlameHardware, resetGPU, "gpu-xid-error"},
	{170, "NVLink security error", BlameLink, checkLinks, "nvlink-error"},
	{171, "uncorrectable DRAM error", BlameHardware, resetGPU, "gpu-ecc-error"},
	{172, "uncorrectable SRAM error", BlameHardware, resetGPU, "gpu-ecc-error"},
	{173, "C2C link failed", BlameLink, "reset the GPU; reboot the node if it comes back", "gpu-xid-error"},
	{174, "cleanup after a killed process", BlameNobody, "look at the first Xid: it follows another one, or a kill", ""},
	{175, "memory subsystem error", BlameHardware, resetGPU, "gpu-xid-error"},
	{176, "corrected PCIe errors", BlameNobody, "watch the PCIe link of the GPU", ""},
}
