import { KubeConfig } from '@kubernetes/client-node';
import { Agent, request } from 'undici';

export interface JsonAnswer {
  readonly status: number;
  /** Parsed, or the text when it is no JSON. */
  readonly body: unknown;
}

/** A client certificate with its key, in PEM. */
export interface ClientCertificate {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** JSON requests with a bearer token, or a client certificate, to one server, whose certificate is not looked at. */
export class JsonClient {
  readonly #agent: Agent;
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(url: string, credential: string | ClientCertificate) {
    const isToken = typeof credential === 'string';
    this.#url = url;
    this.#headers = isToken ? { authorization: `Bearer ${credential}` } : {};
    const connect = { rejectUnauthorized: false, ...(isToken ? {} : credential) };
    this.#agent = new Agent({ connect, keepAliveTimeout: 1000 });
  }

  /** The user of a kubeconfig with the certificate in it. */
  static ofKubeconfig(kubeconfig: string): JsonClient {
    const config = new KubeConfig();
    config.loadFromFile(kubeconfig);
    const { certData = '', keyData = '' } = config.getCurrentUser() ?? {};
    return new JsonClient(config.getCurrentCluster()?.server ?? '', {
      cert: Buffer.from(certData, 'base64'),
      key: Buffer.from(keyData, 'base64'),
    });
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
        ...this.#headers,
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
