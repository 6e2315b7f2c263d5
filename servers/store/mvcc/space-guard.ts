import type { AlarmType } from '#shared/storage/etcd-wire/cluster-messages.ts';
import { isNoSpace, refuseRequest } from './etcd-errors.ts';
import { reservePartBytes } from './space-reserve.ts';
import type { MvccStore } from './store.ts';

/**
 * The margin as a share of `--quota-backend-bytes`, up to the largest margin. Writes continue when twice the margin is
 * free.
 */
const quotaShare = 1 / 100;
const largestMarginBytes = 16 * 1024 * 1024;
/** Interval of the checks whether there is room again. */
const checkMs = 1000;
/**
 * Shortest time between two log lines about a full disk, which may fill up repeatedly if other programs write to it.
 */
const tellAgainMs = 30_000;

export interface SpaceGuardOptions {
  readonly quotaBytes: number;
  /** Alarms that were active when the file was opened. */
  readonly alarms: readonly string[];
  readonly databasePath: string;
  /** Size of the reserve on the disk. */
  readonly reserveBytes: number;
  readonly say: (line: string) => void;
}

/**
 * The alarms of this member, kept across restarts. While NOSPACE is active, requests that add data are refused; while
 * CORRUPT is, all writes. A NOSPACE that the store raised itself is cleared when there is room again: on the disk for
 * twice the reserve, and below the quota for twice the margin.
 */
export class SpaceGuard {
  readonly #store: MvccStore;
  readonly #options: SpaceGuardOptions;
  readonly #active: Set<string>;
  readonly #marginBytes: number;
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> = Promise.resolve();
  /** Whether a client raised NOSPACE; only a client clears it then. */
  #isHeld = false;
  /** Whether the file has lost its name: what is written to it would be lost with the process. */
  #isLost = false;
  #reportedMs = -Infinity;
  #closed = false;
  #saidFailure = '';

  constructor(store: MvccStore, options: SpaceGuardOptions) {
    this.#store = store;
    this.#options = options;
    this.#active = new Set(options.alarms);
    this.#marginBytes = Math.min(largestMarginBytes, options.quotaBytes * quotaShare);
    this.#refuseWrites();
    // Creates the reserve of a new store, and checks an alarm that an earlier process left.
    this.#scheduleCheck();
  }

  get quotaBytes(): number {
    return this.#options.quotaBytes;
  }

  get alarms(): AlarmType[] {
    return [...new Set([...this.#active, ...(this.#isLost ? ['CORRUPT'] : [])])] as AlarmType[];
  }

  /** @throws EtcdRpcError when there is no room for more data */
  checkRoom(): void {
    if (this.#active.has('NOSPACE')) throw refuseRequest('noSpace');
    if (this.#usedBytes() <= this.quotaBytes) return;
    this.#overQuota();
    throw refuseRequest('noSpace');
  }

  #overQuota(): void {
    const { databasePath } = this.#options;
    this.#full(
      `${databasePath} holds the ${this.quotaBytes} bytes that --quota-backend-bytes allows`,
      `delete objects and compact ("quarterdeck store compact"), or start with a higher --quota-backend-bytes; writes go on by themselves once ${Math.ceil(2 * this.#marginBytes)} bytes are free`,
    );
  }

  /** Raises NOSPACE after a write failed on a full disk. */
  diskFull(): void {
    const { databasePath, reserveBytes } = this.#options;
    this.#full(
      `the disk of ${databasePath} is full`,
      `make room on it; writes go on by themselves once ${2 * reserveBytes} bytes are free`,
    );
  }

  /**
   * Runs a deletion, compaction or revocation. If it fails on a full disk, it runs once more, as the failed write has
   * freed the reserve.
   * @throws EtcdRpcError (as a rejection)
   */
  async freeing<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!isNoSpace(error)) throw error;
      return work();
    }
  }

  /** Raises an alarm for a client; it stays until a client clears it. */
  async raise(alarm: AlarmType): Promise<void> {
    if (alarm === 'NOSPACE') this.#isHeld = true;
    await this.#activate(alarm);
  }

  async clear(alarm: AlarmType): Promise<boolean> {
    if (!this.#active.delete(alarm)) return false;
    if (alarm === 'NOSPACE') this.#isHeld = false;
    await this.#save();
    return true;
  }

  /** Refuses writes while the file is lost, as if it were damaged. */
  lose(isLost: boolean): void {
    this.#isLost = isLost;
    this.#refuseWrites();
  }

  /** Ends the checks for room. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#checking;
  }

  #full(cause: string, remedy: string): void {
    const isReported = this.#active.has('NOSPACE') && this.#reportedMs !== -Infinity;
    if (!isReported && performance.now() - this.#reportedMs > tellAgainMs) {
      this.#reportedMs = performance.now();
      this.#options.say(
        `${cause}: what adds data is refused (alarm NOSPACE), deletions and reads go on. What to do: ${remedy}`,
      );
    }
    void this.#activate('NOSPACE');
    this.#scheduleCheck();
  }

  async #activate(alarm: AlarmType): Promise<void> {
    if (this.#active.has(alarm)) return;
    this.#active.add(alarm);
    await this.#save();
  }

  #usedBytes(): number {
    const { fileBytes, freeBytes } = this.#store.sizes;
    return fileBytes - freeBytes;
  }

  #scheduleCheck(): void {
    if (this.#timer !== undefined || this.#closed) return;
    this.#timer = setTimeout(() => {
      this.#checking = this.#check().catch((error: unknown) => this.#sayOnce((error as Error).message));
      void this.#checking.then(() => {
        this.#timer = undefined;
        if (this.#active.has('NOSPACE') || !this.#store.sizes.reserved) this.#scheduleCheck();
      });
    }, checkMs);
    this.#timer.unref();
  }

  async #check(): Promise<void> {
    await this.#growReserve();
    if (this.#closed || !this.#active.has('NOSPACE') || this.#isHeld) return;
    // If an earlier process raised the alarm, the operator has not seen the remedy from this process yet.
    if (!this.#store.sizes.reserved) return this.diskFull();
    if (this.#usedBytes() + 2 * this.#marginBytes > this.quotaBytes) return this.#overQuota();
    await this.clear('NOSPACE');
    this.#options.say(`${this.#options.databasePath} has room again: writes go on`);
  }

  #sayOnce(failure: string): void {
    if (failure !== this.#saidFailure) this.#options.say(`the room on the disk cannot be looked at: ${failure}`);
    this.#saidFailure = failure;
  }

  /** Writes the reserve in parts, so that commits can run in between. */
  async #growReserve(): Promise<void> {
    for (let left = Math.ceil(this.#options.reserveBytes / reservePartBytes) + 1; left > 0 && !this.#closed; left--) {
      await this.#store.maintain({ kind: 'reserve' });
      if (this.#store.sizes.reserved) return;
    }
  }

  #refuseWrites(): void {
    this.#store.refuseWrites(this.#isLost || this.#active.has('CORRUPT'));
  }

  #save(): Promise<void> {
    this.#refuseWrites();
    // If the disk is too full even for this, the alarm stays active in memory only.
    return this.#store.write(() => {}, { state: { alarms: [...this.#active] } }).catch(() => {});
  }
}
