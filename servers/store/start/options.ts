import { parseArgs } from 'node:util';

export interface StoreTls {
  readonly certFile: string;
  readonly keyFile: string;
  /** Whether clients must present a certificate of `trustedCaFile`. */
  readonly clientCertAuth: boolean;
  readonly trustedCaFile: string | undefined;
}

export interface StoreOptions {
  readonly dataDir: string;
  /** `http://HOST:PORT` or `https://…`; with port 0 a free port is chosen. */
  readonly listenClientUrls?: readonly string[] | undefined;
  /** The URLs in the member list. If absent: the addresses of the listeners. */
  readonly advertiseClientUrls?: readonly string[] | undefined;
  /** Path of the socket for the frame protocol; only the user should have access to its folder. */
  readonly listenUnixSocket?: string | undefined;
  /** Whether the socket's path is written to a file, by which the store's commands find it. Default: true. */
  readonly tellsAddress?: boolean | undefined;
  readonly tls?: StoreTls | undefined;
  /** If 0 or absent: etcd's default of 2 GiB. */
  readonly quotaBackendBytes?: number | undefined;
  /** If absent, the store compacts only when clients ask for it (kube-apiserver does). */
  readonly autoCompaction?: AutoCompaction | undefined;
  /** Disk space reserved for deletions on a full disk; 0 for none. If absent: 1 % of the file system, within bounds. */
  readonly reserveBytes?: number | undefined;
  /** Leaves it to the system when writes reach the disk: a power failure may lose some. Default: false. */
  readonly unsafeNoFsync?: boolean | undefined;
  /** Size of the latest writes that are kept in memory, in bytes. */
  readonly recentValueBytes?: number | undefined;
}

export type AutoCompaction =
  | { readonly mode: 'periodic'; readonly retentionMs: number }
  /** Keeps the last `retention` revisions. */
  | { readonly mode: 'revision'; readonly retention: number };

/** An unknown or invalid flag. */
export class StoreFlagError extends Error {
  override readonly name = 'StoreFlagError';
}

export const storeUsage = `Usage: quarterdeck store [flags]
  --data-dir DIR                    where the data is (default .quarterdeck/store)
  --listen-client-urls URL[,URL]    http:// or https:// addresses for the etcd v3 gRPC API (default http://127.0.0.1:2379)
  --advertise-client-urls URL[,URL] addresses that clients are told (default: those of --listen-client-urls)
  --listen-unix-socket PATH         socket for the frame protocol of Quarterdeck's own servers
  --cert-file, --key-file FILE      certificate and key for https addresses
  --client-cert-auth                ask clients for a certificate of --trusted-ca-file
  --trusted-ca-file FILE
  --quota-backend-bytes N           refuse writes when the file holds more (default 2 GiB)
  --auto-compaction-mode MODE       periodic (default) or revision
  --logging-format FORMAT           text (default) or json, for what it says of itself
  --auto-compaction-retention N     how long (1h, 30m; a bare number is hours) or how many revisions to keep; 0: off
  --listen-peer-urls URL[,URL]      etcd's; without effect, since there are no other members
  --unsafe-no-fsync                 do not wait for the disk: a power failure may lose acknowledged writes
`;

const booleanFlags = ['client-cert-auth', 'unsafe-no-fsync'] as const;

