package train

import "strconv"

// Xid is the meaning of an error code of NVIDIA's driver. Meanings, blame and
// actions are those of NVIDIA's catalogue of Xid errors
// (docs.nvidia.com/deploy/xid-errors) as leptonai/gpud keeps it
// (components/accelerator/nvidia/xid, 2026); 58, 110, 122 and 123 by name
// alone (driver r555), 80 with its action, RESTART_APP.
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
)

// xids are ordered by code.
var xids = []Xid{
	{13, "graphics engine exception", BlameApplication, debugApp, "illegal-memory-access"},
	{31, "memory page fault", BlameApplication, debugApp, "illegal-memory-access"},
	{32, "bad push buffer", BlameApplication, "start the program again", "gpu-xid-error"},
	{38, "driver firmware error", BlameDriver, resetGPU, "gpu-xid-error"},
	{43, "GPU stopped processing", BlameNobody, "look at what came before: it follows a fault or a kill", ""},
	{45, "cleanup after a killed process", BlameNobody, "look at the first Xid: it follows another one, or a kill", ""},
	{48, "double-bit ECC error", BlameHardware, resetGPU, "gpu-ecc-error"},
	{56, "display engine error", BlameDriver, resetGPU, "gpu-xid-error"},
	{57, "memory interface could not be programmed", BlameHardware, resetGPU, "gpu-xid-error"},
	{58, "memory interface is unstable", BlameHardware, "reset the GPU; replace the board if it comes back", "gpu-xid-error"},
	{61, "microcontroller breakpoint", BlameDriver, resetGPU, "gpu-xid-error"},
	{62, "microcontroller halt", BlameHardware, resetGPU, "gpu-xid-error"},
	{63, "memory row remapped or page retired", BlameNobody, "reset the GPU at the next occasion: the memory is repaired then", "gpu-ecc-error"},
	{64, "memory row could not be remapped", BlameHardware, "reset the GPU; replace the board if it comes back", "gpu-ecc-error"},
	{68, "video processor exception", BlameHardware, resetGPU, "gpu-xid-error"},
	{69, "graphics engine class error", BlameApplication, "start the program again", "gpu-xid-error"},
	{74, "NVLink error", BlameLink, checkLinks, "nvlink-error"},
	{79, "fell off the bus", BlameHardware, rebootNode, "gpu-fell-off-bus"},
	{80, "corrupted data reached the GPU", BlameDriver, "start the program again; look at the PCIe link if it comes back", "gpu-xid-error"},
	{92, "many corrected memory errors", BlameNobody, "watch it: the memory ages", "gpu-ecc-error"},
	{94, "contained memory error", BlameHardware, "start the program again; reset the GPU soon", "gpu-ecc-error"},
	{95, "uncontained memory error", BlameHardware, resetGPU, "gpu-ecc-error"},
	{109, "context switch timeout", BlameDriver, resetGPU, "gpu-xid-error"},
	{110, "security fault", BlameHardware, resetGPU, "gpu-xid-error"},
	{119, "GSP firmware does not answer", BlameDriver, "reset the GPU; reboot the node if it comes back", "gpu-xid-error"},
	{120, "GSP firmware error", BlameDriver, "reset the GPU; reboot the node if it comes back", "gpu-xid-error"},
	{121, "C2C link error", BlameLink, "watch it: the link to the Grace CPU repeats", "gpu-xid-error"},
	{122, "the board's flash could not be read (SPI)", BlameHardware, resetGPU, "gpu-xid-error"},
	{123, "the board's flash could not be written (SPI)", BlameHardware, resetGPU, "gpu-xid-error"},
	{136, "NVLink training failed", BlameLink, checkLinks, "nvlink-error"},
	{137, "page fault of a peer over NVLink", BlameApplication, "look at the peer GPU: the fault is there", "illegal-memory-access"},
	{140, "unrecovered ECC error", BlameHardware, resetGPU, "gpu-ecc-error"},
	{143, "GPU could not be initialised", BlameHardware, resetGPU, "gpu-xid-error"},
	{144, "NVLink error (SAW)", BlameLink, checkLinks, "nvlink-error"},
	{145, "NVLink error (RLW)", BlameLink, checkLinks, "nvlink-error"},
	{146, "NVLink error (TLW)", BlameLink, checkLinks, "nvlink-error"},
	{147, "NVLink error (TREX)", BlameLink, checkLinks, "nvlink-error"},
	{148, "NVLink error (NVLPW_CTRL)", BlameLink, checkLinks, "nvlink-error"},
	{149, "NVLink error (NETIR)", BlameLink, checkLinks, "nvlink-error"},
	{150, "NVLink error (MSE)", BlameLink, checkLinks, "nvlink-error"},
	{151, "key rotation error", BlameDriver, resetGPU, "gpu-xid-error"},
	{154, "the driver wants a recovery", BlameHardware, "read what the kernel log says it wants (reset, reboot, drain), and do it", "gpu-xid-error"},
	{155, "NVLink error found by software", BlameLink, checkLinks, "nvlink-error"},
	{156, "resource retired", BlameHardware, resetGPU, "gpu-ecc-error"},
	{157, "resource could not be retired", BlameHardware, resetGPU, "gpu-ecc-error"},
	{158, "fatal timeout", BlameHardware, resetGPU, "gpu-xid-error"},
	{171, "uncorrectable DRAM error", BlameHardware, resetGPU, "gpu-ecc-error"},
	{172, "uncorrectable SRAM error", BlameHardware, resetGPU, "gpu-ecc-error"},
}
