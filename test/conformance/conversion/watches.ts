import { isObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { normalForm } from '#test/compare/normal-form.ts';
import type { Side } from '#test/compare/pair.ts';
import { cronTab, definition, pathOf } from './cron-tabs.ts';
import { removeDefinition, serveDefinition } from './serve-definition.ts';
import type { TwoSides } from './two-sides.ts';
import { WatchReader } from './watch-reader.ts';

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
  await removeDefinition(sides);
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
