// What the check of wall-clock.ts finds and what it lets pass: check.test.ts compares with the marks.

export function clocks(text: string): unknown[] {
  const startedMs = Date.now(); // found
  const monotonicMs = performance.now();
  const clock = { now: Date.now }; // found
  return [
    clock.now() - startedMs,
    performance.now() - monotonicMs,
    performance.timeOrigin + monotonicMs, // found
    new Date(), // found
    Date(), // found
    new Date(text),
    Date.parse(text),
  ];
}
