import type { LimitedDisk } from '../faults/limited-disk.ts';
import type { Link } from '../faults/link.ts';
import type { SupervisedProcess } from '../faults/supervised-process.ts';
import type { ClusterAddress } from '../../api-client.ts';
import type { EtcdTransport } from '../../../shared/storage/etcd-wire/transport.ts';

/** A running system of several processes, every connection of which goes through a {@link Link}. */
export interface Setup {
  /** Where clients go, one address for each gateway. */
  readonly addresses: readonly ClusterAddress[];
  readonly processes: readonly SupervisedProcess[];
  readonly links: readonly Link[];
  /** Below the store; absent where it cannot be made full. */
  readonly disk?: LimitedDisk;
  /** To the storage itself, past the links: what it says is the truth that histories are checked against. */
  openEtcd(): EtcdTransport;
  close(): Promise<void>;
}
