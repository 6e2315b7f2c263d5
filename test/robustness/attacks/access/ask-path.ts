import { connect, constants, type ClientHttp2Session } from 'node:http2';
import { Agent, request } from 'node:https';
import type { PathQuestion } from './path-forms.ts';

/** What a server tells to a question; of what was found only that it was. */
export interface PathAnswer {
  readonly status: number;
  readonly text: string;
}

export type Protocol = 'HTTP/1.1' | 'HTTP/2';
export const protocols: readonly Protocol[] = ['HTTP/1.1', 'HTTP/2'];

/** Asks as one user over kept connections, with paths as they are spelled. */
export interface PathAsker {
  ask(question: PathQuestion): Promise<PathAnswer>;
  close(): void;
}

export function pathAsker(protocol: Protocol, url: string, token: string): PathAsker {
  return protocol === 'HTTP/1.1' ? new Http1Asker(url, token) : new Http2Asker(url, token);
}

function headersOf(method: string, token: string): Readonly<Record<string, string>> {
  return {
    authorization: `Bearer ${token}`,
    accept: 'application/json',
    ...(method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : {}),
  };
}

class Http1Asker implements PathAsker {
  readonly #agent = new Agent({ rejectUnauthorized: false, keepAlive: true, maxSockets: 16 });
  readonly #address: { readonly host: string; readonly port: string };
  readonly #token: string;

  constructor(url: string, token: string) {
    const { hostname, port } = new URL(url);
    this.#address = { host: hostname, port };
    this.#token = token;
  }

  ask({ method, path }: PathQuestion): Promise<PathAnswer> {
    return new Promise((resolve, reject) => {
      const headers = headersOf(method, this.#token);
      const outgoing = request({ ...this.#address, agent: this.#agent, method, path, headers }, (answer) => {
        const status = answer.statusCode ?? 0;
        if (status === 200) {
          // A watch has no end.
          answer.destroy();
          resolve({ status, text: '' });
          return;
        }
        textOf(answer).then((text) => resolve({ status, text: tidied(text) }), reject);
      });
      outgoing.on('error', reject).end();
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Streams that are reset count against their connection: each has a few only. */
const streamsEach = 50;

class Http2Asker implements PathAsker {
  readonly #url: string;
  readonly #token: string;
  readonly #sessions = new Set<ClientHttp2Session>();
  #session: ClientHttp2Session | undefined;
  /** The one before, on which something may not be sent yet. */
  #before: ClientHttp2Session | undefined;
  #left = 0;

  constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  ask({ method, path }: PathQuestion): Promise<PathAnswer> {
    const session = this.#next();
    return new Promise((resolve, reject) => {
      const stream = session.request(
        { ':method': method, ':path': path, ...headersOf(method, this.#token) },
        { endStream: true },
      );
      // A path that HTTP/2 does not allow ends its stream: that is the answer, for both servers to be compared by.
      const wasReset = (): void => resolve({ status: 0, text: `reset with code ${stream.rstCode}` });
      stream.on('error', wasReset).on('close', wasReset);
      stream.on('response', ({ ':status': status = 0 }) => {
        if (status === 200) {
          stream.close(constants.NGHTTP2_CANCEL);
          resolve({ status, text: '' });
          return;
        }
        textOf(stream).then((text) => resolve({ status, text: tidied(text) }), reject);
      });
    });
  }

  close(): void {
    for (const session of this.#sessions) session.destroy();
  }

  #next(): ClientHttp2Session {
    if (this.#session === undefined || this.#left === 0) {
      this.#before?.close();
      this.#before = this.#session;
      const session = connect(this.#url, { rejectUnauthorized: false });
      session.on('error', () => undefined).on('close', () => this.#sessions.delete(session));
      this.#sessions.add(session);
      [this.#session, this.#left] = [session, streamsEach];
    }
    this.#left--;
    return this.#session;
  }
}

async function textOf(answer: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** A Status by what it says; revisions and times are each server's own. */
function tidied(text: string): string {
  try {
    const { kind, message, reason, details } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    return JSON.stringify({ kind, message, reason, details });
  } catch {
    return text.trim();
  }
}
