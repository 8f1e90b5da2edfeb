def parse_dcgm_log(log_path: Path) -> pd.DataFrame:
    """Parse the tabular output of `dcgmi dmon`.

    Layout (7 data columns requested with -e 203,252,1001,1002,1004,150,155):

        #Entity   GPUTL   FBUSD   SMACT   SMOCC   TENSO   GPUT    POWR
        ID
        GPU 0     0       500     0.005   0.003   0.000   32      51.3

    A couple of quirks:
    - The header is split over two lines (real header + "ID" on its own line).
