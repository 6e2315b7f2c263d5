import { setTimeout as sleep } from 'node:timers/promises';
import { sendJson as send, type Server } from '#test/compare/exchange.ts';

/** A kind whose object `b` is broken in storage. */
export interface BrokenKind {
  readonly name: string;
  /** Of the collection. */
  readonly path: string;
  /** Of the object in storage, without the prefix. */
  readonly key: string;
  readonly object: (name: string) => object;
}

export const kinds: readonly BrokenKind[] = [
  {
    name: 'pod templates',
    path: '/api/v1/namespaces/default/podtemplates',
    key: '/podtemplates/default/b',
    object: (name) => ({ metadata: { name }, template: { spec: { containers: [{ name: 'c', image: 'i' }] } } }),
  },
  {
    name: 'custom resources',
    path: '/apis/example.com/v1/namespaces/default/widgets',
    key: '/example.com/widgets/default/b',
    object: (name) => ({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name } }),
  },
];

/** Resolves when custom resources are served. */
export async function makeDefinition(server: Server): Promise<void> {
  await send(server, 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  });
  const path = '/apis/example.com/v1/namespaces/default/widgets';
  while ((await send(server, 'GET', path)).status !== 200) await sleep(100);
}
