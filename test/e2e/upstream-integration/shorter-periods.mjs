// Preloaded into the servers of a test that shortens periods of the reference in its own process: timers here of the
// usual length run for the other one. SHORTER_PERIODS holds milliseconds by milliseconds, as JSON; for a period that
// differs each time by the shortest and the longest (`300001-450000`), of which the first becomes the other one.
const shorter = Object.entries(JSON.parse(process.env['SHORTER_PERIODS'] ?? '{}')).map(([usual, ms]) => {
  const [first, last = first] = usual.split('-').map(Number);
  return { first, last, ms };
});
const { setTimeout } = globalThis;

function periodOf(ms) {
  const found = shorter.find(({ first, last }) => ms >= first && ms <= last);
  return found === undefined ? ms : (ms * found.ms) / found.first;
}

globalThis.setTimeout = Object.assign((work, ms, ...given) => setTimeout(work, periodOf(ms), ...given), setTimeout);
