import { runProcess } from '../../shared/process/process-link.ts';
import { startCore } from './start-core.ts';

/** The core server as a process of its own: `quarterdeck core`. */
export async function main(argv: readonly string[]): Promise<void> {
  await runProcess('core', argv, startCore);
}
