import { readFileSync } from 'node:fs';

/** Identifies a process among all processes of all machines. */
export interface ProcessMark {
  readonly pid: number;
  /** Clock ticks between the start of the machine and that of the process. */
  readonly startTicks: string;
  /** The boot id of the machine. */
  readonly bootId: string;
}

export interface ProcessActivity {
  /** Clock ticks of processor time that the process has used. */
  readonly cpuTicks: number;
  /** The process is stopped by a signal or a debugger. */
  readonly stopped: boolean;
}

const fieldsBehindName = { state: 0, userTicks: 11, systemTicks: 12, startTicks: 19 };

/** The fields of `/proc/<pid>/stat` after the process name, which may hold any characters. */
function statOf(pid: number | 'self'): readonly string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
}

/** The mark of this process; undefined if the system does not provide it. */
export function ownProcessMark(): ProcessMark | undefined {
  try {
    return { pid: process.pid, startTicks: statOf('self')[fieldsBehindName.startTicks] ?? '', bootId: bootId() };
  } catch {
    return undefined;
  }
}

/**
 * The activity of a process; undefined if it has ended, runs on another machine, or the system does not provide this.
 */
export function processActivity(mark: ProcessMark): ProcessActivity | undefined {
  try {
    const fields = statOf(mark.pid);
    if (fields[fieldsBehindName.startTicks] !== mark.startTicks || bootId() !== mark.bootId) return undefined;
    const state = fields[fieldsBehindName.state] ?? '';
    return {
      cpuTicks: Number(fields[fieldsBehindName.userTicks]) + Number(fields[fieldsBehindName.systemTicks]),
      stopped: state === 'T' || state === 't',
    };
  } catch {
    return undefined;
  }
}
