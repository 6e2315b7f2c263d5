import { runProcess } from '#shared/process/process-link.ts';
import { startCore } from './start-core.ts';

/** Runs the core server as a separate process: `quarterdeck core`. */
export async function main(argv: readonly string[]): Promise<void> {
  await runProcess('core', argv, startCore);
}
