use crate::hwstats::{GpuCollectionStats, GpuStats};
use crate::error::Error;
use std::process::Command;

/// Reads what `nvidia-smi` prints.
/// For instance:
/// ```console
/// $ nvidia-smi --format=csv,noheader --query-gpu=pci.bus_id,utilization.gpu,memory.used,memory.total
/// 00000000:C8:00.0, 0 %, 0 MiB, 6144 MiB
/// 00000000:CB:00.0, 0 %, 0 MiB, 6144 MiB
/// ```
pub fn get_nvidia_gpu_state() -> crate::Result<GpuCollectionStats> {
    let mut command = Command::new("nvidia-smi");
