import { hostVariable, providedKey } from './find-host.ts';
import { startHostProcess, type HostProcess } from './host-process.ts';

interface RunHost {
  readonly host: HostProcess;
  /** The path of the socket at which it listens. */
  readonly path: Promise<string>;
}

let running: RunHost | undefined;

/** Starts the run's host, unless there is one: runners in watch mode set up again before each run. For node:test. */
export async function globalSetup(): Promise<void> {
  await setUp();
}

/** Ends the run's host with all its clusters. For node:test. */
export async function globalTeardown(): Promise<void> {
  const ended = running;
  running = undefined;
  delete process.env[hostVariable];
  await ended?.host.end();
}

async function setUp(): Promise<string> {
  if (running === undefined || running.host.calls.hasEnded) {
    const host = startHostProcess();
    running = { host, path: host.calls.call('listen') };
  }
  const path = await running.path;
  process.env[hostVariable] = path;
  return path;
}

/** What a runner gives: jest its configuration, which tells whether it watches, vitest its project, for workers. */
interface Runner {
  readonly watch?: boolean;
  readonly watchAll?: boolean;
  provide?(key: string, value: unknown): void;
}

/** For jest, which calls it before each run, and for vitest, which calls in the end what it resolves with. */
export async function setUpRun(runner: Runner = {}): Promise<() => Promise<void>> {
  const path = await setUp();
  if (typeof runner.provide === 'function') runner.provide(providedKey, path);
  return globalTeardown;
}

/** For jest, which calls it after each run: while jest watches, the host waits for the next one, and ends with jest. */
export async function tearDownRun({ watch, watchAll }: Runner = {}): Promise<void> {
  if (watch !== true && watchAll !== true) await globalTeardown();
}
