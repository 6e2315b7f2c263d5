import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { isObject, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { startOurs, type Side } from '#test/compare/pair.ts';
import { KeyServer } from '#test/oidc/key-server.ts';
import { signToken } from '#test/oidc/sign-token.ts';
import { adminToken } from '#test/tokens.ts';
import { startHostileWebhook, type HostileWebhook } from './hostile-webhook.ts';

/** Names and values; a name may stand several times. */
export type Headers = readonly (readonly [string, string])[];

export interface Who {
  readonly status: number;
  readonly name: string;
  readonly groups: readonly string[];
}

/** Whom the server takes the first issuer's token for. */
export const alice: Who = {
  status: 201,
  name: 'first:one:alice',
  groups: ['first:one:dev', 'system:authenticated'],
};

/** A server that trusts two issuers, a token webhook and an authorization webhook, all of them in hostile hands. */
export class Target {
  readonly side: Side;
  readonly keyServer: KeyServer;
  readonly tokenWebhook: HostileWebhook;
  readonly accessWebhook: HostileWebhook;
  readonly keys: Readonly<Record<'one' | 'two', KeyObject>>;
  readonly #folder: string;
  // Over HTTP/2 the client makes one header of several.
  readonly #agent = new Agent({ connect: { rejectUnauthorized: false }, connections: 64, allowH2: false });

  private constructor(
    parts: Pick<Target, 'side' | 'keyServer' | 'tokenWebhook' | 'accessWebhook' | 'keys'>,
    folder: string,
  ) {
    this.side = parts.side;
    this.keyServer = parts.keyServer;
    this.tokenWebhook = parts.tokenWebhook;
    this.accessWebhook = parts.accessWebhook;
    this.keys = parts.keys;
    this.#folder = folder;
  }

  static async start(): Promise<Target> {
    const folder = mkdtempSync(join(tmpdir(), 'attack-issuers-'));
    const file = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text, { mode: 0o600 });
      return join(folder, name);
    };
    const key = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const keys = { one: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey, two: key() };
    const keyServer = await KeyServer.start();
    for (const [name, own] of Object.entries(keys)) keyServer.publish(name, { [`key of ${name}`]: own });
    const [tokenWebhook, accessWebhook] = [await startHostileWebhook(), await startHostileWebhook()];
    const access = {
      apiVersion: 'apiserver.config.k8s.io/v1',
      kind: 'AuthorizationConfiguration',
      authorizers: [
        { type: 'RBAC', name: 'rbac' },
        {
          type: 'Webhook',
          name: 'hostile',
          webhook: {
            timeout: '3s',
            failurePolicy: 'Deny',
            subjectAccessReviewVersion: 'v1',
            matchConditionSubjectAccessReviewVersion: 'v1',
            authorizedTTL: '60s',
            unauthorizedTTL: '60s',
            connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: file('access.json', accessWebhook.kubeconfig) },
            matchConditions: [{ expression: "request.user.startsWith('hook')" }],
          },
        },
      ],
    };
    const side = await startOurs({
      flags: [
        `--authentication-config=${file('authentication.json', JSON.stringify(authentication(keyServer, 'first:')))}`,
        `--authentication-token-webhook-config-file=${file('tokens.json', tokenWebhook.kubeconfig)}`,
        '--authentication-token-webhook-version=v1',
        `--authorization-config=${file('authorization.json', JSON.stringify(access))}`,
      ],
    });
    return new Target({ side, keyServer, tokenWebhook, accessWebhook, keys }, folder);
  }

  /** A token of an issuer, or of who pretends to be it. */
  token(
    issuer: 'one' | 'two',
    claims: Readonly<Record<string, unknown>> = {},
    { key = this.keys[issuer], header = {} }: { readonly key?: KeyObject; readonly header?: object } = {},
  ): string {
    const exp = Math.floor(Date.now() / 1000) + 3600;
    const own = {
      iss: `${this.keyServer.url}/${issuer}`,
      aud: `clients of ${issuer}`,
      sub: 'alice',
      groups: ['dev'],
      exp,
    };
    return signToken(key, { ...own, ...claims }, { ...header });
  }

  async who(token: string, headers: Headers = []): Promise<Who> {
    const { status, body } = await this.ask('/apis/authentication.k8s.io/v1/selfsubjectreviews', token, headers, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'SelfSubjectReview',
    });
    const info = isObject(body['status']) ? body['status']['userInfo'] : undefined;
    const { username = '', groups = [] } = (info ?? {}) as { username?: string; groups?: string[] };
    return { status, name: username, groups };
  }

  /** The status of a list that RBAC allows to nobody but administrators. */
  async mayList(user: string, headers: Headers = [], token = adminToken): Promise<number> {
    return (await this.ask('/api/v1/namespaces/default/configmaps', token, [['impersonate-user', user], ...headers]))
      .status;
  }

  async ask(
    path: string,
    token: string,
    headers: Headers = [],
    object?: JsonObject,
  ): Promise<{ readonly status: number; readonly body: JsonObject }> {
    const { statusCode, body } = await request(this.side.url + path, {
      method: object === undefined ? 'GET' : 'POST',
      dispatcher: this.#agent,
      headers: [['authorization', `Bearer ${token}`], ['content-type', 'application/json'], ...headers].flat(),
      body: object === undefined ? null : JSON.stringify(object),
    });
    const text = await body.text();
    // Some errors are plain text.
    return { status: statusCode, body: text.startsWith('{') ? (JSON.parse(text) as JsonObject) : {} };
  }

  /** Puts another configuration into the file at once. */
  reload(text: string): void {
    const path = join(this.#folder, 'authentication.json');
    writeFileSync(`${path}.new`, text, { mode: 0o600 });
    renameSync(`${path}.new`, path);
  }

  configuration(prefix: string): string {
    return JSON.stringify(authentication(this.keyServer, prefix));
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
    await this.side.close();
    for (const one of [this.keyServer, this.tokenWebhook, this.accessWebhook]) one.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function authentication(keyServer: KeyServer, prefix: string): JsonObject {
  const issuer = (name: string): JsonObject => ({
    issuer: {
      url: `${keyServer.url}/${name}`,
      audiences: [`clients of ${name}`],
      certificateAuthority: keyServer.authority.ca,
    },
    claimMappings: {
      username: { claim: 'sub', prefix: `${prefix}${name}:` },
      groups: { claim: 'groups', prefix: `${prefix}${name}:` },
    },
  });
  return {
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthenticationConfiguration',
    jwt: [issuer('one'), issuer('two')],
  };
}
