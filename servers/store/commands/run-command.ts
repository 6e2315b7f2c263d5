import { parseArgs } from 'node:util';
import type { EtcdTls } from '../../../shared/storage/etcd/etcd3-client.ts';
import { StoreFlagError } from '../start/options.ts';
import { checkPki, copyPki, pkiBeside } from './copy-pki.ts';
import { compactStore, defragmentStore, storeAlarms } from './maintain-store.ts';
import { defaultBump } from './raise-revision.ts';
import { repairStore } from './repair-store.ts';
import { readSnapshot, restoreSnapshot, saveSnapshot } from './snapshot.ts';
import type { SnapshotStatus } from './snapshot.ts';
import { verifyStore } from './verify-store.ts';
import { withStore } from './with-store.ts';

/** What follows the name of a command. */
interface Arguments {
  readonly dataDir: string;
  readonly newDataDir: string | undefined;
  readonly file: string;
  readonly bump: number;
  readonly takesOlder: boolean;
  readonly withPki: boolean;
  readonly revision: number;
  readonly etcd: EtcdOptions;
}

/** The etcd that is copied to or from. */
interface EtcdOptions extends EtcdTls {
  readonly endpoints: readonly string[];
  readonly prefix: string;
}

type Command = (given: Arguments) => number | Promise<number>;

/** What the store can be told to do instead of serving. */
const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['verify', verify],
  ['repair', repair],
  ['compact', compact],
  ['defragment', defragment],
  ['alarm', listAlarms],
  ['alarm list', listAlarms],
  ['alarm disarm', disarm],
  ['copy', copy],
  ['snapshot save', save],
  ['snapshot status', status],
  ['snapshot restore', restore],
]);

