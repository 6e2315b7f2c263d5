import { Agent, request } from 'undici';
import { isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';

/** What a server answered, less what is its own: revisions by name, tokens opened, ages and ids left out. */
export interface Answer {
  readonly status: number;
  readonly body: JsonValue;
}

/** Revisions of a server by a name that both servers have in common. */
export type Marks = Readonly<Record<string, string>>;

/** One of the servers that are compared, and the revisions that stand for its history. */
export class Peer {
  marks: Marks = {};
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #dispatcher = new Agent({ connect: { rejectUnauthorized: false }, connections: 16, bodyTimeout: 0 });

  constructor(url: string, token: string) {
    this.#url = url;
    this.#headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
  }

  /** The path may hold marks in braces: `?resourceVersion={first}`. */
  async ask(method: string, path: string, body?: JsonObject): Promise<Answer> {
    const { status, body: answered } = await this.raw(method, path, body);
    return { status, body: this.named(answered) };
  }

  async raw(method: string, path: string, body?: JsonObject): Promise<Answer> {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const answer = await request(this.#url + this.filled(path), {
      method: method as 'GET',
      dispatcher: this.#dispatcher,
      headers: { ...this.#headers, ...(body === undefined ? {} : { 'content-type': type }) },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await answer.body.text();
    return { status: answer.statusCode, body: parsed(text) };
  }

  /** Events of a watch until it ends or `ms` have passed. */
  async watch(path: string, ms: number): Promise<Answer> {
    const { signal, ...stop } = withTimeout(ms);
    const answer = await request(this.#url + this.filled(path), {
      method: 'GET',
      dispatcher: this.#dispatcher,
      headers: this.#headers,
      signal,
    });
    let text = '';
    try {
      for await (const chunk of answer.body) text += String(chunk);
    } catch {
      // Time is up.
    }
    stop.clear();
    const lines = text
      .split('\n')
      .filter((line) => line !== '')
      .map(parsed);
    return { status: answer.statusCode, body: lines.map((line) => this.named(line)) };
  }

  get address(): string {
    return this.#url;
  }

  filled(path: string): string {
    return path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => this.marks[name] ?? name);
  }

  /** The value with the names of marks instead of revisions. */
  named(value: JsonValue, key = ''): JsonValue {
    if (typeof value === 'string') return this.#text(value, key);
    if (Array.isArray(value)) return value.map((item) => this.named(item));
    if (!isObject(value)) return value;
    const kept = Object.entries(value).filter(
      ([name]) => !['uid', 'creationTimestamp', 'managedFields'].includes(name),
    );
    return Object.fromEntries(kept.map(([name, item]) => [name, this.named(item, name)]));
  }

  #text(text: string, key: string): string {
    const mark = Object.entries(this.marks).find(([, revision]) => revision === text);
    if (key === 'resourceVersion') return this.#revision(text, mark?.[0]);
    if (key === 'continue') return this.#opened(text);
    return text.replace(/current: \d+/, 'current: <now>').replaceAll(/\b\d+\b/g, (number) => {
      const known = Object.entries(this.marks).find(([, revision]) => revision === number);
      return known === undefined ? (number.length > 2 ? '<number>' : number) : `<${known[0]}>`;
    });
  }

  /** Other objects are written meanwhile, so that a state may be newer than the last mark. */
  #revision(text: string, mark: string | undefined): string {
    if (Number(text) >= Number(this.marks['last']) && mark !== 'future') return '<last or later>';
    return mark === undefined ? '<revision>' : `<${mark}>`;
  }

  /** A token of a list that goes on. */
  #opened(token: string): string {
    const inner = parsed(Buffer.from(token, 'base64url').toString());
    return isObject(inner) ? JSON.stringify({ ...inner, rv: inner['rv'] === -1 ? -1 : '<revision>' }) : token;
  }
}

function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

function withTimeout(ms: number): { readonly signal: AbortSignal; clear(): void } {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), ms);
  return { signal: controller.signal, clear: () => clearTimeout(timer) };
}
