/**
 * Loaded before the servers (`node --import`): their wall clock runs slower than time does. Managed fields are ordered
 * by times of whole seconds and only then by manager, so recorded requests that fell into one second there have to fall
 * into one second here, however busy the machine is. Timers and `performance.now()` go on as they are.
 */
const slowness = 20;

const RealDate = Date;
const realNow = RealDate.now.bind(RealDate);
// Each process begins at the same moment of its second, so that two processes differ by little.
const began = realNow();
const now = (): number => began - (began % 1_000) + Math.floor((realNow() - began) / slowness);

globalThis.Date = new Proxy(RealDate, {
  construct: (target, argv: [], newTarget: typeof Date) =>
    Reflect.construct(target, argv.length === 0 ? [now()] : argv, newTarget) as Date,
  apply: () => new RealDate(now()).toString(),
  get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)) as unknown,
});
