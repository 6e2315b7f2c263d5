/**
 * Loaded before a process of the system (`node --import`): its wall clock goes wrong by what the file of
 * ROBUSTNESS_CLOCK_FILE says, in milliseconds. Timers and `performance.now()` go on, as they do when an operator or NTP
 * sets the time.
 */
import { readFileSync } from 'node:fs';

const rereadEveryMs = 50;
const file = process.env['ROBUSTNESS_CLOCK_FILE'];

if (file !== undefined) {
  const RealDate = Date;
  const realNow = RealDate.now.bind(RealDate);
  let offsetMs = 0;
  const reread = (): void => {
    try {
      offsetMs = Number(readFileSync(file, 'utf8')) || 0;
    } catch {
      offsetMs = 0;
    }
  };
  reread();
  setInterval(reread, rereadEveryMs).unref();
  const now = (): number => realNow() + offsetMs;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, argv: [], newTarget: typeof Date) =>
      Reflect.construct(target, argv.length === 0 ? [now()] : argv, newTarget) as Date,
    apply: () => new RealDate(now()).toString(),
    get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)) as unknown,
  });
}
