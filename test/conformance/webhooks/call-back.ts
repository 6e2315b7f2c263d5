import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, stringAt } from '#shared/apimachinery/object.ts';
import { sendJson, type Server } from '#test/compare/exchange.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const deepest = 3;

/**
 * Sends requests to the server that asks, before it gets its answer: a few that no webhook is asked about
 * (`call-back`), a create of the same kind (`call-back-nested`), or a change of the object in question
 * (`call-back-change`).
 */
export async function callBack(server: Server, behaviour: string, review: JsonObject): Promise<void> {
  const name = stringAt(review, 'request', 'name');
  if (behaviour === 'call-back') {
    await sendJson(server, 'GET', configMaps);
    await sendJson(server, 'GET', `${configMaps}/${name}`);
    await sendJson(server, 'POST', '/api/v1/namespaces/default/secrets?dryRun=All', { metadata: { name } });
  } else if (behaviour === 'call-back-nested' && name.length < 'nested'.length + deepest) {
    await sendJson(server, 'POST', `${configMaps}?dryRun=All`, { metadata: { name: `${name}x` } });
  } else if (behaviour === 'call-back-change' && stringAt(review, 'request', 'operation') === 'UPDATE') {
    const labels = objectAt(review, 'request', 'object', 'metadata', 'labels');
    if (labels?.['changed'] === undefined)
      await sendJson(server, 'PATCH', `${configMaps}/${name}`, { metadata: { labels: { changed: 'yes' } } });
  }
}
