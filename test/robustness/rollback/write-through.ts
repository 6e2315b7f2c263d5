import type { ApiClient } from '#test/api-client.ts';

const writers = 8;
const collection = '/api/v1/namespaces/default/configmaps';

interface Write {
  readonly name: string;
  readonly sentMs: number;
  readonly acknowledgedMs: number;
  readonly version: number;
}

interface MapObject {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
}

/**
 * Lets eight writers go on while `rollBack` runs, and checks what is there afterwards. Resolves with what is wrong. The
 * objects of the writers stay.
 */
export async function writeThrough(client: ApiClient, rollBack: () => Promise<unknown>): Promise<readonly string[]> {
  const writes: Write[] = [];
  const ending = new AbortController();
  const write = async (writer: number): Promise<void> => {
    for (let at = 0; !ending.signal.aborted; at++) {
      const name = `writer-${writer}-${at}`;
      const sentMs = performance.now();
      const { status, json, text } = await client.send('POST', collection, { body: { metadata: { name } } });
      if (status !== 201) throw new Error(`a create was answered with ${status}: ${text}`);
      const version = Number((json as MapObject).metadata.resourceVersion);
      writes.push({ name, sentMs, acknowledgedMs: performance.now(), version });
    }
  };
  const running = Array.from({ length: writers }, (_, writer) => write(writer));
  const untilWritten = async (count: number): Promise<void> => {
    while (writes.length < count) await new Promise((resolve) => setImmediate(resolve));
  };
  await untilWritten(3 * writers);
  const beganMs = performance.now();
  await rollBack();
  const endedMs = performance.now();
  await untilWritten(writes.length + 3 * writers);
  ending.abort();
  await Promise.all(running);
  const { json } = await client.send('GET', collection);
  const there = new Set((json as { readonly items: readonly MapObject[] }).items.map(({ metadata }) => metadata.name));
  const newestGone = Math.max(0, ...writes.filter(({ name }) => !there.has(name)).map(({ version }) => version));
  return writes.flatMap(({ name, sentMs, acknowledgedMs, version }) => {
    if (acknowledgedMs < beganMs && there.has(name))
      return [`${name} was acknowledged before the rollback, and stayed`];
    if (sentMs > endedMs && !there.has(name)) return [`${name} was sent after the rollback, and is gone`];
    if (there.has(name) && version < newestGone) return [`${name} of version ${version} stayed, ${newestGone} is gone`];
    return [];
  });
}
