/** An object that is called as time passes. */
export interface Ticking {
  /** Called about once a second, with the monotonic time (`performance.now`); returns false to stop the calls. */
  tick(nowMs: number): boolean;
}

const intervalMs = 1000;

const ticking = new Set<Ticking>();
let timer: NodeJS.Timeout | undefined;

/** One timer for the timeouts and bookmarks of all watches: thousands of idle watches cost next to nothing. */
export function startTicking(item: Ticking): void {
  ticking.add(item);
  timer ??= setInterval(tickAll, intervalMs).unref();
}

export function stopTicking(item: Ticking): void {
  ticking.delete(item);
  if (ticking.size === 0 && timer !== undefined) {
    clearInterval(timer);
    timer = undefined;
  }
}

function tickAll(): void {
  const nowMs = performance.now();
  for (const item of ticking) if (!item.tick(nowMs)) stopTicking(item);
}
