import { setTimeout as delay } from 'node:timers/promises';
import type { Server } from '#test/compare/exchange.ts';
import { definitions, type Seed } from './seeds.ts';

/** Namespaces with a service account, and the custom kinds. */
export async function prepare(server: Server, seeds: readonly Seed[]): Promise<void> {
  const post = (path: string, object: unknown) =>
    server.send({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(object),
    });
  for (const namespace of new Set(seeds.map((seed) => seed.namespace).filter((name) => name !== ''))) {
    await post('/api/v1/namespaces', { metadata: { name: namespace } });
    await post(`/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name: 'default' } });
  }
  for (const definition of definitions())
    await post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
  for (const { path } of seeds) await served(server, path);
}

/** Definitions are served some time after they were made. */
async function served(server: Server, path: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const { status } = await server.send({ method: 'GET', path: `${path}?limit=1`, headers: {}, body: undefined });
    if (status === 200) return;
    await delay(100);
  }
  throw new Error(`${path} is not served`);
}
