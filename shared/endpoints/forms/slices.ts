const waiting: (() => void)[] = [];
let scheduled = false;

/** Resolves when the next slice of long work may run: one in each turn of the event loop, whoever waits, in order. */
export function nextSlice(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    schedule();
  });
}

function schedule(): void {
  if (scheduled) return;
  scheduled = true;
  setImmediate(() => {
    scheduled = false;
    waiting.shift()?.();
    if (waiting.length > 0) schedule();
  });
}
