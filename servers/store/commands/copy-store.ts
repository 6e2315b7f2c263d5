import { encodeKeyValue } from '#servers/store/mvcc/kv-encoding.ts';
import { logPaths } from '#servers/store/mvcc/log-file.ts';
import { withoutTrailing } from '#shared/apimachinery/text/without-trailing.ts';
import type { KeyValue, RequestOp } from '#shared/storage/etcd-wire/kv-messages.ts';
import { EtcdRpcError, grpcCode } from '#shared/storage/etcd-wire/transport.ts';
import type { EtcdTransport } from '#shared/storage/etcd-wire/transport.ts';
import { CopyDigest } from './copy-digest.ts';
import { makeDataDir } from './new-data-dir.ts';
import { StoreFile } from './store-file.ts';
import { withStore } from './with-store.ts';

export interface CopyReport {
  readonly keys: number;
  /** Number of keys with leases. These may expire during the copy, so they are compared one by one. */
  readonly leased: number;
  /** The revision at which the source was read. */
  readonly revision: number;
  /** The revision of the target at the end. */
  readonly targetRevision: number;
  /** SHA-256 over the keys and values of the source; `targetSum` is that of the target. */
  readonly sourceSum: string;
  readonly targetSum: string;
}

export type Progress = (what: string, part: number) => void;

const pageKeys = 500;
/**
 * Size of a copied transaction. etcd allows 128 operations and 1.5 MiB; a single larger value makes up one by itself.
 */
const batchOps = 100;
const batchBytes = 512 * 1024;
/** Writes in parallel while the revision of an etcd is raised: only writes raise it. */
const raiseAtOnce = 256;
const raiseAndCompact = 50_000;
export const largestRaise = 5_000_000;
const marker = Buffer.from('quarterdeck/copy');
const shortestTtl = 2;
const callMs = 60_000;

/** The range of keys that begin with `prefix/`. */
function rangeOf(prefix: string): { key: Buffer; rangeEnd: Buffer } {
  const bare = withoutTrailing(prefix, '/');
  return { key: Buffer.from(`${bare}/`), rangeEnd: Buffer.from(`${bare}0`) };
}

/**
 * Copies the keys under a prefix of an embedded store into an empty etcd. First the etcd's revision is raised above the
 * store's. At the end older revisions are compacted, so that watchers list again.
 * @throws Error when the target has keys, or would need too many writes to be raised
 */
export async function copyToEtcd(
  source: EtcdTransport,
  target: EtcdTransport,
  prefix: string,
  onProgress: Progress,
): Promise<CopyReport> {
  const emptyAt = await requireEmpty(target);
  const { header, count: total } = await source.unary(
    'KV/Range',
    { ...rangeOf(prefix), countOnly: true },
    { deadlineMs: callMs },
  );
  const revision = header?.revision ?? 0;
  await raise(target, emptyAt, revision, onProgress);
  const digest = new CopyDigest();
  const leases = new Set<string>();
  let copied = 0;
  let targetRevision = revision;
  for await (const kvs of pages(source, prefix, revision)) {
    await Promise.all(newLeases(kvs, leases).map((id) => grant(source, target, id)));
    for (const batch of batches(kvs)) {
      const answer = await target.unary('KV/Txn', { success: batch }, { deadlineMs: callMs });
      targetRevision = answer.header?.revision ?? targetRevision;
    }
    for (const kv of kvs) digest.add(kv);
    copied += kvs.length;
    onProgress('copied', copied / Math.max(1, total));
  }
  const found = new CopyDigest();
  for await (const kvs of pages(target, prefix, targetRevision)) for (const kv of kvs) found.add(kv);
  const last =
    (await target.unary('KV/DeleteRange', { key: marker }, { deadlineMs: callMs })).header?.revision ?? targetRevision;
  await target.unary('KV/Compact', { revision: last, physical: true }, { deadlineMs: callMs });
  return {
    keys: copied,
    leased: digest.leased,
    revision,
    targetRevision: last,
    sourceSum: digest.sum,
    targetSum: digest.sumOf(found),
  };
}

/**
 * Creates the data directory of an embedded store from the keys under a prefix of an etcd.
 * @param bump how far above the etcd's revision the store's revisions begin
 * @throws UnusableFileError when the directory is not empty
 */
