import { once } from 'node:events';
import { Agent, request, type RequestOptions } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

const readyWithinMs = 10_000;
const goneWithinMs = 10_000;
const comparedHeaders = [
  'content-type',
  'content-length',
  'retry-after',
  'connection',
  'x-content-type-options',
  'cache-control',
];

interface Seen {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/**
 * Ends the process while the body of a create is on its way; what others are told meanwhile, what the create is told,
 * and then.
 */
export async function endDuringRequest(url: string, token: string, pid: number): Promise<Record<string, unknown>> {
  const authorization = { authorization: `Bearer ${token}` };
  const create = request(`${url}/api/v1/namespaces/default/configmaps`, {
    method: 'POST',
    rejectUnauthorized: false,
    agent: false,
    headers: { ...authorization, 'content-type': 'application/json' },
  });
  const created = once(create, 'response');
  create.write('{"metadata":{"generateName":"a-"}');
  // Its head is with the server when another request that came later is answered.
  await ask(url, '/version', authorization);
  process.kill(pid, 'SIGTERM');
  const refused = await until(
    () => ask(url, '/version', authorization),
    ({ status }) => status !== 200,
  );
  const others: Record<string, unknown> = { refused };
  for (const path of ['/livez', '/readyz', '/healthz', '/metrics'])
    others[path] = (await ask(url, path, authorization)).status;
  others['another kind of request'] = await ask(url, '/api/v1/namespaces/default/configmaps', authorization);
  create.end('}');
  const [answer] = (await created) as [{ statusCode?: number; resume(): void }];
  answer.resume();
  // A connection that was taken in the last moment is reset: only the answers after that moment are no matter of
  // chance.
  const gone = await until(
    () =>
      ask(url, '/version', authorization).then(
        () => 'still there',
        (error: NodeJS.ErrnoException) => error.code ?? '',
      ),
    (code) => code === 'ECONNREFUSED',
    goneWithinMs,
  );
  return { others, create: answer.statusCode, gone };
}

async function ask(url: string, path: string, headers: RequestOptions['headers']): Promise<Seen> {
  // A connection of its own: the question is whether there are new ones.
  const sent = request(`${url}${path}`, { rejectUnauthorized: false, agent: new Agent(), headers }).end();
  const [answer] = await once(sent, 'response');
  let text = '';
  for await (const chunk of answer) text += String(chunk);
  return {
    status: answer.statusCode,
    headers: Object.fromEntries(comparedHeaders.map((name) => [name, answer.headers[name]])),
    text,
  };
}

async function until<T>(probe: () => Promise<T>, isThere: (value: T) => boolean, withinMs = readyWithinMs): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const value = await probe();
    if (isThere(value) || performance.now() > deadline) return value;
    await sleep(20);
  }
}
