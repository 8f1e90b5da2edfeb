    /**
     * What dmon prints
     * namely:
     * # gpu    pwr  gtemp  mtemp     sm    mem    enc    dec    jpg    ofa     fb   bar1   ccpm
     * # Idx      W      C      C      %      %      %      %      %      %     MB     MB     MB
     *     0    117     45      -     13      6      0      0      0      0   2847     39      0
     *
     * @param {string} stdout - Command output
     * @returns {Object|null} {gpu: number, mem: number, temp: number} or null
     */
