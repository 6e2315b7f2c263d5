import { parseArgs } from 'node:util';
import { StoreFlagError } from '../options.ts';
import { verifyStore } from './verify-store.ts';

/** What the store can be told to do instead of serving: its first argument. */
const commands: ReadonlyMap<string, (dataDir: string) => number> = new Map([['verify', verify]]);

export const commandUsage = `Commands: quarterdeck store COMMAND --data-dir DIR
  verify                            read everything and name what is damaged; the store may be running.
                                    Ends with 1 when something is damaged
`;

/**
 * Runs a command of the store.
 * @returns the exit code; undefined when `argv` names no command
 * @throws StoreFlagError
 */
export function runCommand(argv: readonly string[]): number | undefined {
  const command = commands.get(argv[0] ?? '');
  return command?.(parseDataDir(argv.slice(1)));
}

function parseDataDir(argv: readonly string[]): string {
  try {
    const { values } = parseArgs({ args: [...argv], options: { 'data-dir': { type: 'string' } } });
    return values['data-dir'] ?? '.quarterdeck/store';
  } catch (error) {
    throw new StoreFlagError((error as Error).message, { cause: error });
  }
}

function verify(dataDir: string): number {
  const { path, rows, revision, findings } = verifyStore(dataDir);
  for (const finding of findings) process.stdout.write(`${path}: ${finding}\n`);
  process.stdout.write(`${path}: ${rows} rows are whole, up to revision ${revision}; ${findings.length === 0 ? 'nothing is damaged' : `${findings.length} findings`}\n`);
  return findings.length === 0 ? 0 : 1;
}
