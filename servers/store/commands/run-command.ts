import { parseArgs } from 'node:util';
import { StoreFlagError } from '../options.ts';
import { defaultBump } from './raise-revision.ts';
import { repairStore } from './repair-store.ts';
import { readSnapshot, restoreSnapshot, saveSnapshot } from './snapshot.ts';
import type { SnapshotStatus } from './snapshot.ts';
import { verifyStore } from './verify-store.ts';

/** What follows the name of a command. */
interface Arguments {
  readonly dataDir: string;
  readonly newDataDir: string | undefined;
  readonly file: string;
  readonly bump: number;
  readonly takesOlder: boolean;
}

type Command = (given: Arguments) => number | Promise<number>;

/** What the store can be told to do instead of serving. */
const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['verify', verify], ['repair', repair], ['snapshot save', save], ['snapshot status', status], ['snapshot restore', restore],
]);

export const commandUsage = `Commands: quarterdeck store COMMAND --data-dir DIR
  verify                            read everything and name what is damaged; the store may be running.
                                    Ends with 1 when something is damaged
  repair --new-data-dir NEW         make a new store of what is whole, and name what is left out; nothing is changed in DIR.
         [--take-older]             take the older version that is whole where the newest is damaged. Ends with 1 when
                                    something was left out
  snapshot save FILE                save all data as of one moment; the store may be running
  snapshot status FILE              read all of a snapshot, and say what it holds
  snapshot restore FILE             make the data directory DIR, which must be new, from a snapshot. Revisions go on
         [--bump-revision N]        N above its newest (default ${defaultBump}), so that who watches lists again
`;

/**
 * Runs a command of the store.
 * @returns the exit code; undefined when \`argv\` names no command
 * @throws StoreFlagError
 */
export async function runCommand(argv: readonly string[]): Promise<number | undefined> {
  const words = argv[0] === 'snapshot' ? 2 : 1;
  const name = argv.slice(0, words).join(' ');
  const command = commands.get(name);
  if (command === undefined && words === 2) throw new StoreFlagError(`${name}: the commands are snapshot save, snapshot status and snapshot restore`);
  return command?.(parseArguments(name, argv.slice(words)));
}

function parseArguments(name: string, argv: readonly string[]): Arguments {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv], allowPositionals: name.startsWith('snapshot'),
      options: { 'data-dir': { type: 'string' }, 'new-data-dir': { type: 'string' }, 'bump-revision': { type: 'string' }, 'take-older': { type: 'boolean' }, 'logging-format': { type: 'string' } },
    });
    const bump = values['bump-revision'] ?? String(defaultBump);
    if (!/^[1-9]\d{0,14}$/.test(bump)) throw new Error(`--bump-revision: ${JSON.stringify(bump)} is no number above 0`);
    if (name.startsWith('snapshot') && positionals.length !== 1) throw new Error(`${name} takes one FILE`);
    if (name === 'snapshot restore' && values['data-dir'] === undefined) throw new Error('snapshot restore needs --data-dir, a directory that is new');
    return {
      dataDir: values['data-dir'] ?? '.quarterdeck/store', newDataDir: values['new-data-dir'], file: positionals[0] ?? '', bump: Number(bump), takesOlder: values['take-older'] ?? false,
    };
  } catch (error) {
    throw new StoreFlagError((error as Error).message, { cause: error });
  }
}

function verify({ dataDir }: Arguments): number {
  const { path, rows, revision, findings } = verifyStore(dataDir);
  for (const finding of findings) say(`${path}: ${finding}`);
  say(`${path}: ${rows} rows are whole, up to revision ${revision}; ${findings.length === 0 ? 'nothing is damaged' : `${findings.length} findings`}`);
  return findings.length === 0 ? 0 : 1;
}

async function repair({ dataDir, newDataDir, takesOlder, bump }: Arguments): Promise<number> {
  if (newDataDir === undefined) throw new StoreFlagError('repair needs --new-data-dir, a directory that is new');
  const { keys, revision, leftOut } = await repairStore(dataDir, newDataDir, takesOlder, bump);
  for (const line of leftOut) say(`left out: ${line}`);
  say(`${newDataDir} holds ${keys} keys at revision ${revision}; ${leftOut.length === 0 ? 'nothing was left out' : `${leftOut.length} findings`}`);
  return leftOut.length === 0 ? 0 : 1;
}

async function save({ dataDir, file }: Arguments): Promise<number> {
  const isTerminal = process.stderr.isTTY;
  const saved = await saveSnapshot(dataDir, file, (part) => void (isTerminal && process.stderr.write(`\r${Math.floor(part * 100)} %`)));
  if (isTerminal) process.stderr.write('\r');
  sayStatus(file, saved);
  return 0;
}

function status({ file }: Arguments): number {
  sayStatus(file, readSnapshot(file));
  return 0;
}

async function restore({ file, dataDir, bump }: Arguments): Promise<number> {
  const revision = await restoreSnapshot(file, dataDir, bump);
  say(`${dataDir} is restored, at revision ${revision}`);
  return 0;
}

function sayStatus(file: string, { keys, revision, bytes, sum }: SnapshotStatus): void {
  say(`${file}: ${keys} keys at revision ${revision}, ${bytes} bytes, SHA-256 ${sum}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
