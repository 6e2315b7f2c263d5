import { setTimeout as sleep } from 'node:timers/promises';
import { http1Client, type Answer, type ApiClient, type SendOptions } from '#test/api-client.ts';
import type { Setup } from '#test/robustness/setups/setup.ts';
import { widgetDefinition } from '#test/robustness/workload/resources.ts';
import type { NewObject } from './rules.ts';
import { namespace, writeKinds } from './write-kinds.ts';

const pollMs = 20;
const patienceMs = 60_000;

export function clientsOf(setup: Setup): ApiClient[] {
  return setup.addresses.map((address) => http1Client(address));
}

/** Sends what must succeed. @throws with the answer of the server */
export async function must(
  client: ApiClient,
  method: string,
  path: string,
  options: SendOptions = {},
): Promise<Answer> {
  const answer = await client.send(method, path, options);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer;
}

export async function create(client: ApiClient, objects: readonly NewObject[]): Promise<void> {
  for (const { path, body } of objects) await must(client, 'POST', path, { body });
}

export async function mergePatch(client: ApiClient, path: string, body: object): Promise<void> {
  await must(client, 'PATCH', path, { body, headers: { 'content-type': 'application/merge-patch+json' } });
}

/** Waits until a condition holds. */
export async function until(what: string, condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!(await condition().catch(() => false))) {
    if (performance.now() > deadline) throw new Error(`waited for ${patienceMs} ms: ${what}`);
    await sleep(pollMs);
  }
}

/** Waits until every gateway lists every resource of the suite. */
export async function untilServed(clients: readonly ApiClient[]): Promise<void> {
  for (const client of clients)
    for (const { name, path } of writeKinds)
      await until(`${name} are served`, async () => (await client.send('GET', `${path}?limit=1`)).status === 200);
}

/** Makes the namespace and the custom resource of the suite. */
export async function prepareCluster(setup: Setup, clients: readonly ApiClient[]): Promise<void> {
  await Promise.all(setup.processes.map((process) => process.ready()));
  const [client] = clients;
  if (client === undefined) throw new Error('there is no gateway');
  await must(client, 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: widgetDefinition });
  await must(client, 'POST', '/api/v1/namespaces', { body: { metadata: { name: namespace } } });
  await untilServed(clients);
}
