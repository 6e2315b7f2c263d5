import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { createServerAuthority, type ServerAuthority } from './server-authority.ts';
import { SessionStore } from './session-store.ts';

/** Claims of each account, by its `sub`. */
export type Accounts = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export const clientId = 'kubernetes';
/** An algorithm, and a client whose ID tokens are signed by it. */
export const signedBy = { RS256: clientId, ES256: 'signed-by-ES256', PS256: 'signed-by-PS256' } as const;

export interface IdentityProviderOptions {
  readonly accounts: Accounts;
  /** How long ID tokens are valid; default: an hour. */
  readonly idTokenSeconds?: number;
}

/** npm's oidc-provider, as an organization would run one: accounts, public clients with PKCE, and keys that rotate. */
export class IdentityProvider {
  readonly authority: ServerAuthority;
  readonly #server: Server;
  readonly #options: IdentityProviderOptions;
  readonly #sessions = new SessionStore();
  #keys: object[] = [];
  #callback: ReturnType<Provider['callback']> | undefined;

  private constructor(options: IdentityProviderOptions) {
    this.#options = options;
    this.authority = createServerAuthority();
    const { cert, key } = this.authority;
    this.#server = createServer({ cert, key }, (request, response) => void this.#callback?.(request, response));
  }

  static async start(options: IdentityProviderOptions): Promise<IdentityProvider> {
    const provider = new IdentityProvider(options);
    await new Promise<void>((resolve) => provider.#server.listen(0, '127.0.0.1', resolve));
    provider.rotate();
    return provider;
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Signs with new keys from now on; the last ones are still published, older ones no longer. */
  rotate(): void {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' });
    const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
    this.#keys = [{ ...rsa, use: 'sig' }, { ...p256, use: 'sig' }, ...this.#keys.slice(0, 2)];
    const provider = new Provider(this.url, {
      adapter: (kind) => this.#sessions.adapter(kind),
      claims: {
        openid: ['sub'],
        email: ['email', 'email_verified'],
        groups: ['groups'],
        profile: ['name', 'preferred_username'],
      },
      clients: Object.entries(signedBy).map(([algorithm, id]) => ({
        client_id: id,
        application_type: 'native',
        grant_types: ['authorization_code', 'refresh_token'],
        redirect_uris: ['http://127.0.0.1/callback'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        id_token_signed_response_alg: algorithm,
      })),
      conformIdTokenClaims: false,
      cookies: { keys: ['a key of tests'] },
      jwks: { keys: this.#keys },
      scopes: ['openid', 'email', 'groups', 'profile', 'offline_access'],
      ttl: { IdToken: this.#options.idTokenSeconds ?? 3600, RefreshToken: 3600, Session: 3600, Grant: 3600 },
      findAccount: async (_context, accountId) => {
        const claims = this.#options.accounts[accountId];
        return claims === undefined ? undefined : { accountId, claims: async () => ({ sub: accountId, ...claims }) };
      },
    });
    this.#callback = provider.callback();
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
