import { Agent, request } from 'node:https';
import type { PathQuestion } from './path-forms.ts';

/** What a server tells to a question; of what was found only that it was. */
export interface PathAnswer {
  readonly status: number;
  readonly text: string;
}

/** Asks as one user over kept connections, with paths as they are spelled. */
export class PathAsker {
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
      const outgoing = request(
        {
          ...this.#address,
          agent: this.#agent,
          method,
          path,
          headers: {
            authorization: `Bearer ${this.#token}`,
            accept: 'application/json',
            ...(method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : {}),
          },
        },
        (answer) => {
          const status = answer.statusCode ?? 0;
          if (status === 200) {
            // A watch has no end.
            answer.destroy();
            resolve({ status, text: '' });
            return;
          }
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('error', reject);
          answer.on('end', () => resolve({ status, text: tidied(Buffer.concat(chunks).toString()) }));
        },
      );
      outgoing.on('error', reject).end();
    });
  }

  close(): void {
    this.#agent.destroy();
  }
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
