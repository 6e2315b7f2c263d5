import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = '/sys/fs/cgroup';
/** The kernel takes no quota below a millisecond. */
const periodMicros = 25_000;

/**
 * Keeps processes to a share of one processor, each for itself, by a control group (Linux; needs the right to make
 * one).
 */
export class ProcessorShares {
  readonly #groups: string[] = [];
  /** Version 1 has a hierarchy for each controller; in version 2 all are in one. */
  readonly #parent = existsSync(join(root, 'cpu')) ? join(root, 'cpu') : root;

  /** Share: 1 is a whole processor. */
  limit(pid: number, share: number): void {
    const group = join(this.#parent, `quarterdeck-test-${pid}`);
    const quotaMicros = Math.round(share * periodMicros);
    mkdirSync(group);
    this.#groups.push(group);
    if (this.#parent === root) {
      writeFileSync(join(group, 'cpu.max'), `${quotaMicros} ${periodMicros}`);
    } else {
      writeFileSync(join(group, 'cpu.cfs_period_us'), String(periodMicros));
      writeFileSync(join(group, 'cpu.cfs_quota_us'), String(quotaMicros));
    }
    writeFileSync(join(group, 'cgroup.procs'), String(pid));
  }

  /** To be called when the processes have ended. */
  close(): void {
    for (const group of this.#groups.splice(0)) rmdirSync(group);
  }
}
