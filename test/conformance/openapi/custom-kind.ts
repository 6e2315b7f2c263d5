import { setTimeout as sleep } from 'node:timers/promises';
import type { Pair } from '#test/compare/pair.ts';
import type { JsonClient } from '#test/json-client.ts';

const replicas = { type: 'object', properties: { replicas: { type: 'integer', description: 'How many.' } } };
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'apples.fruit.example' },
  spec: {
    group: 'fruit.example',
    scope: 'Namespaced',
    names: { plural: 'apples', kind: 'Apple' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            description: 'An apple.',
            properties: { spec: replicas, status: replicas },
          },
        },
      },
    ],
  },
};
const patienceMs = 30_000;

/** Creates a custom kind with subresources on both servers, and returns when both have its documents. */
export async function createCustomKind({ ours, theirs }: Pair): Promise<void> {
  await Promise.all(
    [ours.json, theirs.json].map(async (client) => {
      const { status } = await client.call(
        'POST',
        '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
        definition,
      );
      if (status !== 201) throw new Error(`the definition was answered with ${status}`);
      for (const end = Date.now() + patienceMs; !(await hasDocuments(client)); await sleep(200))
        if (Date.now() > end) throw new Error(`there is no document of fruit.example after ${patienceMs} ms`);
    }),
  );
}

async function hasDocuments(client: JsonClient): Promise<boolean> {
  const { paths } = (await client.call('GET', '/openapi/v3')).body as { paths: object };
  const { definitions } = (await client.call('GET', '/openapi/v2')).body as { definitions: object };
  return 'apis/fruit.example/v1' in paths && 'example.fruit.v1.Apple' in definitions;
}