export const commandUsage = `Commands: quarterdeck store COMMAND --data-dir DIR
  verify                            read everything and name what is damaged; the store may be running.
                                    Ends with 1 when something is damaged
  repair --new-data-dir NEW         make a new store of what is whole, and name what is left out; nothing is changed in DIR.
         [--take-older]             take the older version that is whole where the newest is damaged. Ends with 1 when
                                    something was left out
  compact [--revision N]            remove what is older than a revision (default: the newest), and give its room back
  defragment                        rewrite the file without gaps; needs as much room again as the data has
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
  return command?.(parseArguments(name, argv.slice(words)));
}

const text = { type: 'string' } as const;
/** The etcd that is copied is written no more: it is enough to be above it. */
const copyBump = 1000;

function parseArguments(name: string, argv: readonly string[]): Arguments {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: name.startsWith('snapshot'),
      options: {
        'data-dir': text,
        'new-data-dir': text,
        'bump-revision': text,
        'take-older': { type: 'boolean' },
        'with-pki': { type: 'boolean' },
        'logging-format': text,
        revision: text,
        'etcd-servers': text,
        'etcd-cafile': text,
        'etcd-certfile': text,
        'etcd-keyfile': text,
        'etcd-prefix': text,
      },
    });
    const bump = values['bump-revision'] ?? String(name === 'copy' ? copyBump : defaultBump);
    const revision = values.revision ?? '0';
    if (!/^\d{1,15}$/.test(revision)) throw new Error(`--revision: ${JSON.stringify(revision)} is no number`);
    const endpoints = (values['etcd-servers'] ?? '').split(',').filter((url) => url !== '');
    for (const url of endpoints)
      if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
        throw new Error(`--etcd-servers: ${JSON.stringify(url)} is not an http or https address`);
    if (name === 'copy' && endpoints.length === 0)
      throw new Error('copy needs --etcd-servers, the addresses of an etcd');
    if (!/^[1-9]\d{0,14}$/.test(bump)) throw new Error(`--bump-revision: ${JSON.stringify(bump)} is no number above 0`);
    if (name.startsWith('snapshot') && positionals.length !== 1) throw new Error(`${name} takes one FILE`);
    if (name === 'snapshot restore' && values['data-dir'] === undefined)
      throw new Error('snapshot restore needs --data-dir, a directory that is new');
    return {
      dataDir: values['data-dir'] ?? '.quarterdeck/store',
      newDataDir: values['new-data-dir'],
      file: positionals[0] ?? '',
      bump: Number(bump),
      takesOlder: values['take-older'] ?? false,
      withPki: values['with-pki'] ?? false,
      revision: Number(revision),
      etcd: {
        endpoints,
        prefix: values['etcd-prefix'] ?? '/registry',
        caFile: values['etcd-cafile'],
        certFile: values['etcd-certfile'],
        keyFile: values['etcd-keyfile'],
      },
    };
  } catch (error) {
    throw new StoreFlagError((error as Error).message, { cause: error });
  }
}

function verify({ dataDir }: Arguments): number {
  const { path, rows, revision, findings } = verifyStore(dataDir);
  for (const finding of findings) say(`${path}: ${finding}`);
  say(
    `${path}: ${rows} rows are whole, up to revision ${revision}; ${findings.length === 0 ? 'nothing is damaged' : `${findings.length} findings`}`,
  );
  return findings.length === 0 ? 0 : 1;
}

async function repair({ dataDir, newDataDir, takesOlder, bump }: Arguments): Promise<number> {
  if (newDataDir === undefined) throw new StoreFlagError('repair needs --new-data-dir, a directory that is new');
  const { keys, revision, leftOut } = await repairStore(dataDir, newDataDir, takesOlder, bump);
  for (const line of leftOut) say(`left out: ${line}`);
  say(
    `${newDataDir} holds ${keys} keys at revision ${revision}; ${leftOut.length === 0 ? 'nothing was left out' : `${leftOut.length} findings`}`,
  );
  return leftOut.length === 0 ? 0 : 1;
}

async function compact({ dataDir, revision }: Arguments): Promise<number> {
  const done = await withStore(dataDir, (etcd) => compactStore(etcd, revision));
  say(
    `${dataDir} is compacted at revision ${done.revision}: ${done.beforeBytes} bytes before, ${done.afterBytes} after`,
  );
  return 0;
}

async function defragment({ dataDir }: Arguments): Promise<number> {
  const { beforeBytes, afterBytes } = await withStore(dataDir, defragmentStore);
  say(`${dataDir} is rewritten: ${beforeBytes} bytes before, ${afterBytes} after`);
  return 0;
}

async function listAlarms({ dataDir }: Arguments): Promise<number> {
  const names = await withStore(dataDir, (etcd) => storeAlarms(etcd, false));
  say(
    names.length === 0
      ? `${dataDir} has no alarm`
      : names.map((name) => `${name}: ${alarmMeanings.get(name) ?? ''}`).join('\n'),
  );
  return 0;
}

async function disarm({ dataDir }: Arguments): Promise<number> {
  const names = await withStore(dataDir, (etcd) => storeAlarms(etcd, true));
  say(names.length === 0 ? `${dataDir} has no alarm` : `cleared: ${names.join(', ')}`);
  return 0;
}

const alarmMeanings: ReadonlyMap<string, string> = new Map([
  ['NOSPACE', 'the disk or the quota is full; writes go on by themselves when there is room'],
  ['CORRUPT', '"quarterdeck store verify" lists what is damaged; writes are refused until "alarm disarm"'],
]);

async function copy({ dataDir, newDataDir, bump, etcd }: Arguments): Promise<number> {
  const { copyFromEtcd, copyToEtcd } = await import('./copy-store.ts');
  const { Etcd3Transport } = await import('../../../shared/storage/etcd/etcd3-transport.ts');
  const other = new Etcd3Transport({ endpoints: etcd.endpoints, tls: etcd });
  const isTerminal = process.stderr.isTTY;
  const onProgress = (what: string, part: number): void =>
    void (isTerminal && process.stderr.write(`\r${what}: ${Math.floor(part * 100)} % `));
  try {
    const report =
      newDataDir === undefined
        ? await withStore(dataDir, (store) => copyToEtcd(store, other, etcd.prefix, onProgress))
        : await copyFromEtcd(other, newDataDir, etcd.prefix, bump, onProgress);
    if (isTerminal) process.stderr.write('\r');
    const [from, to] =
      newDataDir === undefined ? [dataDir, etcd.endpoints.join(',')] : [etcd.endpoints.join(','), newDataDir];
    say(
      `${from} at revision ${report.revision}: ${report.keys} keys under ${etcd.prefix}, ${report.leased} of them with leases, SHA-256 ${report.sourceSum}`,
    );
    say(
      `${to} at revision ${report.targetRevision}: SHA-256 ${report.targetSum}; ${report.sourceSum === report.targetSum ? 'both sides are equal' : 'THE SIDES DIFFER: use the copy for nothing'}`,
    );
    return report.sourceSum === report.targetSum ? 0 : 1;
  } finally {
    await other.close();
  }
}

async function save({ dataDir, file, withPki }: Arguments): Promise<number> {
  if (withPki) checkPki(pkiBeside(dataDir), `${file}.pki`);
  const isTerminal = process.stderr.isTTY;
  const saved = await saveSnapshot(
    dataDir,
    file,
    (part) => void (isTerminal && process.stderr.write(`\r${Math.floor(part * 100)} %`)),
  );
  if (isTerminal) process.stderr.write('\r');
  if (withPki) copyPki(pkiBeside(dataDir), `${file}.pki`);
  sayStatus(file, saved);
  return 0;
}

function status({ file }: Arguments): number {
  sayStatus(file, readSnapshot(file));
  return 0;
}

async function restore({ file, dataDir, bump, withPki }: Arguments): Promise<number> {
  if (withPki) checkPki(`${file}.pki`, pkiBeside(dataDir));
  const revision = await restoreSnapshot(file, dataDir, bump);
  if (withPki) copyPki(`${file}.pki`, pkiBeside(dataDir));
  say(`${dataDir} is restored, at revision ${revision}`);
  return 0;
}

function sayStatus(file: string, { keys, revision, bytes, sum }: SnapshotStatus): void {
  say(`${file}: ${keys} keys at revision ${revision}, ${bytes} bytes, SHA-256 ${sum}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