/** @throws StoreFlagError */
export function parseStoreFlags(argv: readonly string[]): StoreOptions {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  let values;
  try {
    ({ values } = parseArgs({
      args: argv.flatMap(withoutBooleanValue),
      options: {
        'data-dir': text,
        'listen-client-urls': text,
        'listen-unix-socket': text,
        'cert-file': text,
        'key-file': text,
        'client-cert-auth': flag,
        'advertise-client-urls': text,
        'listen-peer-urls': text,
        'unsafe-no-fsync': flag,
        'trusted-ca-file': text,
        'quota-backend-bytes': text,
        'auto-compaction-mode': text,
        'auto-compaction-retention': text,
        'logging-format': text,
      },
    }));
  } catch (error) {
    throw new StoreFlagError((error as Error).message, { cause: error });
  }
  const format = values['logging-format'] ?? 'text';
  if (!['text', 'json'].includes(format))
    throw new StoreFlagError(`--logging-format: ${JSON.stringify(format)} is neither text nor json`);
  for (const name of ['data-dir', 'listen-unix-socket'] as const)
    if (values[name]?.trim() === '') throw new StoreFlagError(emptyPath(`--${name}`));
  const urls = parseUrls('--listen-client-urls', values['listen-client-urls'] ?? 'http://127.0.0.1:2379');
  const advertised = values['advertise-client-urls'];
  parseUrls('--listen-peer-urls', values['listen-peer-urls'] ?? '');
  return {
    dataDir: values['data-dir'] ?? '.quarterdeck/store',
    listenClientUrls: urls,
    advertiseClientUrls: advertised === undefined ? undefined : parseUrls('--advertise-client-urls', advertised),
    listenUnixSocket: values['listen-unix-socket'],
    tls: parseTls(urls, values),
    unsafeNoFsync: values['unsafe-no-fsync'],
    quotaBackendBytes: parseCount('--quota-backend-bytes', values['quota-backend-bytes'] ?? '0'),
    autoCompaction: parseAutoCompaction(
      values['auto-compaction-mode'] ?? 'periodic',
      values['auto-compaction-retention'] ?? '0',
    ),
  };
}

/** Why a path that this process would write to may not be empty: it would stand for the current folder. */
export function emptyPath(what: string): string {
  return `${what} "" names nothing (is a variable not set?): name a path, or leave it out`;
}

/** Converts `--flag=true` and `--flag=false`, which `parseArgs` does not support. */
function withoutBooleanValue(argument: string): string[] {
  const name = booleanFlags.find((flag) => argument === `--${flag}=true` || argument === `--${flag}=false`);
  if (name === undefined) return [argument];
  return argument.endsWith('=true') ? [`--${name}`] : [];
}

function parseUrls(flag: string, text: string): string[] {
  const urls = text.split(',').filter((url) => url !== '');
  for (const url of urls) {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
      throw new StoreFlagError(`${flag}: ${JSON.stringify(url)} is not an http or https address`);
  }
  return urls;
}

function parseTls(
  urls: readonly string[],
  values: {
    'cert-file'?: string | undefined;
    'key-file'?: string | undefined;
    'client-cert-auth'?: boolean | undefined;
    'trusted-ca-file'?: string | undefined;
  },
): StoreTls | undefined {
  // As in etcd, an empty name is no file.
  const [certFile, keyFile, trustedCaFile] = [values['cert-file'], values['key-file'], values['trusted-ca-file']].map(
    (path) => path || undefined,
  );
  const clientCertAuth = values['client-cert-auth'] ?? false;
  const secure = urls.find((url) => url.startsWith('https:'));
  if (certFile === undefined || keyFile === undefined) {
    if (secure !== undefined) throw new StoreFlagError(`${secure} needs --cert-file and --key-file`);
    return undefined;
  }
  if (clientCertAuth && trustedCaFile === undefined)
    throw new StoreFlagError('--client-cert-auth needs --trusted-ca-file');
  return { certFile, keyFile, clientCertAuth, trustedCaFile };
}

function parseAutoCompaction(mode: string, retention: string): AutoCompaction | undefined {
  if (mode === 'revision') {
    const revisions = parseCount('--auto-compaction-retention', retention);
    return revisions === 0 ? undefined : { mode, retention: revisions };
  }
  if (mode !== 'periodic')
    throw new StoreFlagError(`--auto-compaction-mode: ${JSON.stringify(mode)} is neither periodic nor revision`);
  const units = new Map([
    ['h', 3_600_000],
    ['m', 60_000],
    ['s', 1000],
  ]);
  const hours = /^\d+$/.test(retention) ? `${retention}h` : retention;
  if (!/^(\d+[hms])+$/.test(hours))
    throw new StoreFlagError(
      `--auto-compaction-retention: ${JSON.stringify(retention)} is no duration: write 1h or 30m`,
    );
  const retentionMs = [...hours.matchAll(/(\d+)([hms])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * (units.get(unit ?? '') ?? 0),
    0,
  );
  return retentionMs === 0 ? undefined : { mode, retentionMs };
}

function parseCount(flag: string, value: string): number {
  if (!/^\d+$/.test(value)) throw new StoreFlagError(`${flag}: ${JSON.stringify(value)} is no number`);
  return Number(value);
}
