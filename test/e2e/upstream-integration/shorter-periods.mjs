// Preloaded into the servers of a test that shortens periods of the reference in its own process: timers here of the
// usual length run for the other one. SHORTER_PERIODS holds milliseconds by milliseconds, as JSON.
const shorter = new Map(
  Object.entries(JSON.parse(process.env['SHORTER_PERIODS'] ?? '{}')).map(([from, to]) => [Number(from), to]),
);
const { setTimeout } = globalThis;
globalThis.setTimeout = Object.assign(
  (work, ms, ...given) => setTimeout(work, shorter.get(ms) ?? ms, ...given),
  setTimeout,
);
