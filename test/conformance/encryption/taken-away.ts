import { setTimeout as sleep } from 'node:timers/promises';
import type { Side } from '#test/compare/pair.ts';

export interface TakenAwayOptions {
  readonly sides: Record<'ours' | 'theirs', Side>;
  /** Puts another key in the place of the one that has encrypted all ConfigMaps so far. */
  readonly takeAway: () => void;
  readonly check: (holds: boolean, what: string) => void;
}

const configMaps = '/api/v1/namespaces/default/configmaps';
/** The reference looks at its file once a minute. */
const takenAwayWithinMs = 150_000;

/**
 * Both follow their file, from which the key of objects that both have in memory is taken away: what they answer to
 * whoever wants an object as it is in storage, and to others.
 */
export async function compareTakenAway({ sides, takeAway, check }: TakenAwayOptions): Promise<void> {
  const [ours, theirs] = [sides.ours.json, sides.theirs.json];
  for (const name of ['of-ours', 'of-theirs', 'of-both']) {
    await ours.call('POST', configMaps, { metadata: { name } });
    for (const json of [ours, theirs]) await json.call('GET', `${configMaps}/${name}?resourceVersion=0`);
  }
  takeAway();
  await Promise.all([ours, theirs].map((json) => untilRefused(json)));
  const answers = { ours: await ask(sides.ours, 'of-ours'), theirs: await ask(sides.theirs, 'of-theirs') };
  for (const [step, answer] of Object.entries(answers.theirs))
    check(answers.ours[step] === answer, `taken away, ${step}:\n  theirs ${answer}\n  ours   ${answers.ours[step]}`);
}

async function untilRefused(json: Side['json']): Promise<void> {
  const until = performance.now() + takenAwayWithinMs;
  while ((await json.call('GET', `${configMaps}/of-both`)).status === 200 && performance.now() < until)
    await sleep(200);
}

/** `own` is written by nobody else. */
async function ask({ json }: Side, own: string): Promise<Record<string, string>> {
  const told = async (...call: Parameters<typeof json.call>): Promise<string> => {
    const { status, body } = await json.call(...call);
    return status < 300 ? String(status) : `${status} ${JSON.stringify(body).replaceAll(own, 'OWN')}`;
  };
  const [one, both] = [`${configMaps}/${own}`, `${configMaps}/of-both`];
  return {
    get: await told('GET', both),
    'get from memory': await told('GET', `${both}?resourceVersion=0`),
    list: await told('GET', configMaps),
    'list from memory': await told('GET', `${configMaps}?resourceVersion=0`),
    'list of the first': await told('GET', `${configMaps}?limit=1`),
    'get of another resource': await told('GET', '/api/v1/namespaces/default'),
    delete: await told('DELETE', one),
    'delete, dry run': await told('DELETE', `${one}?dryRun=All`),
    'delete of the collection': await told('DELETE', `${configMaps}?fieldSelector=metadata.name=${own}`),
    patch: await told('PATCH', one, { metadata: { labels: { a: 'b' } } }),
    'get, written again': await told('GET', one),
    'delete, written again': await told('DELETE', one),
    create: await told('POST', configMaps, { metadata: { name: own } }),
    'get of the new one': await told('GET', one),
  };
}
