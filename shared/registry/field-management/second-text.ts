import { timeFromMs } from '#shared/apimachinery/values/time.ts';

let lastSecond = { ms: 0, text: timeFromMs(0) };

/** A time as text, to the second. Writes within one second share the string. */
export function secondText(nowMs: number): string {
  const ms = nowMs - (nowMs % 1000);
  if (lastSecond.ms !== ms) lastSecond = { ms, text: timeFromMs(ms) };
  return lastSecond.text;
}
