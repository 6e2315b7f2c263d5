import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { http1Client, http2Client, type ClusterAddress } from '#test/api-client.ts';

/** What another client waited for its GETs. */
export interface Waits {
  readonly count: number;
  readonly longestMs: number;
  readonly failures: readonly string[];
  /** Every wait. */
  readonly all: readonly number[];
}

/** A client on a thread of its own, so that what the attacker does in this process is not counted as a wait. */
export interface OtherClient {
  /** Waits since the last call. */
  take(): Promise<Waits>;
  close(): Promise<void>;
}

interface Start {
  readonly address: ClusterAddress;
  readonly paths: readonly string[];
  readonly protocol: 1 | 2;
  /** Objects are created at the paths, which are collections. Default: the paths are read. */
  readonly creates?: boolean;
}

const pauseMs = 5;

/** Starts a client that reads the paths, or creates objects there, in turn, again and again. */
export async function startOtherClient(start: Start): Promise<OtherClient> {
  const worker = new Worker(new URL(import.meta.url), { workerData: start });
  let answer: ((waits: Waits) => void) | undefined;
  worker.on('message', (waits: Waits) => answer?.(waits));
  const take = (): Promise<Waits> =>
    new Promise((resolve) => {
      answer = resolve;
      worker.postMessage('take');
    });
  await take();
  return { take, close: async () => void (await worker.terminate()) };
}

if (parentPort !== null && (workerData as Start | null)?.paths !== undefined)
  await readOn(workerData as Start, parentPort);

async function readOn(
  { address, paths, protocol, creates = false }: Start,
  port: NonNullable<typeof parentPort>,
): Promise<never> {
  const connect = (): ReturnType<typeof http1Client> => (protocol === 1 ? http1Client(address) : http2Client(address));
  let client = connect();
  let all: number[] = [];
  let failures: string[] = [];
  let began = performance.now();
  port.on('message', () => {
    // A wait that lasts is a wait.
    const waits = [...all, performance.now() - began];
    port.postMessage({
      count: waits.length,
      longestMs: waits.reduce((most, wait) => Math.max(most, wait), 0),
      failures,
      all: waits,
    });
    all = [];
    failures = [];
  });
  for (let turn = 0; ; turn++) {
    began = performance.now();
    try {
      const path = paths[turn % paths.length] ?? '';
      const { status } = creates
        ? await client.send('POST', path, { body: { metadata: { generateName: 'other-' } } })
        : await client.send('GET', path);
      if (status !== (creates ? 201 : 200)) failures.push(`status ${status}`);
    } catch (error) {
      failures.push(error instanceof Error ? error.message : String(error));
      client.close();
      client = connect();
    }
    all.push(performance.now() - began);
    await sleep(pauseMs);
    began = performance.now();
  }
}
