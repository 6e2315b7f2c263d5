import { formatFromFlags, setProcessLines } from '#shared/observability/process-lines.ts';
import { guardJsonParse } from '#shared/serializer/json/safe-parse.ts';
import { surviveRequestFaults } from '#shared/server/uncaught-faults.ts';
import type { HostAnswer, HostCall } from './client/messages.ts';
import { makeHostFolder } from './host-folder.ts';
import { Host } from './host.ts';

/**
 * Runs clusters for the process that started this one, as it asks on the channel between them: `quarterdeck host`. It
 * ends with that process, however that ended, and nothing of it is left.
 */
export async function main(argv: readonly string[]): Promise<void> {
  guardJsonParse();
  setProcessLines('host', formatFromFlags(argv));
  if (process.send === undefined) {
    process.stderr.write('quarterdeck host is started by startCluster() of tests, which tells it what to do\n');
    process.exitCode = 1;
    return;
  }
  surviveRequestFaults();
  const folder = makeHostFolder();
  const host = new Host(folder.path);
  process.on('exit', () => folder.remove());
  const end = (): void => process.exit(0);
  process.on('disconnect', end);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end);
  process.on('message', (call: HostCall) => void answer(host, call));
}

async function answer(host: Host, { id, method, parameters }: HostCall): Promise<void> {
  let answered: HostAnswer;
  try {
    const run = host[method].bind(host) as (...given: readonly unknown[]) => unknown;
    answered = { id, result: await run(...parameters) };
  } catch (error) {
    answered = { id, error: error instanceof Error ? error.message : String(error) };
  }
  // A process that is gone takes no answer; `disconnect` follows.
  process.send?.(answered, () => undefined);
}
