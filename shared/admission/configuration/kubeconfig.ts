import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { aggregateMessages } from '#shared/apimachinery/errors/field-error.ts';
import { formatGroupVersion } from '#shared/apimachinery/gvk.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { booleanAt, objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { decodeText } from '#shared/serializer/codec.ts';
import { DecodeError, notRegisteredText } from '#shared/serializer/decode-errors.ts';
import { yamlType } from '#shared/serializer/negotiate.ts';
import { readError } from './admission-file.ts';
import { schemaOfKind, type ConfigurationScheme } from './configuration-scheme.ts';
import { ConfigurationError } from './decode-configuration.ts';

/** How the server proves who it is. Files are read when the kubeconfig is. */
export interface KubeconfigUser {
  readonly clientCertificate?: Buffer;
  readonly clientKey?: Buffer;
  readonly token?: string;
  readonly basic?: { readonly username: string; readonly password: string };
}

/** The server that the current context names. */
export interface KubeconfigTarget {
  readonly server: string;
  readonly caBundle?: Buffer;
  readonly isInsecure: boolean;
  readonly tlsServerName: string;
  readonly user: KubeconfigUser;
}

const types: ConfigurationScheme['types'] = {
  Config: [
    ['current-context', 0, 'string', ''],
    ['contexts', 0, '[]#NamedContext', ''],
    ['clusters', 0, '[]#NamedCluster', ''],
    ['users', 0, '[]#NamedAuthInfo', ''],
  ],
  NamedContext: [
    ['name', 0, 'string', ''],
    ['context', 0, '#Context', ''],
  ],
  Context: ['cluster', 'user'].map((name) => [name, 0, 'string', '']),
  NamedCluster: [
    ['name', 0, 'string', ''],
    ['cluster', 0, '#Cluster', ''],
  ],
  Cluster: [
    ...['server', 'tls-server-name', 'certificate-authority', 'proxy-url'].map(
      (name) => [name, 0, 'string', 'e'] as const,
    ),
    ['insecure-skip-tls-verify', 0, 'bool', 'e'],
    ['certificate-authority-data', 0, 'bytes', 'e'],
  ],
  NamedAuthInfo: [
    ['name', 0, 'string', ''],
    ['user', 0, '#AuthInfo', ''],
  ],
  AuthInfo: [
    ...['client-certificate', 'client-key', 'token', 'tokenFile', 'username', 'password', 'as'].map(
      (name) => [name, 0, 'string', 'e'] as const,
    ),
    ...['client-certificate-data', 'client-key-data'].map((name) => [name, 0, 'bytes', 'e'] as const),
    ['exec', 0, 'json', 'p'],
    ['auth-provider', 0, 'json', 'p'],
  ],
};

/** The error of a cluster that is empty or missing. */
const noServer = 'cluster has no server defined';

/**
 * Reads a kubeconfig, as client-go does.
 * @throws ConfigurationError
 */
export function readKubeconfig(file: string): Kubeconfig {
  if (file === '') return new Kubeconfig({}, '.');
  let bytes;
  try {
    statSync(file);
    bytes = readFileSync(file);
  } catch (error) {
    throw new ConfigurationError(readError(error, file));
  }
  try {
    return new Kubeconfig(bytes.length === 0 ? {} : decode(bytes), dirname(resolve(file)));
  } catch (error) {
    throw error instanceof DecodeError
      ? new ConfigurationError(`error loading config file "${file}": ${error.message}`)
      : error;
  }
}

function decode(bytes: Uint8Array): JsonObject {
  const schema = schemaOfKind({ isStrict: false, kinds: [], types }, 'Config', 'v1');
  const { object } = atOnce(
    decodeText(
      {
        schema(group, version, kind) {
          if (kind === 'Config' && formatGroupVersion({ group, version }) === 'v1') return schema;
          throw new DecodeError(notRegisteredText({ group, version, kind }), undefined);
        },
      },
      yamlType,
      bytes,
      { defaultGvk: { group: '', version: 'v1', kind: 'Config' }, fieldValidation: 'Ignore' },
    ),
  );
  return object;
}

/** A kubeconfig file. Paths in it are relative to its folder. */
export class Kubeconfig {
  readonly #config: JsonObject;
  readonly #folder: string;

  constructor(config: JsonObject, folder: string) {
    this.#config = config;
    this.#folder = folder;
  }

