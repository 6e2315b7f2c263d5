import { after, before, describe, test } from 'node:test';
import type { EtcdTransport } from '#shared/storage/etcd-wire/transport.ts';
import { kvContract } from './contract-kv.ts';
import { leaseContract } from './contract-lease.ts';
import { maintenanceContract } from './contract-maintenance.ts';
import { txnContract } from './contract-txn.ts';
import { watchContract } from './contract-watch.ts';

export interface ContractSubject {
  readonly etcd: EtcdTransport;
  stop(): Promise<void>;
}

/** Tests of the behavior that every etcd v3 server and every transport must have; they run against each of them. */
export function contractSuite(name: string, start: () => Promise<ContractSubject>): void {
  describe(name, () => {
    let subject: ContractSubject;
    before(async () => {
      subject = await start();
    });
    after(() => subject.stop());
    let counter = 0;
    for (const { name: caseName, run } of [
      ...kvContract,
      ...txnContract,
      ...watchContract,
      ...leaseContract,
      ...maintenanceContract,
    ]) {
      test(caseName, { timeout: 20_000 }, () => run({ etcd: subject.etcd, prefix: `contract/${counter++}/` }));
    }
  });
}
