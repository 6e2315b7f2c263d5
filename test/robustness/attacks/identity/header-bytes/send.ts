import { connect, type ClientHttp2Session } from 'node:http2';
import { Agent, request } from 'node:https';

/** A request whose header values, path and body have one character for each byte. */
export interface Asked {
  readonly what: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Bytes that a message in protobuf is searched for; the message itself has times and lengths of its own. */
  readonly sought?: string;
  /** Tells bytes of a stored user that are not UTF-8. */
  readonly ofFaultyUser?: boolean;
  /** Sent with the certificate of a front proxy. */
  readonly byProxy?: boolean;
}

/** An answer, likewise with one character for each byte. */
export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** A client of one server over one version of HTTP. */
export interface ByteClient {
  ask(asked: Asked): Promise<Answered>;
  close(): void;
}

const ended: Answered = { status: 0, headers: {}, body: 'ended without an answer' };

export function http1Client(url: string, proxy: Certificate): ByteClient {
  const plain = new Agent({ keepAlive: true, rejectUnauthorized: false });
  const proxied = new Agent({ keepAlive: true, rejectUnauthorized: false, ...proxy });
  return {
    ask: ({ method, path, headers, body, byProxy }) =>
      new Promise((resolve) => {
        const { hostname, port } = new URL(url);
        const agent = byProxy === true ? proxied : plain;
        request({ hostname, port, method, path, headers, agent }, (answer) => {
          const chunks: Buffer[] = [];
          answer
            .on('data', (chunk: Buffer) => chunks.push(chunk))
            .on('error', () => resolve(ended))
            .on('end', () =>
              resolve({
                status: answer.statusCode ?? 0,
                headers: answer.headersDistinct,
                body: Buffer.concat(chunks).toString('latin1'),
              }),
            );
        })
          .on('error', () => resolve(ended))
          .end(body, 'latin1');
      }),
    close() {
      plain.destroy();
      proxied.destroy();
    },
  };
}

export function http2Client(url: string, proxy: Certificate): ByteClient {
  const open = (tls: object): ClientHttp2Session =>
    connect(url, { rejectUnauthorized: false, ...tls }).on('error', () => undefined);
  const sessions = new Map<boolean, ClientHttp2Session>();
  const session = (byProxy: boolean): ClientHttp2Session => {
    const present = sessions.get(byProxy);
    // A server ends the connection over some requests.
    if (present !== undefined && !present.destroyed && !present.closed) return present;
    const next = open(byProxy ? proxy : {});
    sessions.set(byProxy, next);
    return next;
  };
  return {
    ask: ({ method, path, headers, body, byProxy = false }) =>
      new Promise((resolve) => {
        const stream = session(byProxy).request({ ...headers, ':method': method, ':path': path });
        const chunks: Buffer[] = [];
        let answer: Answered = ended;
        stream
          .on('response', (received) => {
            answer = { status: Number(received[':status']), headers: received, body: '' };
          })
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('error', () => undefined)
          .on('close', () =>
            resolve(answer === ended ? ended : { ...answer, body: Buffer.concat(chunks).toString('latin1') }),
          );
        stream.end(body, 'latin1');
      }),
    close() {
      for (const one of sessions.values()) one.close();
    },
  };
}
