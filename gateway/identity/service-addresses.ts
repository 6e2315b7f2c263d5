import { isDeepStrictEqual } from 'node:util';
import type { InternalAnswer } from '#gateway/proxy/internal-request.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { SendToCore } from './identity-lease.ts';

const name = 'kubernetes';
const namespace = 'default';
const endpoints = '/api/v1/namespaces/default/endpoints';
const slices = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';
const notFound = 404;
/** Another server wrote, created or deleted the object in between. */
const raceStatuses: ReadonlySet<number> = new Set([notFound, 409]);
const attempts = 5;

/** An address of an API server behind the `kubernetes` Service. */
export interface ApiServerAddress {
  readonly ip: string;
  readonly port: number;
}

/**
 * Adds an address to the endpoints of the Service, for `--endpoint-reconciler-type=master-count`. Of more than `count`
 * those behind the own one go, so that servers that end are forgotten and all servers agree at last
 * (`pkg/controlplane/reconcilers/instancecount.go`). Throws if the core server refuses.
 */
export async function addAddress(send: SendToCore, { ip, port }: ApiServerAddress, count: number): Promise<void> {
  await setAddresses(send, port, (present) => {
    const all = [...new Set([...(present ?? []), ip])].toSorted();
    while (all.length > count && all.length > 1) all.splice((all.indexOf(ip) + 1) % all.length, 1);
    return all;
  });
}

/** Takes an address out of the endpoints. The last one leaves no ports either. Throws if the core server refuses. */
export async function removeAddress(send: SendToCore, { ip, port }: ApiServerAddress): Promise<void> {
  await setAddresses(send, port, (present) => present?.filter((other) => other !== ip));
}

/** `next` says what to write; undefined: nothing. */
type Change<T> = (present: T | undefined) => T | undefined;

async function setAddresses(send: SendToCore, port: number, next: Change<string[]>): Promise<void> {
  const ports = [{ name: 'https', port, protocol: 'TCP' }];
  let addresses: string[] | undefined;
  await write(send, endpoints, (present) => {
    addresses = next(present && addressesOf(present));
    if (addresses === undefined) return undefined;
    const subsets = addresses.length === 0 ? [] : [{ addresses: addresses.map((ip) => ({ ip })), ports }];
    return {
      ...(present ?? { apiVersion: 'v1', kind: 'Endpoints' }),
      metadata: labelled(present, { 'endpointslice.kubernetes.io/skip-mirror': 'true' }),
      subsets,
    };
  });
  if (addresses !== undefined) await write(send, slices, (present) => sliceOf(present, addresses ?? [], ports));
}

function sliceOf(present: KubeObject | undefined, addresses: readonly string[], ports: object[]): KubeObject {
  const addressType = addresses.some((ip) => ip.includes(':')) ? 'IPv6' : 'IPv4';
  return {
    ...(present ?? { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', addressType }),
    metadata: labelled(present, { 'kubernetes.io/service-name': name }),
    endpoints: addresses.map((ip) => ({ addresses: [ip], conditions: { ready: true } })),
    ports: addresses.length === 0 ? [] : ports,
  } as KubeObject;
}

function labelled(present: KubeObject | undefined, labels: Record<string, string>): KubeObject['metadata'] {
  const metadata = present?.metadata ?? { name, namespace };
  return { ...metadata, labels: { ...metadata.labels, ...labels } };
}

function addressesOf(object: KubeObject): string[] {
  const [subset] = (object['subsets'] ?? []) as readonly {
    readonly addresses?: readonly { readonly ip: string }[];
  }[];
  return subset?.addresses?.map(({ ip }) => ip) ?? [];
}

/** Reads, changes and writes an object, again where another server wrote it in between. */
async function write(send: SendToCore, collection: string, changed: Change<KubeObject>): Promise<void> {
  const object = `${collection}/${name}`;
  for (let attempt = 1; ; attempt += 1) {
    const read = await send('GET', object);
    if (read.status !== 200 && read.status !== notFound) throw refusal(object, read);
    const present = read.status === 200 ? (read.body as KubeObject) : undefined;
    const next = changed(present);
    if (next === undefined || isDeepStrictEqual(next, present)) return;
    const written = await (present === undefined ? send('POST', collection, next) : send('PUT', object, next));
    if (written.status < 300) return;
    if (!raceStatuses.has(written.status) || attempt >= attempts) throw refusal(object, written);
  }
}

function refusal(object: string, { status, body }: InternalAnswer): Error {
  return new Error(`${object}: status ${status}: ${JSON.stringify(body)}`);
}
