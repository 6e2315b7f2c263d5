import { readFileSync } from 'node:fs';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { pkiPaths } from '#shared/process/data-directory.ts';
import { normalForm } from '#test/compare/normal-form.ts';
import { http1Client, http2Client, type Answered, type Asked } from './send.ts';
import { prepare } from './set-up.ts';

export type Protocol = 'HTTP/1.1' | 'HTTP/2';

const told = ['warning', 'audit-id', 'content-type', 'x-content-type-options'] as const;

/** An answer as it is compared: JSON in its normal form, protobuf without the times of its objects. */
function formOf(asked: Asked, { status, headers, body }: Answered): JsonObject {
  const head: JsonObject = {};
  for (const name of told) {
    const value = headers[name];
    if (value !== undefined && (name !== 'audit-id' || asked.headers['audit-id'] !== undefined))
      head[name] = typeof value === 'string' ? [value] : [...value];
  }
  // Faulty bytes that JSON shows as escapes are no others when they are parsed.
  if (body.includes('\\ufffd')) head['escapes'] = body.split('\\ufffd').length - 1;
  let parsed: JsonValue = body;
  try {
    parsed = JSON.parse(
      Buffer.from(body, 'latin1')
        .toString('utf8')
        .replaceAll(whoMay, 'RBAC: allowed')
        .replaceAll(certificates, '<certificates>'),
    ) as JsonValue;
  } catch {
    if (asked.sought !== undefined) parsed = body.split(asked.sought).length - 1;
    else if (body.startsWith('k8s\0')) parsed = body.replaceAll(time, '<time>');
  }
  const sent = { method: asked.method, path: asked.path, headers: {}, body: undefined };
  const normal = normalForm({ sent, status, contentType: '', warnings: [], body: parsed }, false);
  return { status, head, body: normal['body'] as JsonValue };
}

/** A time of this decade in a message: seconds, without nanoseconds. */
// oxlint-disable-next-line no-control-regex -- tags and lengths are control characters
const time = /\x08[\x80-\xff]{4}[\x06]\x10\0/g;
/** Of several bindings that allow the same, the reference names any. */
const whoMay = /RBAC: allowed by (?:[^"\\]|\\.)*/g;

/** Of the authorities that each server has of its own. */
const certificates = /-----BEGIN CERTIFICATE-----[^"]*/g;

/** The answers of a server, by what was asked. `pki`: the folder of its certificates. */
export async function answersOf(
  { url, pki }: { readonly url: string; readonly pki: string },
  protocol: Protocol,
  questions: readonly Asked[],
): Promise<Map<string, JsonObject>> {
  const { frontProxyClientCert, frontProxyClientKey } = pkiPaths(pki);
  const open = protocol === 'HTTP/2' ? http2Client : http1Client;
  const client = open(url, {
    cert: readFileSync(frontProxyClientCert, 'latin1'),
    key: readFileSync(frontProxyClientKey, 'latin1'),
  });
  try {
    await prepare(client);
    const answers = new Map<string, JsonObject>();
    for (const asked of questions) answers.set(asked.what, formOf(asked, await client.ask(asked)));
    return answers;
  } finally {
    client.close();
  }
}

/**
 * Whether an answer may differ. This server refuses control characters in paths, and Node.js' parser of HTTP/1.1 bytes
 * beyond ASCII in a request line. Objects are cached as JSON, in which a byte that is not UTF-8 is U+FFFD for good.
 */
export function isExplained(
  { path, ofFaultyUser }: Asked,
  answer: JsonObject | undefined,
  protocol: Protocol,
): boolean {
  if (ofFaultyUser === true) return true;
  const refused = answer?.['status'] === 400 && String(answer['body']).startsWith('400 Bad Request');
  return refused && (/%(?:[01]|7f)/.test(path) || (protocol === 'HTTP/1.1' && /[\x80-\xff]/.test(path)));
}
