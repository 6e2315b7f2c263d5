import type { Facts } from '#shared/api/facts.ts';
import { numberAt, objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { decodeStored, encodeStored } from '#shared/serializer/codec.ts';
import type { Storage } from '#shared/storage/storage.ts';
import { peerHostPort, type PeerAddress } from './peer-address.ts';

const gvk = { group: '', version: 'v1', kind: 'Endpoints' };
/** A key that is not written again within this time is deleted by etcd. */
const ttlSeconds = 15;
const attempts = 5;

export interface PeerEndpointStoreOptions {
  readonly storage: Storage;
  readonly facts: Facts;
  /** The media type of stored objects (`--storage-media-type`). */
  readonly storageMediaType?: string;
}

/**
 * The addresses of API servers by their ids, in keys with a time to live that the reference writes and reads, too
 * (apiserver/pkg/reconcilers/peer_endpoint_lease.go).
 */
export class PeerEndpointStore {
  readonly #options: PeerEndpointStoreOptions;

  constructor(options: PeerEndpointStoreOptions) {
    this.#options = options;
  }

  /** `host:port` of a server; undefined if it does not announce itself. */
  async find(id: string): Promise<string | undefined> {
    const { kv } = await this.#options.storage.get(keyOf(id));
    if (kv === undefined) return undefined;
    const [subset] = objectsAt(this.#decode(kv.value), 'subsets');
    const ip = stringAt(objectsAt(subset, 'addresses')[0] ?? {}, 'ip');
    const port = numberAt(objectsAt(subset, 'ports')[0] ?? {}, 'port');
    return ip === '' || port === undefined ? undefined : peerHostPort({ ip, port });
  }

  /** Writes a server's address, for the next 15 seconds. */
  async announce(id: string, address: PeerAddress): Promise<void> {
    for (let attempt = 0; attempt < attempts; attempt++) if (await this.#write(id, address)) return;
    throw new Error(`the key ${keyOf(id)} is written by other servers all the time`);
  }

  async remove(id: string): Promise<void> {
    const { storage } = this.#options;
    const { kv } = await storage.get(keyOf(id));
    if (kv !== undefined) await storage.compareAndDelete(keyOf(id), kv.modRevision);
  }

  /** Returns false if another process wrote the key in between. */
  async #write(id: string, { ip, port }: PeerAddress): Promise<boolean> {
    const { storage, facts, storageMediaType } = this.#options;
    const { kv } = await storage.get(keyOf(id));
    const before = kv === undefined ? undefined : this.#decode(kv.value).metadata;
    const object: KubeObject = {
      apiVersion: 'v1',
      kind: gvk.kind,
      metadata: {
        ...before,
        // As in the reference, the value changes with each write.
        generation: Number(before?.['generation'] ?? 0) + 1,
        labels: { ...before?.labels, apiserverIdentity: id },
      },
      subsets: [{ addresses: [{ ip }], ports: [{ name: 'https', port, protocol: 'TCP' }] }],
    };
    const schema = facts.schema(gvk.group, gvk.version, gvk.kind);
    const value = atOnce(encodeStored(schema, gvk, object, storageMediaType));
    return (await storage.compareAndSwap(keyOf(id), kv?.modRevision ?? 0, value, { ttlSeconds })).ok;
  }

  #decode(value: Uint8Array): KubeObject {
    return atOnce(decodeStored(this.#options.facts, value)).object;
  }
}

function keyOf(id: string): string {
  return `/peerserverleases/${id}`;
}
