# Stands for nvidia-smi 590.48.01 on an H100, by what NVIDIA's own printed
# (sources/metrics/testdata/nvsmi-*-h100*): the file gpu has the UUID, the bus,
# the use and the power of the one board there is.
read -r uuid bus use power < "$HOME/gpu"
case "$*" in
--query-gpu=*)
  echo "index, uuid, name, pci.bus_id, utilization.gpu [%], memory.used [MiB], memory.total [MiB], temperature.gpu, power.draw [W], power.limit [W], clocks.current.sm [MHz]"
  echo "0, $uuid, NVIDIA H100 80GB HBM3, $bus, $use %, 20130 MiB, 81559 MiB, 54, $power W, 700.00 W, 1755 MHz" ;;
--query-compute-apps=*)
  echo "gpu_uuid, pid, process_name, used_gpu_memory [MiB]"
  echo "$uuid, 11327, /usr/bin/python3, 20120 MiB" ;;
dmon*)
  echo "# gpu    pwr  gtemp  mtemp     sm    mem    enc    dec    jpg    ofa   mclk   pclk"
  echo "# Idx      W      C      C      %      %      %      %      %      %    MHz    MHz"
  for i in 1 2 3 4 5; do
    echo "    0    ${power%.*}     54     61     $use     12      0      0      0      0   2619   1755"
    sleep 1
  done ;;
"topo -m")
  printf '\tGPU0\tNIC0\tNIC1\tCPU Affinity\tNUMA Affinity\n'
  printf 'GPU0\t X \tPIX\tSYS\t0-47\t0\nNIC0\tPIX\t X \tSYS\nNIC1\tSYS\tSYS\t X \n\n'
  printf 'Legend:\n\n  X    = Self\n  SYS  = Connection traversing PCIe as well as the SMP interconnect between NUMA nodes\n  PIX  = Connection traversing at most a single PCIe bridge\n' ;;
*)
  echo "+-----------------------------------------------------------------------------------------+"
  echo "| NVIDIA-SMI 590.48.01              Driver Version: 590.48.01      CUDA Version: 13.1     |"
  echo "+-----------------------------------------+------------------------+----------------------+"
  echo "| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |"
  echo "| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |"
  echo "|=========================================+========================+======================|"
  printf "|   0  NVIDIA H100 80GB HBM3          On  |   %16s Off |                    0 |\n" "$bus"
  printf "| N/A   54C    P0            %4sW /  700W |   20130MiB /  81559MiB |    %3s%%      Default |\n" "${power%.*}" "$use"
  echo "+-----------------------------------------+------------------------+----------------------+" ;;
esac
