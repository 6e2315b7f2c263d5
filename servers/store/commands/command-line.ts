import { parseArgs } from 'node:util';
import { emptyPath, StoreFlagError } from '#servers/store/start/options.ts';
import { canonicalEndpoint } from '#shared/storage/create/etcd-endpoint.ts';
import type { EtcdTls } from '#shared/storage/etcd/etcd3-client.ts';

/** The arguments of a command. Options that the command does not take have their defaults. */
export interface CommandArguments {
  readonly dataDir: string;
  readonly newDataDir: string | undefined;
  /** The FILE or KEY; empty for commands without one. */
  readonly argument: string;
  /** By how much the revision is raised; undefined: by the command's default. */
  readonly bump: number | undefined;
  readonly takesOlder: boolean;
  readonly withPki: boolean;
  /** Value of `--revision`; 0 stands for the newest. */
  readonly revision: number;
  readonly etcd: EtcdOptions;
}

/** The etcd that a copy reads from or writes to. */
export interface EtcdOptions extends EtcdTls {
  readonly endpoints: readonly string[];
  readonly prefix: string;
}

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

/** The options of all commands. */
const commandOptions = {
  'data-dir': text,
  'logging-format': text,
  'new-data-dir': text,
  'bump-revision': text,
  'take-older': flag,
  'with-pki': flag,
  revision: text,
  'etcd-servers': text,
  'etcd-cafile': text,
  'etcd-certfile': text,
  'etcd-keyfile': text,
  'etcd-prefix': text,
} as const;

export type CommandOption = keyof typeof commandOptions;

/** The options and arguments of a command, beside `--data-dir` and `--logging-format`, which every command takes. */
export interface CommandSyntax {
  readonly options: readonly CommandOption[];
  /** The required ones among `options`. */
  readonly needed?: readonly CommandOption[];
  readonly argument?: 'FILE' | 'KEY';
}

/** @throws StoreFlagError for unknown or invalid arguments, and for missing ones */
export function parseCommandLine(name: string, argv: readonly string[], syntax: CommandSyntax): CommandArguments {
  const { values, positionals } = parsed(name, argv, syntax);
  const { argument } = syntax;
  if (argument !== undefined && positionals.length !== 1) throw new StoreFlagError(`${name} takes one ${argument}`);
  for (const option of ['data-dir', 'new-data-dir'] as const)
    if (values[option]?.trim() === '') throw new StoreFlagError(emptyPath(`--${option}`));
  if (positionals[0]?.trim() === '') throw new StoreFlagError(emptyPath(argument ?? ''));
  for (const option of syntax.needed ?? [])
    if ((values[option] ?? '') === '') throw new StoreFlagError(`${name} needs --${option}`);
  return {
    dataDir: values['data-dir'] ?? '.quarterdeck/store',
    newDataDir: values['new-data-dir'],
    argument: positionals[0] ?? '',
    bump: parseNumber('--bump-revision', values['bump-revision'], 1),
    takesOlder: values['take-older'] ?? false,
    withPki: values['with-pki'] ?? false,
    revision: parseNumber('--revision', values.revision, 0) ?? 0,
    etcd: {
      endpoints: parseEndpoints(
        values['etcd-servers'] ?? '',
        values['etcd-cafile'] !== undefined || values['etcd-certfile'] !== undefined,
      ),
      prefix: values['etcd-prefix'] ?? '/registry',
      caFile: values['etcd-cafile'],
      certFile: values['etcd-certfile'],
      keyFile: values['etcd-keyfile'],
    },
  };
}

function parsed(name: string, argv: readonly string[], { options, argument }: CommandSyntax) {
  try {
    const found = parseArgs({ args: [...argv], allowPositionals: argument !== undefined, options: commandOptions });
    const taken: readonly string[] = ['data-dir', 'logging-format', ...options];
    const other = Object.keys(found.values).find((option) => !taken.includes(option));
    if (other !== undefined) throw new Error(`${name} takes no --${other}`);
    return found;
  } catch (error) {
    throw new StoreFlagError((error as Error).message, { cause: error });
  }
}

function parseEndpoints(list: string, hasTls: boolean): string[] {
  const endpoints = list.split(',').filter((text) => text.trim() !== '');
  return endpoints.map((text) => {
    const endpoint = canonicalEndpoint(text, hasTls);
    if (endpoint === undefined)
      throw new StoreFlagError(
        `--etcd-servers: ${JSON.stringify(text)} is no address of an etcd: give scheme://host:port, such as http://127.0.0.1:2379`,
      );
    return endpoint;
  });
}

function parseNumber(option: string, given: string | undefined, least: number): number | undefined {
  if (given === undefined) return undefined;
  if (!/^\d{1,15}$/.test(given) || Number(given) < least)
    throw new StoreFlagError(`${option}: ${JSON.stringify(given)} is no number from ${least} on`);
  return Number(given);
}
