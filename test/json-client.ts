import { Agent, request } from 'undici';

export interface JsonAnswer {
  readonly status: number;
  /** Parsed, or the text when it is no JSON. */
  readonly body: unknown;
}

/** JSON requests with a bearer token to one server, whose certificate is not looked at. */
export class JsonClient {
  readonly #agent = new Agent({ connect: { rejectUnauthorized: false }, keepAliveTimeout: 1000 });
  readonly #url: string;
  readonly #token: string;

  constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  async call(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    object?: unknown,
    accept = 'application/json',
  ): Promise<JsonAnswer> {
    const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const { statusCode, body } = await request(this.#url + path, {
      method,
      dispatcher: this.#agent,
      headers: {
        authorization: `Bearer ${this.#token}`,
        accept,
        ...(object === undefined ? {} : { 'content-type': contentType }),
      },
      body: object === undefined ? null : JSON.stringify(object),
    });
    const text = await body.text();
    try {
      return { status: statusCode, body: JSON.parse(text) };
    } catch {
      return { status: statusCode, body: text };
    }
  }

  /** Ends its connections. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}
