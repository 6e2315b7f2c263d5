import { setTimeout as sleep } from 'node:timers/promises';
import { JsonClient } from '#test/json-client.ts';
import { everyMs, type Target } from './target.ts';

const paths = [
  '/api/v1/namespaces/default/endpoints/kubernetes',
  '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes',
];
const shown = ['subsets', 'addressType', 'endpoints', 'ports'];

/** Reads the endpoints of the `kubernetes` Service, as long as anybody may. */
export async function probeServiceEndpoints({ url, token, timeline, over }: Target): Promise<void> {
  const { port } = new URL(url);
  while (!over.aborted) {
    const client = new JsonClient(url, token);
    const readAtMs = performance.now();
    const objects = paths.map(async (path) => await client.call('GET', path));
    const texts = await Promise.all(objects).then(
      (answers) => answers.map(({ status, body }) => (status === 200 ? partsOf(body as object) : String(status))),
      () => ['no connection'],
    );
    timeline.note('endpoints of the Service', texts.join(' ').replaceAll(port, 'PORT'), readAtMs);
    await client.close();
    await sleep(everyMs);
  }
}

function partsOf(object: object): string {
  return JSON.stringify(Object.fromEntries(Object.entries(object).filter(([key]) => shown.includes(key))));
}
