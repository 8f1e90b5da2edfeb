def test_read(tmp_path):
    p = tmp_path / "gpu.csv"
    p.write_text(
        "timestamp, memory.used [MiB], power.draw [W], utilization.gpu [%], temperature.gpu\n"
        "2026/10/09 15:00:00.000, 1000 MiB, 30.00 W, 0 %, 40\n"
        "2026/10/09 15:00:01.000, 5000 MiB, 300.00 W, 90 %, 60\n"
        "2026/10/09 15:00:02.000, 4000 MiB, 270.00 W, 80 %, 61\n")
    s = read(p)
    assert s["samples"] == 3 and s["peak_mem_mib"] == 5000 and s["idle_mem_mib"] == 1000
