import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import type { ApiClient } from '#servers/controllers/client/api-client.ts';
import type { ManifestObject } from './read-manifests.ts';

const everyMs = 20;
const withinMs = 10_000;
const connectWithinMs = 1_000;

interface ClientConfig {
  readonly url?: string;
  readonly service?: { readonly namespace: string; readonly name: string; readonly port?: number };
}

interface Webhook {
  readonly name: string;
  readonly clientConfig?: ClientConfig;
}

/** Where a webhook is called. */
interface Target {
  readonly webhook: string;
  readonly config: ClientConfig;
}

interface Address {
  readonly host: string;
  readonly port: number;
}

/**
 * Resolves when the servers of webhooks among the objects accept a TLS connection: each at its URL, or one of the
 * endpoints of its Service.
 * @throws Error (as a rejection) that names one that does not within 10 s
 */
export async function untilWebhooksAnswer(client: ApiClient, objects: readonly ManifestObject[]): Promise<void> {
  await Promise.all(objects.flatMap(targetsOf).map((target) => untilAnswers(client, target)));
}

function targetsOf(object: ManifestObject): readonly Target[] {
  if (object.apiVersion === 'apiextensions.k8s.io/v1' && object.kind === 'CustomResourceDefinition') {
    const { conversion } = (object['spec'] ?? {}) as {
      readonly conversion?: { readonly webhook?: { readonly clientConfig?: ClientConfig } };
    };
    const config = conversion?.webhook?.clientConfig;
    return config === undefined ? [] : [{ webhook: `conversion of ${object.metadata.name}`, config }];
  }
  if (!/^(?:Mutating|Validating)WebhookConfiguration$/.test(object.kind)) return [];
  const { webhooks = [] } = object as { readonly webhooks?: readonly Webhook[] };
  return webhooks.flatMap(({ name, clientConfig }) =>
    clientConfig === undefined ? [] : [{ webhook: name, config: clientConfig }],
  );
}

async function untilAnswers(client: ApiClient, { webhook, config }: Target): Promise<void> {
  const endMs = performance.now() + withinMs;
  for (;;) {
    const addresses = await addressesOf(client, config);
    let why = 'its Service has no ready endpoints';
    for (const address of addresses) {
      const error = await connectTo(address);
      if (error === undefined) return;
      why = error.message;
    }
    if (performance.now() > endMs)
      throw new Error(
        `webhook ${webhook} does not answer at ${config.url ?? `Service ${config.service?.namespace}/${config.service?.name}`} (${why}): start its server, and make the Service's EndpointSlice, before it is applied`,
      );
    await sleep(everyMs);
  }
}

async function addressesOf(client: ApiClient, { url, service }: ClientConfig): Promise<readonly Address[]> {
  if (url !== undefined) {
    const { hostname, port } = new URL(url);
    return [{ host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? 443 : Number(port) }];
  }
  if (service === undefined) return [];
  const { namespace, name, port = 443 } = service;
  const { items } = await client.send<{ readonly items: readonly Slice[] | null }>({
    path: `/apis/discovery.k8s.io/v1/namespaces/${encodeURIComponent(namespace)}/endpointslices?labelSelector=kubernetes.io%2Fservice-name%3D${encodeURIComponent(name)}`,
  });
  const portName = await portNameOf(client, namespace, name, port);
  return (items ?? []).flatMap(({ endpoints, ports }) => {
    const own = (ports ?? []).find(({ name: of = '' }) => of === portName);
    if (own?.port === undefined) return [];
    const { port: number } = own;
    return (endpoints ?? [])
      .filter(({ conditions }) => conditions?.ready !== false)
      .flatMap(({ addresses }) => addresses.map((host) => ({ host, port: number })));
  });
}

interface Slice {
  readonly endpoints?:
    | readonly { readonly addresses: readonly string[]; readonly conditions?: { readonly ready?: boolean } }[]
    | null;
  readonly ports?: readonly { readonly name?: string; readonly port?: number }[] | null;
}

/** Endpoints name their ports as the Service does. */
async function portNameOf(client: ApiClient, namespace: string, name: string, port: number): Promise<string> {
  const { items } = await client.send<{ readonly items: readonly ServiceObject[] | null }>({
    path: `/api/v1/namespaces/${encodeURIComponent(namespace)}/services?fieldSelector=metadata.name%3D${encodeURIComponent(name)}`,
  });
  return items?.[0]?.spec?.ports?.find((each) => each.port === port)?.name ?? '';
}

interface ServiceObject {
  readonly spec?: { readonly ports?: readonly { readonly name?: string; readonly port: number }[] };
}

/** The certificate is not looked at: the API server does that. */
function connectTo({ host, port }: Address): Promise<Error | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, rejectUnauthorized: false }, () => {
      socket.destroy();
      resolve(undefined);
    });
    socket.setTimeout(connectWithinMs, () => socket.destroy(new Error(`${host}:${port} is silent`)));
    socket.once('error', resolve);
  });
}
