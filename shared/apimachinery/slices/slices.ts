/** How long work may hold the event loop before it lets others run, in ms. */
export const sliceMs = 3;
const waiting: (() => void)[] = [];
let scheduled = false;
/** Until when further slices may begin in the present turn. */
let turnEnd = 0;

/**
 * Resolves when the next slice of long work may run, in the order of the calls. In one turn of the event loop slices
 * begin until they have taken {@link sliceMs} together: one slice of a long work, or many short ones.
 */
export function nextSlice(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (scheduled) return;
    scheduled = true;
    setImmediate(beginTurn);
  });
}

/** Whether long work waits for its next slice. */
export function slicesWait(): boolean {
  return waiting.length > 0;
}

function beginTurn(): void {
  turnEnd = performance.now() + sliceMs;
  beginSlice();
}

function beginSlice(): void {
  waiting.shift()?.();
  // The slice runs in microtasks, and this tick after all of them.
  queueMicrotask(() => process.nextTick(endSlice));
}

function endSlice(): void {
  if (waiting.length === 0) scheduled = false;
  else if (performance.now() < turnEnd) beginSlice();
  else setImmediate(beginTurn);
}

/**
 * Long work that yields wherever other work may run in between, and returns its result. When it runs in slices, a
 * yielded promise is awaited before the work goes on.
 */
export type Steps<T> = Generator<unknown, T>;

/** When the current slice ends; infinity for work that does not run in slices. */
let sliceEnd = Number.POSITIVE_INFINITY;

/** Whether the current steps run in slices; otherwise they can take a faster path that does not yield. */
export function isSliced(): boolean {
  return sliceEnd !== Number.POSITIVE_INFINITY;
}

/** Whether steps should yield now: for steps that are too small to yield after each of them. */
export function sliceIsOver(): boolean {
  return isSliced() && performance.now() >= sliceEnd;
}

/** Ends work that takes too long. */
export interface SliceLimit {
  /** How long the slices may take together, in ms. */
  readonly maxMs: number;
  /** Makes the error that the work then ends with. */
  readonly makeError: () => Error;
}

/**
 * Runs steps to their end in slices, so that other requests are served meanwhile; resolves with their result.
 * @throws the error of the limit, where the slices take longer than it allows
 */
export async function inSlices<T>(steps: Steps<T>, limit?: SliceLimit): Promise<T> {
  let worked = 0;
  for (let end = performance.now() + sliceMs; ;) {
    const step = advance(steps, end);
    if (step.done === true) return step.value;
    const now = performance.now();
    if (!(step.value instanceof Promise) && now < end) continue;
    worked += now - end + sliceMs;
    if (limit !== undefined && worked > limit.maxMs) {
      steps.return(undefined as never);
      throw limit.makeError();
    }
    if (step.value instanceof Promise) await step.value;
    await nextSlice();
    end = performance.now() + sliceMs;
  }
}

/** Steps that have their result already. */
// eslint-disable-next-line require-yield -- there is nothing to do
export function* doneWith<T>(value: T): Steps<T> {
  return value;
}

/** Runs steps to their end at once. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = advance(steps, Number.POSITIVE_INFINITY);
    if (step.done === true) return step.value;
  }
}

/**
 * Runs steps at once up to the first promise that they yield, and in slices from there on: for short steps that seldom
 * wait.
 */
export function atOnceUntilWait<T>(steps: Steps<T>): T | Promise<T> {
  for (;;) {
    const step = advance(steps, Number.POSITIVE_INFINITY);
    if (step.done === true) return step.value;
    if (step.value instanceof Promise) return step.value.then(() => inSlices(steps));
  }
}

/**
 * Waits, within steps, until a promise is settled. The steps must run in slices or by {@link atOnceUntilWait}.
 * @throws the reason of a rejected promise
 */
export function* waitFor<T>(promise: Promise<T>): Steps<T> {
  let settled: (() => T) | undefined;
  yield promise.then(
    (value) => {
      settled = () => value;
    },
    (reason: unknown) => {
      settled = () => {
        throw reason;
      };
    },
  );
  if (settled === undefined) throw new Error('steps that wait for a promise cannot run at once');
  return settled();
}

/** Runs steps, and yields `pause` after each `pauseMs` of work, for a caller that slices the work itself. */
export function* paced<T, Y>(steps: Steps<T>, pauseMs: number, pause: Y): Generator<Y, T> {
  for (;;) {
    const step = advance(steps, performance.now() + pauseMs);
    if (step.done === true) return step.value;
    yield pause;
  }
}

/** Steps may run other steps inside them, so the end of the slice is restored afterwards. */
function advance<T>(steps: Steps<T>, end: number): IteratorResult<unknown, T> {
  const before = sliceEnd;
  sliceEnd = end;
  try {
    return steps.next();
  } finally {
    sliceEnd = before;
  }
}
