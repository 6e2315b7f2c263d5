import type { AuditEvent } from '#shared/audit/contract/audit-event.ts';
import { eventLine } from '#shared/audit/sinks/writing/event-line.ts';
import type { EventWriter } from '#shared/audit/sinks/writing/event-writer.ts';
import type { ReportDrop } from '#shared/audit/sinks/writing/sink-metrics.ts';
import { Reconciler } from '#shared/follow/reconciler.ts';
import type { BackupLimits } from './backup-names.ts';
import { cleanBackups } from './clean-backups.ts';
import { legacyLine } from './legacy-line.ts';
import { RotatingLog } from './rotating-log.ts';

export interface FileWriterOptions extends BackupLimits {
  /** `-` for the standard output. */
  readonly path: string;
  readonly format: 'json' | 'legacy';
  /** The size at which a new file begins; 0 for never. */
  readonly maxBytes: number;
  readonly compresses: boolean;
  readonly reportDrop: ReportDrop;
  readonly reportError: (message: string, error: unknown) => void;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /**
   * How long after the rename of a full file it may be compressed, milliseconds: other processes have gone on to the new
   * one by then. Default: 2000.
   */
  readonly settleMs?: number;
  /** How often the file is looked at, milliseconds: it may have been renamed or removed. Default: 100. */
  readonly checkEveryMs?: number;
}

interface PendingWrite {
  readonly lines: readonly Buffer[];
  readonly resolve: (isWritten: boolean) => void;
}

/** So many events are written together at most. */
const maxGroup = 4096;
const defaultSettleMs = 2000;
const defaultCheckEveryMs = 100;
/** How long the end waits for a file system that does not answer. */
const endMs = 10_000;

/** Writes events to a file. Those that come while a write is under way share the next one. */
export class FileWriter implements EventWriter {
  readonly name = 'log';
  readonly #options: FileWriterOptions;
  readonly #log: RotatingLog;
  readonly #cleaning: Reconciler;
  readonly #closing = new AbortController();
  #pending: PendingWrite[] = [];
  #group: readonly PendingWrite[] = [];
  #isWriting = false;
  #ending: NodeJS.Timeout | undefined;

  constructor(options: FileWriterOptions) {
    this.#options = options;
    const { path, maxBytes, now = () => Date.now() } = options;
    const { settleMs = defaultSettleMs, checkEveryMs = defaultCheckEveryMs } = options;
    this.#cleaning = new Reconciler({
      round: () => cleanBackups(path, { ...options, now, signal: this.#closing.signal }),
      onError: (error) => options.reportError('cannot remove or compress full audit files', error),
      settleMs,
    });
    const onFull = (): void => void (maxBytes > 0 && this.#cleaning.request());
    this.#log = new RotatingLog({ path, maxBytes, now, checkEveryMs, onFull });
  }

  encode(event: AuditEvent): Buffer {
    return this.#options.format === 'json' ? eventLine(event) : Buffer.from(legacyLine(event));
  }

  write(lines: readonly Buffer[]): Promise<boolean> {
    return new Promise((resolve) => {
      this.#pending.push({ lines, resolve });
      if (!this.#isWriting) void this.#writeAll();
    });
  }

  hurry(): void {
    this.#log.hurry();
    this.#ending = setTimeout(() => this.#giveUp(), endMs).unref();
  }

  async close(): Promise<void> {
    clearTimeout(this.#ending);
    this.#closing.abort();
    await this.#cleaning.close();
    // A write that does not end would hold it, too.
    if (!this.#isWriting) await this.#log.close();
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    for (; this.#pending.length > 0;) {
      this.#group = this.#pending.splice(0, maxGroup);
      await this.#writeGroup(this.#group);
    }
    this.#isWriting = false;
  }

  async #writeGroup(group: readonly PendingWrite[]): Promise<void> {
    const lines = group.flatMap((pending) => pending.lines);
    const { lines: written, fault } = await this.#log.append(lines);
    if (fault !== undefined) this.#options.reportDrop('log', 'write_failed', lines.length - written, fault);
    let before = 0;
    for (const { lines: own, resolve } of group) {
      before += own.length;
      resolve(before <= written);
    }
  }

  #giveUp(): void {
    const left = [...this.#group, ...this.#pending];
    this.#pending = [];
    const count = left.reduce((sum, { lines }) => sum + lines.length, 0);
    this.#options.reportDrop('log', 'closed', count, 'the file did not take events until the end of the server');
    for (const { resolve } of left) resolve(false);
  }
}
