import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** A server under load. */
export interface Measured {
  readonly url: string;
  readonly token: string;
  readonly pids: readonly number[];
}

export interface Figures {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU time of all server processes per operation; of a watch per delivered event. */
  readonly cpuMicros: number;
  readonly memoryMiB: number;
  /** What kbench said of failed requests. */
  readonly errors: string;
}

export interface Workload {
  /** A run of kbench. */
  readonly run: string;
  readonly protobuf: boolean;
}

/** Runs one workload against one server. */
export async function runKbench(
  program: string,
  server: Measured,
  { run, protobuf }: Workload,
  seconds: number,
  flags: readonly string[] = [],
): Promise<Figures> {
  const { stdout } = await promisify(execFile)(program, [
    '-server',
    server.url,
    '-token',
    server.token,
    '-pids',
    server.pids.join(','),
    '-run',
    run,
    '-d',
    `${seconds}s`,
    '-rule=false',
    ...(protobuf ? ['-accept', 'application/vnd.kubernetes.protobuf'] : []),
    ...flags,
  ]);
  const match =
    /^\S+\s+(\d+) op\/s\s+p50\s+([\d.]+) ms\s+p99\s+([\d.]+) ms\s+[\d.]+ MB\/s\s+server CPU\s+(\d+) us\/op\s+mem\s+(\d+) MiB(?:\s+ERRORS (.*))?$/m.exec(
      stdout,
    );
  if (!match) throw new Error(`kbench ${run}: ${stdout}`);
  const [, perSecond, p50, p99, cpu, memory, errors = ''] = match;
  return {
    perSecond: Number(perSecond),
    p50Ms: Number(p50),
    p99Ms: Number(p99),
    cpuMicros: Number(cpu),
    memoryMiB: Number(memory),
    errors,
  };
}