export async function copyFromEtcd(
  source: EtcdTransport,
  newDataDir: string,
  prefix: string,
  bump: number,
  onProgress: Progress,
): Promise<CopyReport> {
  return makeDataDir(newDataDir, async (folder) => {
    const { header, count: total } = await source.unary(
      'KV/Range',
      { ...rangeOf(prefix), countOnly: true },
      { deadlineMs: callMs },
    );
    const revision = header?.revision ?? 0;
    const digest = new CopyDigest();
    const leases = new Set<string>();
    let targetRevision;
    {
      using file = new StoreFile(logPaths(folder).database);
      for await (const kvs of pages(source, prefix, revision)) {
        await Promise.all(newLeases(kvs, leases).map(async (id) => file.addLease(id, await remainingTtl(source, id))));
        for (const { key, value, lease } of kvs) {
          file.addRow(
            file.keys + 1,
            revision + bump,
            encodeKeyValue(
              {
                key: key.toString('latin1'),
                createRevision: revision + bump,
                modRevision: revision + bump,
                version: 1,
                lease,
              },
              value,
            ),
          );
        }
        for (const kv of kvs) digest.add(kv);
        onProgress('copied', file.keys / Math.max(1, total));
      }
      targetRevision = file.finish(revision, bump);
    }
    const found = new CopyDigest();
    await withStore(folder, async (made) => {
      for await (const kvs of pages(made, prefix, 0)) for (const kv of kvs) found.add(kv);
    });
    return {
      keys: digest.keys,
      leased: digest.leased,
      revision,
      targetRevision,
      sourceSum: digest.sum,
      targetSum: digest.sumOf(found),
    };
  });
}

/**
 * Checks that the target has no keys, except for the marker key of an interrupted copy. @returns the revision of the
 * target
 */
async function requireEmpty(target: EtcdTransport): Promise<number> {
  const { header, count, kvs } = await target.unary(
    'KV/Range',
    { key: Buffer.from([0]), rangeEnd: Buffer.from([0]), limit: 2, keysOnly: true },
    { deadlineMs: callMs },
  );
  const other = kvs.find(({ key }) => !marker.equals(key));
  if (other !== undefined)
    throw new Error(
      `the etcd holds ${count} keys already, the first is ${JSON.stringify(other.key.toString())}: name an empty one, or remove what an earlier copy left there`,
    );
  return header?.revision ?? 0;
}

async function raise(target: EtcdTransport, from: number, revision: number, onProgress: Progress): Promise<void> {
  if (revision - from > largestRaise) {
    throw new Error(
      `the etcd's revision is ${from} and would have to be raised to ${revision} by a write each: end the etcd, make its data anew with "etcdutl snapshot restore ETCD_DATA_DIR/member/snap/db --skip-hash-check --data-dir NEW --bump-revision ${revision} --mark-compacted", start it with --data-dir NEW, and copy again`,
    );
  }
  const write = async (): Promise<number> =>
    (await target.unary('KV/Put', { key: marker }, { deadlineMs: callMs })).header?.revision ?? 0;
  const first = await write();
  let [left, reached, compacted] = [revision - first, first, first];
  while (left > 0) {
    const revisions = await Promise.all(Array.from({ length: Math.min(left, raiseAtOnce) }, write));
    left -= revisions.length;
    reached = Math.max(reached, ...revisions);
    if (reached - compacted >= raiseAndCompact) {
      await target.unary('KV/Compact', { revision: reached, physical: true }, { deadlineMs: callMs });
      compacted = reached;
    }
    onProgress('raised the revision', 1 - left / (revision - first));
  }
}

async function* pages(etcd: EtcdTransport, prefix: string, revision: number): AsyncGenerator<KeyValue[]> {
  const { key, rangeEnd } = rangeOf(prefix);
  for (let from = key; ;) {
    const { kvs, more } = await etcd
      .unary('KV/Range', { key: from, rangeEnd, revision, limit: pageKeys }, { deadlineMs: callMs })
      .catch(throwCompacted);
    if (kvs.length > 0) yield kvs;
    const last = kvs.at(-1);
    if (!more || last === undefined) return;
    from = Buffer.concat([last.key, Buffer.from([0])]);
  }
}

function throwCompacted(error: unknown): never {
  if (!(error instanceof EtcdRpcError) || error.code !== grpcCode.outOfRange) throw error;
  throw new Error(
    'the revision that is copied was compacted meanwhile: end the API servers, which compact, and copy again',
    { cause: error },
  );
}

function* batches(kvs: readonly KeyValue[]): Generator<RequestOp[]> {
  let batch: RequestOp[] = [];
  let bytes = 0;
  for (const { key, value, lease } of kvs) {
    if (batch.length > 0 && (batch.length === batchOps || bytes + value.length > batchBytes)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push({ requestPut: { key, value, lease } });
    bytes += key.length + value.length;
  }
  if (batch.length > 0) yield batch;
}

/** The leases of these keys that are not in `known` yet; adds them to it. */
function newLeases(kvs: readonly KeyValue[], known: Set<string>): string[] {
  const found = new Set(kvs.map(({ lease }) => lease).filter((id) => id !== '0' && !known.has(id)));
  for (const id of found) known.add(id);
  return [...found];
}

async function remainingTtl(source: EtcdTransport, id: string): Promise<number> {
  const { ttl } = await source.unary('Lease/LeaseTimeToLive', { id }, { deadlineMs: callMs });
  return Math.max(shortestTtl, ttl);
}

/** Grants a lease in the target with its remaining TTL. A lease that has expired since gets the shortest TTL. */
async function grant(source: EtcdTransport, target: EtcdTransport, id: string): Promise<void> {
  await target.unary('Lease/LeaseGrant', { id, ttl: await remainingTtl(source, id) }, { deadlineMs: callMs });
}