  /**
   * The server and the user of the current context.
   * @throws ConfigurationError
   */
  target(): KubeconfigTarget {
    const name = stringAt(this.#config, 'current-context');
    const context = this.#find('contexts', 'context', name);
    const [clusterName, userName] = [stringAt(context, 'cluster'), stringAt(context, 'user')];
    const cluster = this.#find('clusters', 'cluster', clusterName) ?? {};
    const user = this.#find('users', 'user', userName) ?? {};
    const errors = [
      ...(name === '' || context !== undefined ? [] : [`context was not found for specified context: ${name}`]),
      ...this.#userErrors(userName, user),
      ...this.#clusterErrors(clusterName, cluster),
    ];
    if (errors.length === 1 && errors[0] === noServer)
      throw invalidConfiguration([
        'no configuration has been provided, try setting KUBERNETES_MASTER environment variable',
      ]);
    if (errors.length > 0) throw invalidConfiguration(errors);
    const caBundle = this.#content(cluster, 'certificate-authority');
    return {
      server: stringAt(cluster, 'server'),
      ...(caBundle !== undefined && { caBundle }),
      isInsecure: booleanAt(cluster, 'insecure-skip-tls-verify') ?? false,
      tlsServerName: stringAt(cluster, 'tls-server-name'),
      user: this.#credentials(userName, user),
    };
  }

  /**
   * The user of this name; undefined where there is none.
   * @throws ConfigurationError
   */
  user(name: string): KubeconfigUser | undefined {
    const user = this.#find('users', 'user', name);
    return user === undefined ? undefined : this.#credentials(name, user);
  }

  #find(list: string, member: string, name: string): JsonObject | undefined {
    const found = objectsAt(this.#config, list).findLast((item) => stringAt(item, 'name') === name);
    return found === undefined ? undefined : (objectAt(found, member) ?? {});
  }

  #credentials(name: string, user: JsonObject): KubeconfigUser {
    for (const method of ['exec', 'auth-provider', 'as'] as const)
      if (![undefined, null, ''].includes(user[method] as string | null | undefined))
        throw new ConfigurationError(
          `user ${goQuote(name)}: ${method} is not available for webhooks; use another method`,
        );
    const clientCertificate = this.#content(user, 'client-certificate');
    const clientKey = this.#content(user, 'client-key');
    const token = stringAt(user, 'token') || this.#read(stringAt(user, 'tokenFile'))?.toString('utf8').trim() || '';
    const [username, password] = [stringAt(user, 'username'), stringAt(user, 'password')];
    return {
      ...(clientCertificate !== undefined && { clientCertificate }),
      ...(clientKey !== undefined && { clientKey }),
      ...(token !== '' && { token }),
      ...((username !== '' || password !== '') && { basic: { username, password } }),
    };
  }

  /** The bytes in `<name>-data`, or those of the file that `<name>` names. */
  #content(object: JsonObject | undefined, name: string): Buffer | undefined {
    const data = stringAt(object, `${name}-data`);
    return data === '' ? this.#read(stringAt(object, name)) : Buffer.from(data, 'base64');
  }

  #read(path: string): Buffer | undefined {
    if (path === '') return undefined;
    const file = resolve(this.#folder, path);
    try {
      return readFileSync(file);
    } catch (error) {
      throw new ConfigurationError(readError(error, file));
    }
  }

  #fileErrors(object: JsonObject, name: string, owner: string, shown: string): string[] {
    try {
      this.#read(stringAt(object, name));
      return [];
    } catch (error) {
      const file = resolve(this.#folder, stringAt(object, name));
      return [`unable to read ${shown} ${file} for ${owner} due to ${(error as Error).message}`];
    }
  }

  #clusterErrors(name: string, cluster: JsonObject): string[] {
    if (Object.keys(cluster).length === 0) return [noServer];
    const errors = stringAt(cluster, 'server') === '' ? [`no server found for cluster ${goQuote(name)}`] : [];
    const proxy = stringAt(cluster, 'proxy-url');
    if (proxy !== '')
      errors.push(`proxy-url ${goQuote(proxy)} of cluster ${goQuote(name)} is not available for webhooks`);
    if (stringAt(cluster, 'certificate-authority') !== '' && stringAt(cluster, 'certificate-authority-data') !== '')
      errors.push(
        `certificate-authority-data and certificate-authority are both specified for ${name}. certificate-authority-data will override.`,
      );
    return [...errors, ...this.#fileErrors(cluster, 'certificate-authority', name, 'certificate-authority')];
  }

  #userErrors(name: string, user: JsonObject): string[] {
    const has = (member: string): boolean => stringAt(user, member) !== '';
    const errors: string[] = [];
    if (has('client-certificate') || has('client-certificate-data')) {
      if (has('client-certificate') && has('client-certificate-data'))
        errors.push(`client-cert-data and client-cert are both specified for ${name}. client-cert-data will override.`);
      if (has('client-key') && has('client-key-data'))
        errors.push(`client-key-data and client-key are both specified for ${name}; client-key-data will override`);
      if (!has('client-key') && !has('client-key-data'))
        errors.push(
          `client-key-data or client-key must be specified for ${name} to use the clientCert authentication method.`,
        );
      errors.push(...this.#fileErrors(user, 'client-certificate', name, 'client-cert'));
      errors.push(...this.#fileErrors(user, 'client-key', name, 'client-key'));
    }
    if (has('token') && (has('username') || has('password')))
      errors.push(
        `more than one authentication method found for ${name}; found [token basicAuth], only one is allowed`,
      );
    return errors;
  }
}

function invalidConfiguration(errors: readonly string[]): ConfigurationError {
  return new ConfigurationError(`invalid configuration: ${aggregateMessages(errors)}`);
}
