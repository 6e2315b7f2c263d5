import { Agent, request } from 'undici';
import { loadFacts } from '#shared/api/load-facts.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { parseCbor } from '#shared/serializer/cbor/decode-value.ts';
import { parseExactIntegers } from '#shared/serializer/json/exact-integers.ts';
import { decodeProtobuf } from '#shared/serializer/protobuf/decode.ts';
import { envelopeKind, isProtobuf, unwrapUnknown } from '#shared/serializer/protobuf/envelope.ts';
import { normalForm } from '#test/compare/normal-form.ts';
import { adminToken } from '#test/tokens.ts';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** An answer whose numbers and times are as they were sent. */
export interface ExactAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly warnings: readonly string[];
  /** Large integers are texts. */
  readonly body: JsonValue;
  /** Times that are not about now, in the order of the text. */
  readonly farTimes: readonly string[];
}

const answerMs = 60_000;
const agent = new Agent({ connect: { rejectUnauthorized: false }, connections: 8, allowH2: false });

export async function ask(url: string, { method, path, headers, body }: Asked): Promise<ExactAnswer> {
  try {
    const answer = await request(url + path, {
      method: method as 'GET',
      dispatcher: agent,
      body: body ?? null,
      signal: AbortSignal.timeout(answerMs),
      headers: { authorization: `Bearer ${adminToken}`, 'user-agent': 'number-edges', ...headers },
    });
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    const contentType = String(answer.headers['content-type'] ?? '');
    const warning = answer.headers['warning'];
    return {
      status: answer.statusCode,
      contentType,
      warnings: warning === undefined ? [] : [warning].flat(),
      ...contentOf(bytes, contentType),
    };
  } catch (error) {
    // The reference ends the connection when it panics.
    return { status: 0, contentType: '', warnings: [], body: String(error), farTimes: [] };
  }
}

function contentOf(bytes: Buffer, contentType: string): Pick<ExactAnswer, 'body' | 'farTimes'> {
  const value = valueOf(bytes, contentType);
  const body = readable(value);
  return { body, farTimes: farTimes(typeof body === 'string' ? body : JSON.stringify(body)) };
}

function valueOf(bytes: Buffer, contentType: string): JsonValue {
  if (isProtobuf(bytes)) {
    const envelope = unwrapUnknown(bytes);
    const { group, version, kind } = envelopeKind(envelope);
    const facts = loadFacts();
    const schema = facts.schema(group, version, kind) ?? facts.schema('', 'v1', kind);
    return schema === undefined ? envelope.raw.toString('hex') : decodeProtobuf(schema, envelope.raw);
  }
  if (contentType.includes('cbor')) return parseCbor(bytes);
  const text = bytes.toString();
  return contentType.includes('json') ? parseExactIntegers(text) : text;
}

function readable(value: JsonValue): JsonValue {
  return JSON.parse(
    JSON.stringify(value, (_key, member: unknown) => (typeof member === 'bigint' ? `${member}n` : member)),
  ) as JsonValue;
}

const dayMs = 24 * 3_600_000;

function farTimes(text: string): string[] {
  const found = text.match(/-?\d{4,}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?( \+0000 UTC|Z|[+-]\d\d:\d\d)/g) ?? [];
  return found.filter((time) => !(Math.abs(Date.parse(time.replace(' +0000 UTC', 'Z')) - Date.now()) < dayMs));
}

/** An answer without what differs from run to run. */
export function comparable(answer: ExactAnswer, asked: Asked): JsonObject {
  const body = JSON.parse(
    JSON.stringify(answer.body)
      .replaceAll(/(duplicate nodePort: \{TCP )\d+/g, '$1port')
      // Addresses of Services are random, out of the ServiceCIDR among the objects, too.
      .replaceAll(/\b192\.168\.0\.\d+/g, '10.0.0.1'),
  ) as JsonValue;
  const form = normalForm({ ...answer, body, sent: { ...asked, body: undefined } }, false);
  return { ...form, farTimes: [...answer.farTimes] };
}

/** As {@link comparable}: a deletion that counts from now may fall into another second here than there. */
export function sameWithinSeconds(wanted: JsonObject, have: JsonObject): JsonObject {
  const [there, here] = [wanted['farTimes'], have['farTimes']];
  if (!Array.isArray(there) || !Array.isArray(here) || there.length !== here.length) return have;
  const isClose = there.every((time, at) => Math.abs(Date.parse(String(time)) - Date.parse(String(here[at]))) <= 3000);
  return isClose ? { ...have, farTimes: there } : have;
}
