import { runProcess } from '#shared/process/process-link.ts';
import { startExtensions } from './start-extensions.ts';

/** The extensions server as a process of its own: `quarterdeck extensions`. */
export async function main(argv: readonly string[]): Promise<void> {
  await runProcess('extensions', argv, startExtensions);
}
