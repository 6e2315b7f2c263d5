import { request } from 'node:https';

/** One request of the scenario. */
export interface Step {
  readonly name: string;
  readonly method: 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT';
  readonly path: string;
  readonly body?: unknown;
  /** Default: the administrator's. */
  readonly token?: string;
  /** Paths of the answer that are compared, beside code, message and warnings. */
  readonly show?: readonly string[];
  /** What came before reaches plugins a moment later. */
  readonly settles?: boolean;
}

/** What is recorded of an answer. */
export interface StepAnswer {
  readonly name: string;
  readonly code: number;
  readonly message?: string;
  readonly warnings?: readonly string[];
  readonly shown?: Readonly<Record<string, unknown>>;
}

/** A server to send the scenario to. */
export interface Target {
  readonly url: string;
  readonly token: string;
}

/** Certificates are not verified: all of it happens on loopback, between processes that the test started. */
export async function send(target: Target, step: Step): Promise<StepAnswer> {
  const { code, warnings, text } = await exchange(target, step);
  const parsed: unknown = text.startsWith('{') ? JSON.parse(mask(text)) : { message: text };
  const message = code >= 400 ? valueAt(parsed, ['message']) : undefined;
  const shown = Object.fromEntries(
    (step.show ?? []).flatMap((path) => {
      const value = valueAt(parsed, path.split('.'));
      return value === undefined ? [] : [[path, value]];
    }),
  );
  return {
    name: step.name,
    code,
    ...(typeof message === 'string' ? { message } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
    ...(code < 400 && step.show ? { shown } : {}),
  };
}

/** Names that the server picks. */
function mask(text: string): string {
  return text.replaceAll(/(kube-api-access-|picked-)[a-z0-9]{5}/g, '$1xxxxx');
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let current = value;
  for (const key of path) {
    if (typeof current !== 'object' || current === null) return undefined;
    current = (current as Record<string, unknown>)[key];
  }
  return current;
}

function exchange(target: Target, step: Step): Promise<{ code: number; warnings: string[]; text: string }> {
  const type = step.method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const headers = { authorization: `Bearer ${step.token ?? target.token}`, 'content-type': type };
  return new Promise((resolve, reject) => {
    const sent = request(
      new URL(step.path, target.url),
      { method: step.method, headers, rejectUnauthorized: false },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => {
          const raw = answer.rawHeaders;
          const warnings = raw
            .flatMap((header, index) =>
              header.toLowerCase() === 'warning' && index % 2 === 0 ? [raw[index + 1] ?? ''] : [],
            )
            // Those of validation are tested where it is.
            .filter((warning) => !/deprecated|non-functional/.test(warning));
          resolve({ code: answer.statusCode ?? 0, warnings, text: Buffer.concat(chunks).toString('utf8') });
        });
      },
    );
    sent.on('error', reject);
    sent.end(step.body === undefined ? undefined : JSON.stringify(step.body));
  });
}
