import { hostileBody, hostilePatches, smallBody, type HostileObject } from './hostile-object.ts';
import type { LongestTurn, Target } from './target.ts';

/** What one request of an attack came to. */
export interface Step {
  readonly what: 'create' | 'create of less' | 'json' | 'merge' | 'strategic' | 'apply';
  readonly status: number | string;
  readonly answerBytes: number;
  readonly tookMs: number;
  readonly cpuMs: number;
  /** The longest that another client waited for a GET of core and of extensions. */
  readonly longestWaitMs: number;
  readonly longestTurn: LongestTurn | undefined;
  readonly failures: readonly string[];
  readonly message: string;
  readonly sentBytes: number;
}

/** Of the bodies that are sent, unless told otherwise. */
export const usualBytes = 2_900_000;
/** What storage takes, so that there is something large to patch. */
const storedBytes = 900_000;
const patienceMs = 120_000;

export interface PlayOptions {
  /** For the name of the object. */
  readonly number: number;
  readonly bytes: number;
  readonly onWaits: (waits: readonly number[]) => void;
  /** Requests that are made, and those that made the object elsewhere, if not all are. */
  readonly only?: ReadonlySet<Step['what']>;
}

/** Creates a hostile object and patches it, or a smaller one, in the four ways; then removes it. */
export async function play(
  target: Target,
  object: HostileObject,
  { number, bytes: hostileBytes, onWaits, only }: PlayOptions,
): Promise<Step[]> {
  const name = object.fixedName ?? `hostile-${number}`;
  const path = `${object.collection}/${name}`;
  const query = object.query === undefined ? '' : `?${object.query}`;
  const steps: Step[] = [];
  const send = async (
    what: Step['what'],
    method: string,
    at: string,
    contentType: string,
    body: string,
  ): Promise<Step> => {
    for (const other of target.others) await other.take();
    await target.takeLongestTurn();
    const [cpu, began] = [target.cpuMs(), performance.now()];
    const client = target.connect();
    const answer = await within(client.send(method, at, { body, headers: { 'content-type': contentType } }));
    client.close();
    const tookMs = performance.now() - began;
    const waits = await Promise.all(target.others.map((other) => other.take()));
    for (const { all } of waits) onWaits(all);
    const step: Step = {
      what,
      tookMs,
      cpuMs: target.cpuMs() - cpu,
      longestTurn: await target.takeLongestTurn(),
      status: typeof answer === 'string' ? answer : answer.status,
      answerBytes: typeof answer === 'string' ? 0 : answer.bytes.length,
      longestWaitMs: Math.max(...waits.map(({ longestMs }) => longestMs)),
      failures: waits.flatMap(({ failures }) => failures),
      sentBytes: body.length,
      message: typeof answer === 'string' || answer.status < 300 ? '' : answer.bytes.subarray(0, 400).toString(),
    };
    steps.push(step);
    return step;
  };
  const asked = (what: Step['what']): boolean => only === undefined || only.has(what);
  const create = (what: Step['what'], bytes: number): Promise<Step> =>
    send(what, 'POST', object.collection + query, 'application/json', hostileBody(object, name, bytes));
  let made = asked('create') ? await create('create', hostileBytes) : undefined;
  if (made?.status !== 201 && asked('create of less'))
    made = await create('create of less', Math.min(storedBytes, hostileBytes));
  const admin = target.connect();
  if (made?.status !== 201)
    await admin.send('POST', object.collection, { body: smallBody(object, name) }).catch(() => undefined);
  for (const patch of hostilePatches(object, name, hostileBytes).filter((patch) => asked(patch.name))) {
    const all = [object.query, patch.query].filter((part) => part !== undefined && part !== '').join('&');
    await send(patch.name, 'PATCH', all === '' ? path : `${path}?${all}`, patch.contentType, patch.body);
  }
  await admin
    .send('PATCH', path, {
      body: '{"metadata":{"finalizers":null}}',
      headers: { 'content-type': 'application/merge-patch+json' },
    })
    .catch(() => undefined);
  await admin.send('DELETE', `${path}?gracePeriodSeconds=0`).catch(() => undefined);
  admin.close();
  return steps;
}

async function within<T>(answer: Promise<T>): Promise<T | string> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<string>(
    (resolve) => (timer = setTimeout(() => resolve('no answer in time'), patienceMs)),
  );
  try {
    return await Promise.race([
      answer.catch((error: unknown) => (error instanceof Error ? error.message : String(error))),
      timeout,
    ]);
  } finally {
    clearTimeout(timer);
  }
}
