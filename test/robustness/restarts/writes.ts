import { http1Client, type ApiClient } from '#test/api-client.ts';
import type { RestartedServer } from './restarted-server.ts';

const paths = {
  configmaps: '/api/v1/namespaces/default/configmaps',
  widgets: '/apis/example.com/v1/namespaces/default/widgets',
} as const;
const retryMs = 10;
const attemptMs = 2_000;

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    names: { kind: 'Widget', plural: 'widgets' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { value: { type: 'string' } } } },
          },
        },
      },
    ],
  },
};

/** Makes the definition, an object of each resource, and more history than a new cluster has. */
export async function prepare(server: RestartedServer, changes: number): Promise<void> {
  const client = http1Client(server);
  try {
    await must(client, 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
    await must(client, 'POST', paths.configmaps, { metadata: { name: 'changed' } });
    const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'changed' } };
    for (let tries = 0; ; tries++) {
      const { status, text } = await client.send('POST', paths.widgets, { body: widget });
      if (status === 201) break;
      if (tries === 100) throw new Error(`no widget could be created: ${status} ${text}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await must(client, 'POST', paths.configmaps, { metadata: { name: 'other', namespace: 'default' } });
    await changeOthers(server, changes);
  } finally {
    client.close();
  }
}

/** Changes an object that nobody asks about, so that storage is newer than what the reflectors have seen. */
export async function changeOthers(server: RestartedServer, changes: number): Promise<void> {
  const client = http1Client(server);
  try {
    let left = changes;
    const work = async (name: string): Promise<void> => {
      for (; left > 0; left--)
        await must(client, 'PUT', `/api/v1/namespaces/kube-system/configmaps/${name}`, {
          metadata: { name },
          data: { left: String(left) },
        });
    };
    await Promise.all(
      ['a', 'b', 'c', 'd'].map(async (name) => {
        await client.send('POST', '/api/v1/namespaces/kube-system/configmaps', { body: { metadata: { name } } });
        await work(name);
      }),
    );
  } finally {
    client.close();
  }
}

/** Writes a value to both objects as soon as the server takes it, each time by a new connection. */
export async function writeValue(server: RestartedServer, value: string): Promise<number> {
  const patches = { configmaps: { data: { value } }, widgets: { spec: { value } } };
  await Promise.all(
    (['configmaps', 'widgets'] as const).map(async (resource) => {
      for (
        const end = Date.now() + 60_000;
        !(await patched(server, `${paths[resource]}/changed`, patches[resource]));
      ) {
        if (Date.now() > end) throw new Error(`${server.name} took no write within a minute`);
        await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    }),
  );
  return Date.now();
}

async function patched(server: RestartedServer, path: string, body: unknown): Promise<boolean> {
  const client = http1Client(server);
  const timer = setTimeout(() => client.close(), attemptMs);
  const headers = { 'content-type': 'application/merge-patch+json' };
  try {
    return (await client.send('PATCH', path, { body, headers })).status === 200;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
    client.close();
  }
}

async function must(client: ApiClient, method: string, path: string, body: unknown): Promise<void> {
  const { status, text } = await client.send(method, path, { body });
  if (status > 201) throw new Error(`${method} ${path}: ${status} ${text}`);
}
