import { createHash, randomBytes } from 'node:crypto';
import { Agent, request } from 'undici';

/** What a token endpoint answers. */
export interface Tokens {
  readonly id_token: string;
  readonly refresh_token?: string;
}

export interface CodeFlowOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** Of the provider's certificate. */
  readonly ca: string;
}

/** The authorization code flow with PKCE (RFC 7636) of a public client, and refreshing (RFC 6749 section 6). */
export class CodeFlow {
  readonly #options: CodeFlowOptions;
  readonly #dispatcher: Agent;
  readonly #verifier = randomBytes(32).toString('base64url');
  readonly #state = randomBytes(16).toString('base64url');

  constructor(options: CodeFlowOptions) {
    this.#options = options;
    this.#dispatcher = new Agent({ connect: { ca: options.ca }, keepAliveTimeout: 1 });
  }

  /** Where a person logs in; the browser is then sent to `redirectUri`. */
  async authorizationUrl(redirectUri: string): Promise<string> {
    const { clientId, scopes } = this.#options;
    const query = new URLSearchParams({
      client_id: clientId,
      code_challenge: createHash('sha256').update(this.#verifier).digest('base64url'),
      code_challenge_method: 'S256',
      prompt: 'consent',
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: scopes.join(' '),
      state: this.#state,
    });
    return `${await this.#endpoint('authorization_endpoint')}?${query.toString()}`;
  }

  /** @param answered where the browser was sent to */
  async redeem(answered: string, redirectUri: string): Promise<Tokens> {
    const query = new URL(answered).searchParams;
    const code = query.get('code');
    if (code === null || query.get('state') !== this.#state) throw new Error(`nobody logged in: ${query.toString()}`);
    return this.#token({
      code,
      code_verifier: this.#verifier,
      grant_type: 'authorization_code',
      redirect_uri: redirectUri,
    });
  }

  refresh(refreshToken: string): Promise<Tokens> {
    return this.#token({ grant_type: 'refresh_token', refresh_token: refreshToken });
  }

  async #token(form: Readonly<Record<string, string>>): Promise<Tokens> {
    const { statusCode, body } = await request(await this.#endpoint('token_endpoint'), {
      method: 'POST',
      dispatcher: this.#dispatcher,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ client_id: this.#options.clientId, ...form }).toString(),
    });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`the identity provider refuses ${form['grant_type']}: ${text}`);
    return JSON.parse(text) as Tokens;
  }

  async #endpoint(name: 'authorization_endpoint' | 'token_endpoint'): Promise<string> {
    const url = `${this.#options.issuer}/.well-known/openid-configuration`;
    const { body } = await request(url, { dispatcher: this.#dispatcher });
    return String(((await body.json()) as Record<string, unknown>)[name]);
  }
}
