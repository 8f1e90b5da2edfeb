package recording

// noFollow is nothing on Windows, where only administrators make symbolic links.
const noFollow = 0
