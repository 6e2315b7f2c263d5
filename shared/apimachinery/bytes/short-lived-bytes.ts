/** Half of what makes V8 collect its whole heap. */
const collectedBytes = 32 * 1024 * 1024;

let bytes = 0;

/**
 * Counts bytes in buffers that are dropped as soon as they are written. Buffers lie outside of V8's heap, which hardly
 * grows by them: 64 MiB of them count as pressure, and V8 then marks its whole heap, again and again while a large
 * answer goes out. A collection of young objects, which takes one or two milliseconds, frees them before. Nothing
 * happens in a process without `--expose-gc` (servers/launcher/node-flags.ts).
 */
export function countShortLived(length: number): void {
  bytes += length;
  if (bytes < collectedBytes) return;
  bytes = 0;
  globalThis.gc?.({ type: 'minor' });
}
