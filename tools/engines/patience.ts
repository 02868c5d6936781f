// How long tests wait for a program or a condition.

/** In milliseconds. Only failing tests wait this long, so it is enough for a busy computer. */
export const patienceMs = 240_000;
