import { isObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { parseCbor } from '#shared/serializer/cbor/decode-value.ts';
import { parseJson } from '#shared/serializer/json/parse.ts';
import { unwrapUnknown } from '#shared/serializer/protobuf/envelope.ts';
import { parseYaml } from '#shared/serializer/yaml/parse.ts';
import { http1Client, type Answer, type ClusterAddress } from '#test/api-client.ts';
import { adminToken } from '#test/tokens.ts';
import { allCases, preparations, type Case } from './cases.ts';

/** What is compared of an answer, by the name of its case. */
export type Answers = Readonly<Record<string, string>>;

const askers = 8;
/** The reference panics at some requests, and its connection ends. */
export const noAnswer = 'no answer';

function describeValue(value: JsonValue): string {
  if (!isObject(value)) return typeof value;
  if (value['kind'] === 'Status')
    return `Status ${String(value['code'])} ${String(value['reason'])}: ${String(value['message'])}`;
  for (const document of ['swagger', 'openapi'])
    if (value[document] !== undefined) return `${document} ${String(value[document])}`;
  if (value['type'] !== undefined && isObject(value['object']))
    return `${String(value['type'])} ${describeValue(value['object'])}`;
  return value['kind'] === undefined
    ? Object.keys(value).sort().slice(0, 6).join(' ')
    : `${String(value['apiVersion'])} ${String(value['kind'])}`;
}

function describeBody({ headers, bytes, text }: Answer): string {
  const type = headers['content-type'] ?? '';
  if (bytes.length === 0) return 'nothing';
  try {
    // Of a stream the first event.
    if (type.includes('json') && !type.includes('stream')) {
      const isPretty = /^\{\n {2}"/.test(text);
      return `${isPretty ? 'indented ' : ''}${text.endsWith('\n') ? '' : 'open-ended '}${describeValue(atOnce(parseJson(isPretty ? bytes : Buffer.from(text.split('\n', 1)[0] ?? ''))))}`;
    }
    if (type === 'application/cbor') return describeValue(parseCbor(bytes));
    if (type === 'application/yaml') return describeValue(parseYaml(bytes).value);
    if (type === 'application/vnd.kubernetes.protobuf') {
      const { apiVersion, kind } = unwrapUnknown(bytes);
      return `${apiVersion} ${kind}`;
    }
  } catch (error) {
    return `broken: ${String(error)}`;
  }
  return type.startsWith('text/') ? text.trim().slice(0, 40) : 'bytes';
}

function describe(answer: Answer): string {
  const { status, headers } = answer;
  const named = ['content-type', 'vary', 'cache-control'].map((name) => String(headers[name] ?? '-'));
  return [status, ...named, describeBody(answer)].join(' | ');
}

/** Prepares a server and asks it everything. */
export async function ask(server: ClusterAddress): Promise<Answers> {
  const client = http1Client(server, { token: adminToken });
  for (const [path, body] of preparations) {
    for (let status = 404; status === 404;) ({ status } = await client.send('POST', path, { body }));
  }
  const cases = allCases();
  const answers: Record<string, string> = {};
  const askNext = async (): Promise<void> => {
    for (let next: Case | undefined = cases.shift(); next !== undefined; next = cases.shift()) {
      const { name, method, path, headers, body } = next;
      const more = {
        headers: { 'user-agent': 'negotiation', ...(body === undefined ? {} : { 'content-type': '' }), ...headers },
        ...(body === undefined ? {} : { body }),
      };
      answers[name] = await client.send(method, path, more).then(describe, () => noAnswer);
    }
  };
  await Promise.all(Array.from({ length: askers }, askNext));
  client.close();
  return answers;
}

export const gates = { without: [], with: ['--feature-gates=CBORServingAndStorage=true'] } as const;
