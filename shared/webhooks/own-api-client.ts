import type { Dispatcher } from 'undici';
import { bodyLines } from './body-lines.ts';
import { ownHostPort, type OwnServer } from './own-server.ts';

export interface OwnApiAnswer {
  readonly status: number;
  readonly body: Uint8Array;
}

/** Reads objects of this cluster's own API as the servers' own user, as clients see them. */
export class OwnApiClient {
  readonly #server: OwnServer;

  constructor(server: OwnServer) {
    this.#server = server;
  }

  /** `path` with its query. Rejects if no gateway answers. */
  async get(path: string, signal: AbortSignal): Promise<OwnApiAnswer> {
    const { statusCode, body } = await this.#send(path, signal);
    return { status: statusCode, body: new Uint8Array(await body.arrayBuffer()) };
  }

  /** The lines of a watch as they come. Rejects if it is refused or breaks off. */
  async *lines(path: string, signal: AbortSignal): AsyncGenerator<string> {
    const { statusCode, body } = await this.#send(path, signal);
    if (statusCode !== 200) throw new Error(`${path} was answered with ${statusCode}: ${await body.text()}`);
    yield* bodyLines(body);
  }

  async #send(path: string, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const { agent, user } = await this.#server.open();
    return await agent.request({
      origin: `http://${ownHostPort}`,
      path,
      method: 'GET',
      headers: { host: ownHostPort, accept: 'application/json', ...user.headers },
      signal,
    });
  }
}
