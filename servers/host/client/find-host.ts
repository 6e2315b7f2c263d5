import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import type { HostCalls } from './host-calls.ts';
import { connectToHost } from './host-connection.ts';
import { startHostProcess } from './host-process.ts';

/** Names the socket of the run's host, which the global setup of a runner started. */
export const hostVariable = 'QUARTERDECK_HOST';
/** The same for what vitest's global setup provides to its workers. */
export const providedKey = 'quarterdeckHost';
/**
 * The same for the host of this process. jest and vitest load modules anew for each file, so that a variable of this
 * module would be forgotten; they keep the modules of Node.js.
 */
const dataKey = 'quarterdeck.host';

let known: Promise<HostCalls> | undefined;

/** The host of the run, or of this process, which is started by the first call. */
export async function findHost(): Promise<HostCalls> {
  const before = known;
  const isThere = await before?.then(
    ({ hasEnded }) => !hasEnded,
    () => false,
  );
  // Another call may have found one meanwhile.
  if (isThere !== true && known === before) known = ofRun() ?? ofProcess();
  return known as Promise<HostCalls>;
}

/** Undefined without a global setup. */
function ofRun(): Promise<HostCalls> | undefined {
  const path = process.env[hostVariable] ?? providedByVitest();
  return path === undefined || path === ''
    ? undefined
    : connectToHost(path).catch((error: NodeJS.ErrnoException) => {
        throw new Error(
          `the process of the clusters of this run does not answer at ${path} (${error.code ?? error.message}): run "quarterdeck/global-setup" again, or unset ${hostVariable}`,
          { cause: error },
        );
      });
}

/** Workers of vitest may have been started before the setup ran again, with an older environment. */
function providedByVitest(): string | undefined {
  const worker: unknown = Reflect.get(globalThis, '__vitest_worker__');
  const { providedContext } = (worker ?? {}) as { readonly providedContext?: Readonly<Record<string, unknown>> };
  const path = providedContext?.[providedKey];
  return typeof path === 'string' ? path : undefined;
}

async function ofProcess(): Promise<HostCalls> {
  const path = getEnvironmentData(dataKey);
  if (typeof path === 'string') {
    try {
      return await connectToHost(path);
    } catch {
      // It has ended.
    }
  }
  const { calls } = startHostProcess();
  // Not awaited: the first cluster starts meanwhile.
  calls.call('listen').then(
    (socket) => setEnvironmentData(dataKey, socket),
    () => undefined,
  );
  return calls;
}
