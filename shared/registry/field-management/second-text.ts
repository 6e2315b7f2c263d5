import { timeFromMs } from '../../apimachinery/time.ts';

let lastSecond = { ms: 0, text: timeFromMs(0) };

/** Writes of one second share its text. */
export function secondText(nowMs: number): string {
  const ms = nowMs - (nowMs % 1000);
  if (lastSecond.ms !== ms) lastSecond = { ms, text: timeFromMs(ms) };
  return lastSecond.text;
}
