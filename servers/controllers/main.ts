import { runProcess } from '#shared/process/process-link.ts';
import { startControllersProcess } from './start-process.ts';

/** The `controllers` sub-command, which the launcher also runs as a child process. */
export async function main(argv: readonly string[]): Promise<void> {
  await runProcess('controllers', argv, async (options) => startControllersProcess(options));
}
