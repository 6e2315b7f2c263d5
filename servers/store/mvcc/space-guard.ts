import type { AlarmType } from '../../../shared/storage/etcd-wire/cluster-messages.ts';
import { refuse } from './etcd-errors.ts';
import type { MvccStore } from './store.ts';

/** Alarms of this member, kept across restarts. While NOSPACE stands, whatever adds data is refused; while CORRUPT does, every write. */
export class SpaceGuard {
  readonly #store: MvccStore;
  readonly #quotaBytes: number;
  readonly #active: Set<string>;

  constructor(store: MvccStore, quotaBytes: number, active: readonly string[]) {
    this.#store = store;
    this.#quotaBytes = quotaBytes;
    this.#active = new Set(active);
    store.refuseWrites(this.#active.has('CORRUPT'));
  }

  get quotaBytes(): number {
    return this.#quotaBytes;
  }

  get alarms(): AlarmType[] {
    return [...this.#active] as AlarmType[];
  }

  /** @throws EtcdRpcError when there is no room for more */
  checkRoom(): void {
    if (this.#active.has('NOSPACE')) throw refuse('noSpace');
    const { fileBytes, freeBytes } = this.#store.sizes;
    if (fileBytes - freeBytes <= this.#quotaBytes) return;
    void this.raise('NOSPACE');
    throw refuse('noSpace');
  }

  async raise(alarm: AlarmType): Promise<void> {
    if (this.#active.has(alarm)) return;
    this.#active.add(alarm);
    await this.#save();
  }

  async clear(alarm: AlarmType): Promise<boolean> {
    if (!this.#active.delete(alarm)) return false;
    await this.#save();
    return true;
  }

  #save(): Promise<void> {
    this.#store.refuseWrites(this.#active.has('CORRUPT'));
    // Where even this cannot be written, the alarm stands in memory, and the next write raises it again.
    return this.#store.write(() => {}, { state: { alarms: [...this.#active] } }).catch(() => {});
  }
}
