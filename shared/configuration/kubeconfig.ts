import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { aggregateMessages } from '#shared/apimachinery/errors/field-error.ts';
import { isObject, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { booleanAt, objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { DecodeError } from '#shared/serializer/decode-errors.ts';
import { ConfigurationError } from './decode-configuration.ts';
import { decodeKubeconfig } from './kubeconfig-file.ts';
import { authorization, impersonation, type KubeconfigUser } from './kubeconfig-user.ts';
import { readError } from './read-error.ts';

/** The server that the current context names. */
export interface KubeconfigTarget {
  readonly server: string;
  readonly caBundle?: Buffer;
  readonly isInsecure: boolean;
  readonly tlsServerName: string;
  readonly user: KubeconfigUser;
}

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
    return new Kubeconfig(bytes.length === 0 ? {} : decodeKubeconfig(bytes), dirname(resolve(file)));
  } catch (error) {
    throw error instanceof DecodeError
      ? new ConfigurationError(`error loading config file "${file}": ${error.message}`)
      : error;
  }
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
    refuse(userName, user, 'exec');
    refuse(userName, user, 'auth-provider');
    const caBundle = this.#content(cluster, 'certificate-authority');
    return {
      server: stringAt(cluster, 'server'),
      ...(caBundle !== undefined && { caBundle }),
      isInsecure: booleanAt(cluster, 'insecure-skip-tls-verify') ?? false,
      tlsServerName: stringAt(cluster, 'tls-server-name'),
      user: this.#credentials(user),
    };
  }

  /** The user of the current context; empty where there is none. */
  get currentUser(): string {
    return stringAt(this.#find('contexts', 'context', stringAt(this.#config, 'current-context')), 'user');
  }

  has(name: string): boolean {
    return this.#find('users', 'user', name) !== undefined;
  }

  /**
   * The user of this name, nobody where there is none.
   * @throws ConfigurationError in the reference's words for a user that cannot be used
   */
  user(name: string): KubeconfigUser {
    const user = this.#find('users', 'user', name) ?? {};
    if (isGiven(user, 'auth-provider')) throw new ConfigurationError('auth provider not supported');
    return this.#credentials(user);
  }

  /** @throws ConfigurationError if a user needs a program that tells who it is */
  refuseExec(): void {
    for (const { name, user } of objectsAt(this.#config, 'users'))
      refuse(typeof name === 'string' ? name : '', isObject(user) ? user : {}, 'exec');
  }

  #find(list: string, member: string, name: string): JsonObject | undefined {
    const found = objectsAt(this.#config, list).findLast((item) => stringAt(item, 'name') === name);
    return found === undefined ? undefined : (objectAt(found, member) ?? {});
  }

  #credentials(user: JsonObject): KubeconfigUser {
    const cert = this.#content(user, 'client-certificate');
    const key = cert === undefined ? undefined : this.#content(user, 'client-key');
    const token = this.#token(stringAt(user, 'token'), stringAt(user, 'tokenFile'));
    const basic = [stringAt(user, 'username'), stringAt(user, 'password')] as const;
    if (token !== '' && basic[0] !== '')
      throw new ConfigurationError('username/password or bearer token may be set, but not both');
    const certificate = cert === undefined || key === undefined ? undefined : { cert, key };
    return {
      ...(certificate !== undefined && { certificate }),
      headers: { ...authorization(token, basic), ...impersonation(user) },
    };
  }

  /** The file is read again and again, and wins over a token that is given, too, while it can be read. */
  #token(given: string, file: string): string {
    if (file === '') return given;
    try {
      const read = this.#read(file)?.toString('utf8').trim() ?? '';
      if (read !== '') return read;
      throw new ConfigurationError(`read empty token from file ${goQuote(resolve(this.#folder, file))}`);
    } catch (error) {
      if (given === '') throw error;
      return given;
    }
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

function isGiven(user: JsonObject, member: 'exec' | 'auth-provider'): boolean {
  return ![undefined, null, ''].includes(user[member] as string | null | undefined);
}

function refuse(name: string, user: JsonObject, method: 'exec' | 'auth-provider'): void {
  if (!isGiven(user, method)) return;
  throw new ConfigurationError(`user ${goQuote(name)}: ${method} is not available for webhooks; use another method`);
}

function invalidConfiguration(errors: readonly string[]): ConfigurationError {
  return new ConfigurationError(`invalid configuration: ${aggregateMessages(errors)}`);
}
