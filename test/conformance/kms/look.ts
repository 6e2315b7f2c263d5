import { secrets, type Ask } from './servers.ts';

/** What is seen of a server: names with what stands there, in the order in which it was asked. */
export type Seen = Map<string, unknown>;

interface StatusBody {
  readonly message?: string;
  readonly reason?: string;
  readonly code?: number;
  readonly items?: readonly { readonly metadata: { readonly name: string } }[];
}

const endpoints = ['readyz', 'livez', 'healthz'] as const;
const checks = ['kms-providers', 'kms-provider-0', 'kms-provider-1'] as const;

/** The three endpoints with what fails in them, and the single checks of KMS. */
export async function lookAtHealth(ask: Ask): Promise<Seen> {
  const seen: Seen = new Map();
  for (const endpoint of endpoints) {
    const { status, body } = await ask('GET', `/${endpoint}?verbose`);
    const lines = String(body).split('\n');
    seen.set(`/${endpoint}`, [status, ...lines.filter((line) => line.startsWith('[-]') || line.includes('kms-'))]);
    for (const check of checks) {
      const { status: code } = await ask('GET', `/${endpoint}/${check}`);
      seen.set(`/${endpoint}/${check}`, code);
    }
  }
  return seen;
}

/** For so long servers repeat what is wrong with a plugin before they ask it again. */
const repeatedMs = 3_500;

/** Texts of the failing check over a time in which it is asked anew several times: first answers and repeated ones. */
export async function textsOf(ask: Ask, check: string, forMs = 8_000): Promise<readonly string[]> {
  const texts = new Set<string>();
  await new Promise((resolve) => setTimeout(resolve, repeatedMs));
  for (const untilMs = performance.now() + forMs; performance.now() < untilMs;) {
    const { status, body } = await ask('GET', `/readyz/${check}`);
    texts.add(`${status} ${normal(String(body))}`);
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  return [...texts].sort();
}

/** Reads of Secrets in the four ways that differ in caches, and writes. `tag` is in the names of what is written. */
export async function lookAtSecrets(ask: Ask, tag: string, read: readonly string[]): Promise<Seen> {
  const seen: Seen = new Map();
  for (const name of read)
    for (const options of ['', '?resourceVersion=0'])
      seen.set(`GET ${name}${options}`, said(await ask('GET', `${secrets}/${name}${options}`)));
  for (const options of ['', '?resourceVersion=0'])
    seen.set(`LIST ${options}`, said(await ask('GET', `${secrets}${options}`)));
  const name = `w-${tag}`;
  const secret = { metadata: { name }, stringData: { tag } };
  seen.set('POST', said(await ask('POST', secrets, secret)));
  seen.set('PATCH', said(await ask('PATCH', `${secrets}/${name}`, { stringData: { more: 'x' } })));
  seen.set('PUT', said(await ask('PUT', `${secrets}/${name}`, { ...secret, stringData: { tag: 'put' } })));
  seen.set('GET written', said(await ask('GET', `${secrets}/${name}`)));
  seen.set('DELETE', said(await ask('DELETE', `${secrets}/${name}`)));
  return seen;
}

export function said({ status, body }: { readonly status: number; readonly body: unknown }): string {
  const { message, reason, items } = body as StatusBody;
  if (items !== undefined) return `${status} ${items.map(({ metadata }) => metadata.name).join(' ')}`;
  return status < 400 ? String(status) : `${status} ${reason ?? ''}: ${normal(message ?? String(body))}`;
}

/** Metrics of encryption by their names and labels. Which server and how long is left out. */
export async function lookAtMetrics(ask: Ask): Promise<readonly string[]> {
  const { body } = await ask('GET', '/metrics');
  const names =
    /^apiserver_(envelope_encryption|storage_(envelope_)?transformation|storage_data_key|encryption_config)/;
  const lines = String(body)
    .split('\n')
    .filter((line) => names.test(line) && !/_(bucket|sum)\b/.test(line))
    .map((line) => sorted(line.replace(/ \S+$/, '')));
  return [...new Set(lines)].sort();
}

/** A series with its labels in order, without the server's, and with the beginnings of hashes. */
function sorted(series: string): string {
  const [name = '', labels = ''] = series.split(/[{}]/);
  const parts = labels.split('",').map((label) => label.replaceAll('"', '').replace(/(sha256:.{8}).*/, '$1'));
  return `${name}{${parts
    .filter((part) => !part.startsWith('apiserver_id_hash'))
    .sort()
    .join(' ')}}`;
}

/** Without what differs from run to run. */
function normal(text: string): string {
  return text
    .replace(/uid="[-0-9a-f]{36}"/g, 'uid="…"')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[-+]\d\d:\d\d)/g, (at) => (at.startsWith('0001') ? at : 'TIME'))
    .replace(/\/\S+\.sock/g, 'SOCKET')
    .trim();
}
