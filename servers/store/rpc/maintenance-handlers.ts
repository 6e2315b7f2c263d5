import { crc32 } from 'node:zlib';
import { DiskFullError } from '#servers/store/mvcc/commit-thread.ts';
import { refuseRequest } from '#servers/store/mvcc/etcd-errors.ts';
import type { AlarmRequest, HashKvRequest } from '#shared/storage/etcd-wire/cluster-messages.ts';
import type { UnaryAnswer } from '#shared/storage/etcd-wire/service.ts';
import { raftTerm } from './answer-header.ts';
import type { StoreServiceDependencies } from './store-service-dependencies.ts';

/** The etcd version that the store reports: kube-apiserver uses watch progress from 3.5.13 on. */
export const reportedVersion = '3.6.5';
export const storageVersion = '3.6.0';

const hashRows = 500;
const hashBytes = 2 * 1024 * 1024;

/** The Maintenance service, except for its streaming method. */
export class MaintenanceHandlers {
  readonly #dependencies: StoreServiceDependencies;

  constructor(dependencies: StoreServiceDependencies) {
    this.#dependencies = dependencies;
  }

  async alarm(request: AlarmRequest): Promise<UnaryAnswer<'Maintenance/Alarm'>> {
    const { guard, header, store } = this.#dependencies;
    const memberId = header.memberId;
    const alarm = request.alarm ?? 'NONE';
    let concerned = guard.alarms.filter((active) => alarm === 'NONE' || active === alarm);
    if (request.action === 'ACTIVATE') {
      if (alarm !== 'NONE') await guard.raise(alarm);
      concerned = alarm === 'NONE' ? [] : [alarm];
    } else if (request.action === 'DEACTIVATE') {
      concerned = (await guard.clear(alarm)) ? [alarm] : [];
    }
    return { header: header.at(store.revision), alarms: concerned.map((name) => ({ memberId, alarm: name })) };
  }

  status(): UnaryAnswer<'Maintenance/Status'> {
    const { guard, header, store } = this.#dependencies;
    const { fileBytes, freeBytes } = store.sizes;
    return {
      header: header.at(store.revision),
      version: reportedVersion,
      storageVersion,
      leader: header.memberId,
      raftTerm,
      raftIndex: store.durableId + raftTerm,
      raftAppliedIndex: store.durableId + raftTerm,
      dbSize: fileBytes,
      dbSizeInUse: fileBytes - freeBytes,
      dbSizeQuota: guard.quotaBytes,
      errors: guard.alarms.map((alarm) => `memberID:${header.memberId} alarm:${alarm} `),
    };
  }

  async defragment(): Promise<UnaryAnswer<'Maintenance/Defragment'>> {
    try {
      await this.#dependencies.store.maintain({ kind: 'defragment' });
    } catch (error) {
      // Defragmenting needs as much free disk space as the data has.
      throw error instanceof DiskFullError ? refuseRequest('noSpace') : error;
    }
    return {};
  }

  async hash(): Promise<UnaryAnswer<'Maintenance/Hash'>> {
    const { header, store } = this.#dependencies;
    const revision = store.revision;
    return { header: header.at(revision), hash: await this.#hashTo(revision) };
  }

  async hashKv(request: HashKvRequest): Promise<UnaryAnswer<'Maintenance/HashKV'>> {
    const { header, store } = this.#dependencies;
    const current = store.revision;
    const revision = request.revision === undefined || request.revision === 0 ? current : request.revision;
    store.checkRevision(revision, current);
    const compactRevision = store.compactRevision;
    return { header: header.at(current), hash: await this.#hashTo(revision), compactRevision, hashRevision: revision };
  }

  /** Always refused: a single member has no other to transfer leadership to. */
  moveLeader(): never {
    throw refuseRequest('badLeaderTransferee');
  }

  /**
   * Hashes the rows in order, a page at a time. Equal data has equal hashes in this store, but etcd's hashes differ.
   */
  async #hashTo(revision: number): Promise<number> {
    let hash = 0;
    for (let from = 1; ;) {
      const { store } = this.#dependencies;
      const { rows, more } = store.read(() => store.reader.rows(from, hashRows, hashBytes));
      for (const row of rows) {
        if (row.revision <= revision) hash = crc32(row.kv, hash);
        from = row.id + 1;
      }
      if (!more) return hash;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
