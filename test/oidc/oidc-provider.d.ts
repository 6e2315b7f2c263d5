// The part of oidc-provider, which ships no types, that tests use.
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export interface Account {
    readonly accountId: string;
    claims(): Promise<Readonly<Record<string, unknown>>>;
  }

  export interface ClientMetadata {
    readonly client_id: string;
    readonly application_type: 'native';
    readonly grant_types: readonly string[];
    readonly redirect_uris: readonly string[];
    readonly response_types: readonly string[];
    readonly token_endpoint_auth_method: 'none';
    readonly id_token_signed_response_alg: string;
  }

  export type Stored = Readonly<Record<string, unknown>>;

  export interface Adapter {
    find(id: string): Promise<Stored | undefined>;
    findByUid(uid: string): Promise<Stored | undefined>;
    findByUserCode(code: string): Promise<Stored | undefined>;
    upsert(id: string, value: Stored): Promise<void>;
    consume(id: string): Promise<void>;
    destroy(id: string): Promise<void>;
    revokeByGrantId(grantId: string): Promise<void>;
  }

  export interface Configuration {
    readonly adapter: (kind: string) => Adapter;
    readonly claims: Readonly<Record<string, readonly string[]>>;
    readonly clients: readonly ClientMetadata[];
    /** Whether ID tokens leave out what the userinfo endpoint tells. */
    readonly conformIdTokenClaims: boolean;
    readonly cookies: { readonly keys: readonly string[] };
    /** The first key of an algorithm signs. */
    readonly jwks: { readonly keys: readonly object[] };
    readonly scopes: readonly string[];
    readonly ttl: Readonly<Record<string, number>>;
    readonly findAccount: (context: unknown, accountId: string) => Promise<Account | undefined>;
  }

  export class Provider {
    constructor(issuer: string, configuration: Configuration);
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  }
}
