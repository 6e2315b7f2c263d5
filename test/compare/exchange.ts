import { Agent, request } from 'undici';
import type { JsonValue } from '#shared/apimachinery/json/json.ts';

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** A request and what one server answered. */
export interface Exchange {
  readonly sent: Sent;
  /** 0 where the connection ended without an answer. */
  readonly status: number;
  readonly contentType: string;
  readonly warnings: readonly string[];
  /** Parsed where it is JSON. */
  readonly body: JsonValue;
  /** What else the same request was answered with, where the server chooses from several answers at random. */
  readonly others?: readonly Exchange[];
}

export interface Server {
  send(sent: Sent): Promise<Exchange>;
}

/** A server that stopped answering must not hold up the run, nor one that goes on and on. */
const answerMs = 60_000;

/** A server reached with a bearer token; its certificate is not looked at. */
export function serverAt(url: string, token: string): Server {
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false }, connections: 8, allowH2: false });
  return {
    async send(sent) {
      try {
        return await exchange(sent);
      } catch (error) {
        // The reference ends the connection when it panics.
        return { sent, status: 0, contentType: '', warnings: [], body: error instanceof Error ? error.message : '' };
      }
    },
  };

  async function exchange(sent: Sent): Promise<Exchange> {
    const answer = await request(url + sent.path, {
      method: sent.method as 'GET',
      dispatcher,
      signal: AbortSignal.timeout(answerMs),
      body: sent.body ?? null,
      headers: { authorization: `Bearer ${token}`, 'user-agent': 'differential/1', ...sent.headers },
    });
    const text = await answer.body.text();
    const warning = answer.headers['warning'];
    let body: JsonValue = text;
    try {
      body = JSON.parse(text) as JsonValue;
    } catch {
      // Plain text and YAML are compared as text.
    }
    return {
      sent,
      status: answer.statusCode,
      contentType: String(answer.headers['content-type'] ?? ''),
      warnings: warning === undefined ? [] : [warning].flat(),
      body,
    };
  }
}

/** A request with a JSON body and answer; patches are merge patches unless the headers say otherwise. */
export function sendJson(
  server: Server,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Exchange> {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  return server.send({
    method,
    path,
    headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': type }), ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
}
