import { createHash } from 'node:crypto';
import { FrameTransport } from '#shared/storage/etcd-wire/frame-transport.ts';

/** What a store was told, and acknowledged. */
export interface StoredHistory {
  /** By key; deleted keys are left out. */
  readonly live: ReadonlyMap<string, string>;
  /** Every change: `revision key` → value, '' for a deletion. */
  readonly changes: ReadonlyMap<string, string>;
  readonly compactRevision: number;
  /** Of the newest change. */
  readonly revision: number;
}

const writers = 64;

/** Values that do not compress to a pattern: most of 200 to 3,000 bytes, one in twenty with several overflow pages. */
function valueFor(i: number, version: number): string {
  return createHash('sha256')
    .update(`${i} ${version}`)
    .digest('hex')
    .repeat(i % 20 === 7 ? 180 : 3 + ((i * 7) % 45));
}

export function keyFor(i: number): string {
  return `/registry/things/${String(i).padStart(5, '0')}`;
}

/** Fills a store: every key is put, some again after a compaction, one in ten is deleted. */
export async function fillStore(socketPath: string, keys: number): Promise<StoredHistory> {
  const etcd = new FrameTransport({ socketPath });
  const live = new Map<string, string>();
  const changes = new Map<string, string>();
  let newest = 0;
  const write = async (i: number, version: number | undefined): Promise<void> => {
    const key = keyFor(i);
    const value = version === undefined ? '' : valueFor(i, version);
    const { header } =
      version === undefined
        ? await etcd.unary('KV/DeleteRange', { key: Buffer.from(key) })
        : await etcd.unary('KV/Put', { key: Buffer.from(key), value: Buffer.from(value) });
    const revision = header?.revision ?? 0;
    newest = Math.max(newest, revision);
    changes.set(`${revision} ${key}`, value);
    if (version === undefined) live.delete(key);
    else live.set(key, value);
  };
  const writeAll = async (ids: readonly number[], version: number | undefined): Promise<void> => {
    let next = 0;
    await Promise.all(
      Array.from({ length: writers }, async () => {
        while (next < ids.length) await write(ids[next++] as number, version);
      }),
    );
  };
  const all = Array.from({ length: keys }, (_, i) => i);
  await writeAll(all, 1);
  await writeAll(
    all.filter((i) => i % 2 === 0),
    2,
  );
  const compactRevision = newest;
  await etcd.unary('KV/Compact', { revision: compactRevision, physical: true });
  await writeAll(
    all.filter((i) => i % 10 === 3),
    undefined,
  );
  await writeAll(
    all.filter((i) => i % 3 === 0 && i % 10 !== 3),
    3,
  );
  await writeAll(
    all.filter((i) => i % 30 === 13),
    4,
  );
  await etcd.close();
  return { live, changes, compactRevision, revision: newest };
}
