import { isObject } from '#shared/apimachinery/json/json.ts';
import { stringAt } from '#shared/apimachinery/object.ts';
import type { Answer, Marks, Peer } from './peer.ts';

const collection = '/api/v1/namespaces/ageing/configmaps';

/**
 * Makes a few objects and keeps the revisions of that time: `first`, `middle`, `last`, `future`, and a token as of
 * `middle`.
 */
export async function makeHistory(peer: Peer): Promise<Marks> {
  const namespace = await peer.raw('POST', '/api/v1/namespaces', { metadata: { name: 'ageing' } });
  if (namespace.status !== 201) throw new Error(`the namespace was not made: ${JSON.stringify(namespace.body)}`);
  const first = revisionOf(
    await peer.raw('POST', collection, { metadata: { name: 'a1', labels: { app: 'a' } }, data: { step: '1' } }),
  );
  for (const name of ['a2', 'a3', 'a4', 'b1', 'b2'])
    await peer.raw('POST', collection, { metadata: { name, labels: { app: name.slice(0, 1) } } });
  const page = await peer.raw('GET', `${collection}?limit=2`);
  const middle = revisionOf(await peer.raw('PATCH', `${collection}/a3`, { data: { step: '2' } }));
  await peer.raw('DELETE', `${collection}/a2`);
  const last = revisionOf(await peer.raw('PATCH', `${collection}/b1`, { metadata: { labels: { app: 'a' } } }));
  // A list at `resourceVersion=0` may be as old as the cache is: this one waits until the cache has the last write.
  await peer.raw('GET', `${collection}?resourceVersion=${last}&resourceVersionMatch=NotOlderThan`);
  return {
    first,
    middle,
    last,
    future: String(Number(last) + 1_000_000),
    token: isObject(page.body) ? stringAt(page.body, 'metadata', 'continue') : '',
  };
}

function revisionOf({ body }: Answer): string {
  return isObject(body) ? stringAt(body, 'metadata', 'resourceVersion') : '';
}

/** Something newer than all marks, so that what is compacted is history. */
export async function goOn(peer: Peer): Promise<string> {
  return revisionOf(await peer.raw('POST', collection, { metadata: { name: 'later', labels: { app: 'z' } } }));
}
