def read(path):
    """Reads what `dcgmi dmon` prints.

    Columns of -e 203,252,1001,1002,1004,150,155:

        #Entity   GPUTL   FBUSD   SMACT   SMOCC   TENSO   GPUT    POWR
        ID
        GPU 0     0       500     0.005   0.003   0.000   32      51.3

    Besides:
    - the heading has two lines
