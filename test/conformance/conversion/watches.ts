import { setTimeout as sleep } from 'node:timers/promises';
import { isObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { normalForm } from '#test/compare/normal-form.ts';
import type { Side } from '#test/compare/pair.ts';
import { cronTab, definition, pathOf } from './cron-tabs.ts';
import { removeDefinition, serveDefinition } from './serve-definition.ts';
import type { TwoSides } from './two-sides.ts';
import { WatchReader } from './watch-reader.ts';
import type { Behaviour } from './webhook.ts';

/** So long a webhook fails: shorter than the reference tries again. */
const failsForMs = 2000;

/** Events in each version, with selections that the webhook changes. */
export async function watches(sides: TwoSides): Promise<void> {
  sides.behaviour = 'right';
  await serveDefinition(sides, (webhook) => definition(webhook, 'v1'));
  await sides.ask('create before', 'POST', pathOf('v1'), cronTab('before', 'v1'));
  for (const version of ['v1', 'v1beta1'] as const)
    for (const query of [
      '',
      '&resourceVersion=0',
      '&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true',
      `&labelSelector=version%3D${version}`,
      '&labelSelector=app%3Dmoved',
      '&fieldSelector=metadata.name%3Dw',
      version === 'v1' ? '&fieldSelector=spec.hostPort%3Dw:80' : '&fieldSelector=spec.host%3Dw',
    ])
      await sides.compare(`watch in ${version} ${query}`, (side) => eventsOf(side, version, query));
  for (const behaviour of ['failed', 'status 500', 'reset'] as const)
    await sides.compare(`watch while a webhook fails: ${behaviour}`, (side, webhook) =>
      eventsAfterFailure(side, webhook, behaviour),
    );
  await removeDefinition(sides);
}

/** The events of a watch whose webhook fails for a while. */
async function eventsAfterFailure(
  { url, json }: Side,
  webhook: { behaviour: Behaviour },
  behaviour: Behaviour,
): Promise<JsonValue> {
  const name = `fails-${behaviour.replace(' ', '-')}`;
  const watch = await WatchReader.open(url, pathOf('v1beta1', `?watch=true&fieldSelector=metadata.name%3D${name}`));
  await json.call('POST', pathOf('v1'), cronTab(name, 'v1'));
  await watch.has(1);
  webhook.behaviour = behaviour;
  await json.call('PATCH', pathOf('v1', `/${name}`), { spec: { note: 'while it fails' } });
  await sleep(failsForMs);
  webhook.behaviour = 'right';
  await watch.has(2);
  return (await watch.settled()).map((event) => normalForm({ ...noExchange, body: event }, true)['body'] ?? null);
}

async function eventsOf({ url, json }: Side, version: 'v1' | 'v1beta1', query: string): Promise<JsonValue> {
  const watch = await WatchReader.open(url, pathOf(version, `?watch=true${query}`));
  await json.call('POST', pathOf('v1'), cronTab('w', 'v1'));
  await json.call('PATCH', pathOf('v1beta1', '/w'), { metadata: { labels: { app: 'moved' } } });
  await json.call('PATCH', pathOf('v1', '/w'), { spec: { hostPort: 'elsewhere:80' } });
  await json.call('PATCH', pathOf('v1', '/w'), { metadata: { labels: { app: 'w', version: null } } });
  await json.call('DELETE', pathOf('v1beta1', '/w'));
  const events = await watch.settled();
  return events.filter(isCompared).map((event) => normalForm({ ...noExchange, body: event }, true)['body'] ?? null);
}

/** When bookmarks come is left to the server, but for the one that ends the initial events. */
function isCompared(event: JsonValue): boolean {
  return !isObject(event) || event['type'] !== 'BOOKMARK' || JSON.stringify(event).includes('initial-events-end');
}

const noExchange = {
  sent: { method: 'GET', path: '', headers: {}, body: undefined },
  status: 200,
  contentType: '',
  warnings: [],
};
