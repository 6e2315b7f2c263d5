import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Half of what makes V8 collect its whole heap. */
const collectedBytes = 32 * 1024 * 1024;

let bytes = 0;
let collectYoung: (() => void) | undefined;

/**
 * Counts bytes in buffers that are dropped as soon as they are written. Buffers lie outside of V8's heap, which hardly
 * grows by them: 64 MiB of them count as pressure, and V8 then marks its whole heap, again and again while a large
 * answer goes out. A collection of young objects, which takes one or two milliseconds, frees them before.
 */
export function countShortLived(length: number): void {
  bytes += length;
  if (bytes < collectedBytes) return;
  bytes = 0;
  collectYoung ??= youngCollector();
  collectYoung();
}

/** V8 offers its collector to new contexts only, once it was told to. */
function youngCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as NodeJS.GCFunction;
  setFlagsFromString('--no-expose-gc');
  return () => collect({ type: 'minor' });
}
