import type { KeyValue } from '#shared/storage/etcd-wire/kv-messages.ts';
import type { EtcdTransport } from '#shared/storage/etcd-wire/transport.ts';
import { EtcdRpcError, grpcCode } from '#shared/storage/etcd-wire/transport.ts';
import { keyFor } from './stored-history.ts';
import type { StoredHistory } from './stored-history.ts';

export interface ReadOutcome {
  /** What was served and is not what was written. */
  readonly wrong: readonly string[];
  /** Reads that were refused with a cause. */
  readonly refused: number;
}

const pageKeys = 500;
/** Keys that are read one by one where all lists were answered. */
const singleKeys = 200;

/** Lists, gets and watches everything in a store, and compares it with what was written. */
export async function readStore(etcd: EtcdTransport, history: StoredHistory, keys: number): Promise<ReadOutcome> {
  const wrong: string[] = [];
  let refused = 0;
  const range = async (key: string, rangeEnd?: string): Promise<KeyValue[] | undefined> => {
    try {
      return (
        await etcd.unary('KV/Range', {
          key: Buffer.from(key),
          ...(rangeEnd === undefined ? {} : { rangeEnd: Buffer.from(rangeEnd) }),
        })
      ).kvs;
    } catch (error) {
      if (!(error instanceof EtcdRpcError)) throw error;
      if (error.code !== grpcCode.dataLoss) wrong.push(`${key}: ${error.code} ${error.message}`);
      refused++;
      return undefined;
    }
  };
  const compare = (wanted: readonly string[], found: readonly KeyValue[]): void => {
    const served = new Map(found.map(({ key, value }) => [key.toString(), value.toString()]));
    for (const key of wanted) {
      const [value, expected] = [served.get(key), history.live.get(key)];
      if (value !== expected)
        wrong.push(
          `${key}: ${value === undefined ? 'missing' : expected === undefined ? 'there again' : 'another value'}`,
        );
      served.delete(key);
    }
    for (const key of served.keys()) wrong.push(`${key}: was never written`);
  };
  for (let from = 0; from < keys; from += pageKeys) {
    const names = Array.from({ length: Math.min(pageKeys, keys - from) }, (_, i) => keyFor(from + i));
    const page = await range(
      names[0] as string,
      from + pageKeys >= keys ? '/registry/things0' : keyFor(from + pageKeys),
    );
    if (page !== undefined) compare(names, page);
    const singles = page === undefined ? names : names.filter((_, i) => i % Math.ceil(keys / singleKeys) === 0);
    await Promise.all(
      singles.map(async (key) => {
        const found = await range(key);
        if (found !== undefined) compare([key], found);
      }),
    );
  }
  const watched = await watchAll(etcd, history);
  return { wrong: [...wrong, ...watched.wrong], refused: refused + (watched.ended === 'refused' ? 1 : 0) };
}

/** A watch from the compaction on tells every change once and as it was, or ends with a cause. */
function watchAll(
  etcd: EtcdTransport,
  history: StoredHistory,
): Promise<{ wrong: string[]; ended: 'whole' | 'refused' }> {
  const { promise, resolve } = Promise.withResolvers<{ wrong: string[]; ended: 'whole' | 'refused' }>();
  const wrong: string[] = [];
  const left = new Map(
    [...history.changes].filter(([change]) => Number(change.slice(0, change.indexOf(' '))) > history.compactRevision),
  );
  let reached = 0;
  const stream = etcd.stream('Watch/Watch', {
    onMessage: ({ events, canceled, header }) => {
      for (const { type, kv } of events ?? []) {
        const change = `${kv?.modRevision} ${kv?.key.toString()}`;
        if (left.get(change) !== (type === 'DELETE' ? '' : kv?.value.toString()))
          wrong.push(`watch: ${change} is not what was written`);
        left.delete(change);
        reached = kv?.modRevision ?? reached;
      }
      const isWhole =
        reached >= history.revision || ((events?.length ?? 0) === 0 && (header?.revision ?? 0) > history.revision);
      if (!canceled && !isWhole) return;
      stream.cancel();
      if (!canceled) for (const change of left.keys()) wrong.push(`watch: ${change} is missing`);
      resolve({ wrong, ended: canceled ? 'refused' : 'whole' });
    },
    onEnd: (error) => resolve({ wrong: [...wrong, `watch: ended: ${error?.message}`], ended: 'refused' }),
  });
  stream.write({
    createRequest: {
      key: Buffer.from('/registry/'),
      rangeEnd: Buffer.from('/registry0'),
      startRevision: history.compactRevision + 1,
    },
  });
  return promise;
}
