import type { EtcdTransport } from '#shared/storage/etcd-wire/transport.ts';

/** Deadline for calls that may rewrite a large file. */
const patienceMs = 60 * 60_000;

export interface Sizes {
  readonly beforeBytes: number;
  readonly afterBytes: number;
}

/**
 * Compacts a store at a revision.
 * @param wanted 0 stands for the newest revision, so that only the newest version of each key is left
 */
export async function compactStore(
  etcd: EtcdTransport,
  wanted: number,
): Promise<Sizes & { readonly revision: number }> {
  const status = await etcd.unary('Maintenance/Status', {});
  const revision = wanted === 0 ? (status.header?.revision ?? 0) : wanted;
  await etcd.unary('KV/Compact', { revision, physical: true }, { deadlineMs: patienceMs });
  return { revision, beforeBytes: status.dbSize, afterBytes: (await etcd.unary('Maintenance/Status', {})).dbSize };
}

/** Removes one key. @returns whether it was there */
export async function deleteKey(etcd: EtcdTransport, key: string): Promise<boolean> {
  return (await etcd.unary('KV/DeleteRange', { key: Buffer.from(key) })).deleted > 0;
}

export async function defragmentStore(etcd: EtcdTransport): Promise<Sizes> {
  const { dbSize } = await etcd.unary('Maintenance/Status', {});
  await etcd.unary('Maintenance/Defragment', {}, { deadlineMs: patienceMs });
  return { beforeBytes: dbSize, afterBytes: (await etcd.unary('Maintenance/Status', {})).dbSize };
}

/** @param clears whether active alarms are cleared @returns the names of the alarms that were active */
export async function storeAlarms(etcd: EtcdTransport, clears: boolean): Promise<readonly string[]> {
  const { alarms } = await etcd.unary('Maintenance/Alarm', { action: 'GET' });
  if (clears)
    for (const { alarm, memberId } of alarms)
      await etcd.unary('Maintenance/Alarm', { action: 'DEACTIVATE', alarm, memberId });
  return alarms.map(({ alarm }) => alarm);
}
