import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { request, type RequestOptions } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';

const events = '/api/v1/namespaces/default/events';
const watchSeconds = 8;
/** Of a server with `--event-ttl` of {@link eventTtl}. */
const ttlMs = 10_000;
export const eventTtl = '10s';
/** The store looks every half a second for leases that have ended. A busy machine takes longer. */
const slackMs = 5_000;

/**
 * Sets the clock of a server while watches and Events count down. Rejects when one of them ends at another time than it
 * should: a watch of eight seconds that is open then, and two Events, the second of which may share the lease of the
 * first.
 */
export async function countDown(kubeconfig: string, setClock: () => void): Promise<void> {
  const client = new KubeconfigClient(kubeconfig);
  const startedMs = performance.now();
  const watched = client.send('GET', `/api/v1/namespaces?watch=true&timeoutSeconds=${watchSeconds}`);
  const first = await makeEvent(client, 'first');
  // libfaketime looks at its file once a second.
  await pause(500);
  setClock();
  await watched;
  const watchMs = performance.now() - startedMs;
  assert.ok(
    watchMs >= watchSeconds * 1000 - 100 && watchMs < watchSeconds * 1000 + slackMs,
    `a watch of ${watchSeconds} s ended after ${Math.round(watchMs)} ms`,
  );
  const second = await makeEvent(client, 'second');
  await Promise.all([first, second].map((event) => event.judgeEnd()));
}

async function makeEvent(client: KubeconfigClient, name: string): Promise<{ judgeEnd(): Promise<void> }> {
  const madeMs = performance.now();
  const { status, text } = await client.send('POST', events, {
    metadata: { name },
    involvedObject: { kind: 'Namespace', name: 'default', namespace: 'default' },
  });
  assert.equal(status, 201, text);
  return {
    async judgeEnd() {
      for (;;) {
        const { status: found } = await client.send('GET', `${events}/${name}`);
        const ageMs = performance.now() - madeMs;
        if (found === 404) return assert.ok(ageMs >= ttlMs - 100, `the ${name} Event is gone after ${ageMs} ms`);
        assert.ok(ageMs < ttlMs + slackMs, `the ${name} Event is there after ${ageMs} ms`);
        await pause(100);
      }
    },
  };
}

/** Sends requests with the certificates of a kubeconfig that the launcher wrote. */
class KubeconfigClient {
  readonly #server: string;
  readonly #options: RequestOptions;

  constructor(kubeconfig: string) {
    const text = readFileSync(kubeconfig, 'utf8');
    const member = (name: string): string => new RegExp(`^ *${name}: (.+)$`, 'm').exec(text)?.[1] ?? '';
    const data = (name: string): Buffer => Buffer.from(member(`${name}-data`), 'base64');
    this.#server = member('server');
    this.#options = {
      ca: data('certificate-authority'),
      cert: data('client-certificate'),
      key: data('client-key'),
      agent: false,
    };
  }

  send(method: string, path: string, body?: object): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json' };
      request(`${this.#server}${path}`, { ...this.#options, method, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (more: string) => (text += more));
        response.on('error', reject).on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      })
        .on('error', reject)
        .end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
}
