import type { EtcdTransport } from '#shared/storage/etcd-wire/transport.ts';
import type { ClusterAddress } from '#test/api-client.ts';
import type { LimitedDisk } from '#test/robustness/faults/limited-disk.ts';
import type { Link } from '#test/robustness/faults/link.ts';
import type { SupervisedProcess } from '#test/robustness/faults/supervised-process.ts';

/** Where a core or extensions server listens, past the gateways and the links. */
export interface ServerSocket {
  readonly name: string;
  readonly server: 'core' | 'extensions';
  readonly path: string;
}

/** A running system of several processes, every connection of which goes through a {@link Link}. */
export interface Setup {
  /** Where clients go, one address for each gateway. */
  readonly addresses: readonly ClusterAddress[];
  readonly processes: readonly SupervisedProcess[];
  readonly links: readonly Link[];
  readonly sockets: readonly ServerSocket[];
  /** Below the store; absent where it cannot be made full. */
  readonly disk?: LimitedDisk;
  /** The embedded store. `tip` is its `store.tip`; `canBeHeld`: whether the thread that commits can be. */
  readonly store?: { readonly process: SupervisedProcess; readonly tip: string; readonly canBeHeld: boolean };
  /** To the storage itself, past the links: what it says is the truth that histories are checked against. */
  openEtcd(): EtcdTransport;
  close(): Promise<void>;
}
