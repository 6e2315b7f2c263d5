import { StoreFlagError } from '#servers/store/start/options.ts';
import { parseCommandLine } from './command-line.ts';
import type { CommandArguments, CommandSyntax } from './command-line.ts';
import { checkPki, copyPki, pkiFolderOf } from './copy-pki.ts';
import { compactStore, defragmentStore, deleteKey, storeAlarms } from './maintain-store.ts';
import { defaultBump } from './raise-revision.ts';
import { repairStore } from './repair-store.ts';
import { readSnapshot, restoreSnapshot, saveSnapshot } from './snapshot.ts';
import type { SnapshotStatus } from './snapshot.ts';
import { verifyStore } from './verify-store.ts';
import { withStore } from './with-store.ts';

/** A command with its syntax. `run` returns the exit code. */
interface Command extends CommandSyntax {
  readonly run: (given: CommandArguments) => number | Promise<number>;
}

/** The commands of the `store` sub-command; without one of them it serves. */
const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['verify', { run: verify, options: [] }],
  ['repair', { run: repair, options: ['new-data-dir', 'take-older', 'bump-revision'], needed: ['new-data-dir'] }],
  ['compact', { run: compact, options: ['revision'] }],
  ['defragment', { run: defragment, options: [] }],
  ['delete', { run: remove, options: ['etcd-prefix'], argument: 'KEY' }],
  ['alarm', { run: listAlarms, options: [] }],
  ['alarm list', { run: listAlarms, options: [] }],
  ['alarm disarm', { run: disarmAlarms, options: [] }],
  [
    'copy',
    {
      run: copy,
      options: [
        'etcd-servers',
        'etcd-cafile',
        'etcd-certfile',
        'etcd-keyfile',
        'etcd-prefix',
        'new-data-dir',
        'bump-revision',
      ],
      needed: ['etcd-servers'],
    },
  ],
  ['snapshot save', { run: save, options: ['with-pki'], argument: 'FILE' }],
  ['snapshot status', { run: status, options: [], argument: 'FILE' }],
  [
    'snapshot restore',
    { run: restore, options: ['bump-revision', 'with-pki'], needed: ['data-dir'], argument: 'FILE' },
  ],
]);

export const commandUsage = `Commands: quarterdeck store COMMAND --data-dir DIR
  verify                            read everything and name what is damaged; the store may be running.
                                    Ends with 1 when something is damaged
  repair --new-data-dir NEW         make a new store of what is whole, and name what is left out; nothing is changed in DIR.
         [--take-older]             take the older version that is whole where the newest is damaged. Ends with 1 when
                                    something was left out
  compact [--revision N]            remove what is older than a revision (default: the newest), and give its room back
  defragment                        rewrite the file without gaps; needs as much room again as the data has
  delete KEY [--etcd-prefix P]      remove one object by its key, such as /clusterroles/view, when it cannot be decoded
  alarm [list | disarm]             say which alarms are active; clear them
  copy --etcd-servers URL[,URL]     copy all that Kubernetes keeps into an empty etcd, and compare both sides
         [--new-data-dir NEW]       the other way: make a new store of what is in the etcd
         [--etcd-cafile, --etcd-certfile, --etcd-keyfile FILE] [--etcd-prefix /registry]
  snapshot save FILE [--with-pki]   save all data as of one moment; the store may be running. With keys and certificates
                                    (the folder pki beside DIR) in FILE.pki
  snapshot status FILE              read all of a snapshot, and say what it holds
  snapshot restore FILE             make the data directory DIR, which must be new, from a snapshot. Revisions go on
         [--bump-revision N]        N above its newest (default ${defaultBump}), so that who watches lists again
         [--with-pki]               with the keys and certificates in FILE.pki
`;

/**
 * Runs a command of the store.
 * @returns the exit code; undefined when `argv` names no command
 * @throws StoreFlagError
 */
export async function runCommand(argv: readonly string[]): Promise<number | undefined> {
  const words = argv[0] === 'snapshot' || (argv[0] === 'alarm' && argv[1]?.startsWith('-') === false) ? 2 : 1;
  const name = argv.slice(0, words).join(' ');
  const command = commands.get(name);
  if (command === undefined && words === 2)
    throw new StoreFlagError(
      `${name}: the commands are snapshot save, snapshot status, snapshot restore, alarm list and alarm disarm`,
    );
  return command?.run(parseCommandLine(name, argv.slice(words), command));
}

function verify({ dataDir }: CommandArguments): number {
  const { path, rows, revision, findings } = verifyStore(dataDir);
  for (const finding of findings) say(`${path}: ${finding}`);
  say(
    `${path}: ${rows} rows are whole, up to revision ${revision}; ${findings.length === 0 ? 'nothing is damaged' : `${findings.length} findings`}`,
  );
  return findings.length === 0 ? 0 : 1;
}

async function repair({ dataDir, newDataDir, takesOlder, bump }: CommandArguments): Promise<number> {
  const { keys, revision, leftOut } = await repairStore(dataDir, newDataDir ?? '', takesOlder, bump ?? defaultBump);
  for (const line of leftOut) say(`left out: ${line}`);
  say(
    `${newDataDir} holds ${keys} keys at revision ${revision}; ${leftOut.length === 0 ? 'nothing was left out' : `${leftOut.length} findings`}`,
  );
  return leftOut.length === 0 ? 0 : 1;
}

