import { setTimeout as delay } from 'node:timers/promises';
import type { Server } from './play.ts';
import { definition, type Seed } from './seeds.ts';

/** Namespaces with a service account, and the custom kind. */
export async function prepare(server: Server, seeds: readonly Seed[]): Promise<void> {
  const post = (path: string, object: unknown) => server.send({ method: 'POST', path, headers: { 'content-type': 'application/json' }, body: JSON.stringify(object) });
  for (const namespace of new Set(seeds.map((seed) => seed.namespace).filter((name) => name !== ''))) {
    await post('/api/v1/namespaces', { metadata: { name: namespace } });
    await post(`/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name: 'default' } });
  }
  await post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
  const things = seeds.find(({ object }) => object.kind === 'Thing');
  for (let attempt = 0; attempt < 100; attempt++) {
    const { status } = await server.send({ method: 'GET', path: things?.path ?? '', headers: {}, body: undefined });
    if (status === 200) return;
    await delay(100);
  }
  throw new Error('the custom kind is not served');
}
