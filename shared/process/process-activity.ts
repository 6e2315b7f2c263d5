import { readFileSync } from 'node:fs';

/** Tells one process of one machine from every other. */
export interface ProcessMark {
  readonly pid: number;
  /** Clock ticks between the start of the machine and that of the process. */
  readonly startTicks: string;
  /** The boot id of the machine. */
  readonly bootId: string;
}

export interface ProcessActivity {
  /** Clock ticks of processor time so far. */
  readonly cpuTicks: number;
  /** A signal or a debugger holds it. */
  readonly stopped: boolean;
}

const fieldsBehindName = { state: 0, userTicks: 11, systemTicks: 12, startTicks: 19 };

/** The fields of `/proc/<pid>/stat` behind the name, which may hold anything. */
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

/** What a process does; undefined where it is gone, runs on another machine, or the system does not tell. */
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