async function compact({ dataDir, revision }: CommandArguments): Promise<number> {
  const done = await withStore(dataDir, (etcd) => compactStore(etcd, revision));
  say(
    `${dataDir} is compacted at revision ${done.revision}: ${done.beforeBytes} bytes before, ${done.afterBytes} after`,
  );
  return 0;
}

async function defragment({ dataDir }: CommandArguments): Promise<number> {
  const { beforeBytes, afterBytes } = await withStore(dataDir, defragmentStore);
  say(`${dataDir} is rewritten: ${beforeBytes} bytes before, ${afterBytes} after`);
  return 0;
}

async function remove({ dataDir, argument, etcd: { prefix } }: CommandArguments): Promise<number> {
  const key = argument.startsWith(`${prefix}/`) ? argument : `${prefix}/${argument.replace(/^\/+/, '')}`;
  const wasThere = await withStore(dataDir, (etcd) => deleteKey(etcd, key));
  say(`${key} ${wasThere ? 'is removed' : 'was not there'}`);
  return wasThere ? 0 : 1;
}

async function listAlarms({ dataDir }: CommandArguments): Promise<number> {
  const names = await withStore(dataDir, (etcd) => storeAlarms(etcd, false));
  say(
    names.length === 0
      ? `${dataDir} has no alarm`
      : names.map((name) => `${name}: ${alarmMeanings.get(name) ?? ''}`).join('\n'),
  );
  return 0;
}

async function disarmAlarms({ dataDir }: CommandArguments): Promise<number> {
  const names = await withStore(dataDir, (etcd) => storeAlarms(etcd, true));
  say(names.length === 0 ? `${dataDir} has no alarm` : `cleared: ${names.join(', ')}`);
  return 0;
}

const alarmMeanings: ReadonlyMap<string, string> = new Map([
  ['NOSPACE', 'the disk or the quota is full; writes go on by themselves when there is room'],
  ['CORRUPT', '"quarterdeck store verify" lists what is damaged; writes are refused until "alarm disarm"'],
]);

/** Bump after a copy from etcd. That etcd is no longer written, so any higher revision is enough. */
const copyBump = 1000;

async function copy({ dataDir, newDataDir, bump, etcd }: CommandArguments): Promise<number> {
  const { copyFromEtcd, copyToEtcd } = await import('./copy-store.ts');
  const { Etcd3Transport } = await import('#shared/storage/etcd/etcd3-transport.ts');
  const other = new Etcd3Transport({ endpoints: etcd.endpoints, tls: etcd });
  const names = [newDataDir ?? dataDir, etcd.endpoints.join(',')];
  try {
    const report =
      newDataDir === undefined
        ? await withStore(dataDir, (store) => copyToEtcd(store, other, etcd.prefix, showProgress))
        : await copyFromEtcd(other, newDataDir, etcd.prefix, bump ?? copyBump, showProgress);
    endProgress();
    const [from, to] = newDataDir === undefined ? names : names.toReversed();
    const isEqual = report.sourceSum === report.targetSum;
    say(
      `${from} at revision ${report.revision}: ${report.keys} keys under ${etcd.prefix}, ${report.leased} of them with leases, SHA-256 ${report.sourceSum}`,
    );
    say(
      `${to} at revision ${report.targetRevision}: SHA-256 ${report.targetSum}; ${isEqual ? 'both sides are equal' : 'the sides differ: do not use the copy'}`,
    );
    return isEqual ? 0 : 1;
  } finally {
    await other.close();
  }
}

async function save({ dataDir, argument: file, withPki }: CommandArguments): Promise<number> {
  if (withPki) checkPki(pkiFolderOf(dataDir), `${file}.pki`);
  const saved = await saveSnapshot(dataDir, file, (part) => showProgress('saved', part));
  endProgress();
  if (withPki) copyPki(pkiFolderOf(dataDir), `${file}.pki`);
  printStatus(file, saved);
  return 0;
}

function status({ argument: file }: CommandArguments): number {
  printStatus(file, readSnapshot(file));
  return 0;
}

async function restore({ argument: file, dataDir, bump, withPki }: CommandArguments): Promise<number> {
  if (withPki) checkPki(`${file}.pki`, pkiFolderOf(dataDir));
  const revision = await restoreSnapshot(file, dataDir, bump ?? defaultBump);
  if (withPki) copyPki(`${file}.pki`, pkiFolderOf(dataDir));
  say(`${dataDir} is restored, at revision ${revision}`);
  return 0;
}

function printStatus(file: string, { keys, revision, bytes, sum }: SnapshotStatus): void {
  say(`${file}: ${keys} keys at revision ${revision}, ${bytes} bytes, SHA-256 ${sum}`);
}

/** Shows the progress in a line of the terminal that is overwritten; shows nothing if stderr is not a terminal. */
function showProgress(what: string, part: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${what}: ${Math.floor(part * 100)} % `);
}

/** Lets the next output overwrite the progress. */
function endProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r');
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
