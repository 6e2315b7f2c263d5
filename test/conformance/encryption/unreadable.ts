import type { Storage } from '#shared/storage/storage.ts';
import type { Side } from '#test/compare/pair.ts';

export interface UnreadableOptions {
  readonly sides: Record<'ours' | 'theirs', Side>;
  readonly raw: Storage;
  readonly check: (holds: boolean, what: string) => void;
}

const podTemplates = '/api/v1/namespaces/default/podtemplates';
const template = { spec: { containers: [{ name: 'a', image: 'b' }] } };
const name = 'ours-b';
const noticedWithinMs = 30_000;

/** Makes one podtemplate unreadable, as one that a server with another key wrote, and compares what both answer. */
export async function compareUnreadable({ sides, raw, check }: UnreadableOptions): Promise<void> {
  const key = `/podtemplates/default/${name}`;
  const { kv } = await raw.get(key);
  const value = Buffer.from(kv?.value ?? []);
  value.writeUInt8(value.readUInt8(value.length - 1) ^ 1, value.length - 1);
  const stored = await raw.compareAndSwap(key, kv?.modRevision ?? 0, value);
  const [theirs, ours] = [await ask(sides.theirs), await ask(sides.ours)];
  for (const [step, answer] of Object.entries(theirs))
    check(ours[step] === answer, `unreadable, ${step}:\n  theirs ${answer}\n  ours   ${ours[step]}`);
  // With it the reference does not start.
  await raw.compareAndDelete(key, stored.ok ? stored.revision : 0);
}

/**
 * The type of the first event of a watch. The reference's cache waits for what it cannot decode, so its ERROR is that
 * of a revision that does not come (apiserver/pkg/storage/cacher/watch_cache.go); here it names the object.
 */
async function firstEvent(json: Side['json']): Promise<string> {
  const { status, body } = await json.call('GET', `${podTemplates}?watch=1&timeoutSeconds=1`);
  return `${status} ${(body as { readonly type?: string } | undefined)?.type}`;
}

async function ask({ json }: Side): Promise<Record<string, string>> {
  const told = async (...call: Parameters<typeof json.call>): Promise<string> => {
    const { status, body } = await json.call(...call);
    return `${status} ${JSON.stringify(body)}`;
  };
  const one = `${podTemplates}/${name}`;
  const update = { apiVersion: 'v1', kind: 'PodTemplate', metadata: { name }, template };
  const until = performance.now() + noticedWithinMs;
  while ((await json.call('GET', podTemplates)).status === 200 && performance.now() < until)
    await new Promise((resolve) => setTimeout(resolve, 100));
  return {
    get: await told('GET', one),
    'get of another': (await told('GET', `${podTemplates}/theirs-b`)).slice(0, 3),
    list: await told('GET', podTemplates),
    'list of another namespace': (await told('GET', '/api/v1/namespaces/kube-public/podtemplates')).slice(0, 3),
    'list of another resource': (await told('GET', '/api/v1/namespaces/default/limitranges')).slice(0, 3),
    watch: await firstEvent(json),
    update: await told('PUT', one, update),
    patch: await told('PATCH', one, { metadata: { labels: { a: 'b' } } }),
    delete: await told('DELETE', one),
    create: await told('POST', podTemplates, update),
  };
}
