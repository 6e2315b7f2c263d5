import { createPublicKey, type KeyObject } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createServerAuthority, type ServerAuthority } from './server-authority.ts';

/** Public keys by their ids. */
export type Keys = Readonly<Record<string, KeyObject>>;

interface Published {
  readonly issuer: string;
  readonly keys: Keys;
}

/** Answers a request in place of the key server, where it returns true. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Publishes discovery documents and keys of issuers below one HTTPS address: `<url>/<name>`. Tokens are made by tests,
 * which hold the keys, so that they may be of any shape.
 */
export class KeyServer {
  readonly #server: Server;
  readonly #issuers = new Map<string, Published>();
  readonly authority: ServerAuthority;
  /** The path of each request so far. */
  readonly asked: string[] = [];
  /** What a hostile issuer does instead. */
  answer: Answer = () => false;

  private constructor(authority: ServerAuthority) {
    this.authority = authority;
    this.#server = createServer({ cert: authority.cert, key: authority.key }, (request, response) => {
      this.asked.push(request.url ?? '');
      if (!this.answer(request, response)) this.#serve(request.url ?? '', response);
    });
  }

  static async start(authority = createServerAuthority()): Promise<KeyServer> {
    const server = new KeyServer(authority);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Sets the keys that an issuer publishes from now on; returns its URL, which `issuer` may set to another one. */
  publish(name: string, keys: Keys, issuer = `${this.url}/${name}`): string {
    this.#issuers.set(name, { issuer, keys });
    return issuer;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #serve(path: string, response: ServerResponse): void {
    const [, name = '', ...rest] = path.split('/');
    const published = this.#issuers.get(name);
    if (published !== undefined && rest.join('/') === '.well-known/openid-configuration')
      json(response, { issuer: published.issuer, jwks_uri: `${this.url}/${name}/keys` });
    else if (published !== undefined && rest.join('/') === 'keys') json(response, { keys: jwksOf(published.keys) });
    else response.writeHead(404).end();
  }
}

function jwksOf(keys: Keys): object[] {
  return Object.entries(keys).map(([kid, key]) => ({
    ...createPublicKey(key).export({ format: 'jwk' }),
    use: 'sig',
    ...(kid === '' ? {} : { kid }),
  }));
}

function json(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
