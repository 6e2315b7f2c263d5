import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CallConversionWebhook } from '#servers/extensions/conversion/resource-conversion.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { customResources, definition, version } from './testing-definition.ts';

const v1 = '/apis/example.com/v1/namespaces/default/wids';
const v2 = '/apis/example.com/v2/namespaces/default/wids';

interface Review {
  readonly request: {
    readonly uid: string;
    readonly desiredAPIVersion: string;
    readonly objects: (JsonObject & { metadata: JsonObject })[];
  };
}

/** A webhook that labels objects with the last version that they were converted to. */
class Labelling {
  isAway = false;
  /** How many objects each review had. */
  readonly reviews: number[] = [];

  readonly call: CallConversionWebhook = async (webhook, body) => {
    const { request } = JSON.parse(body) as Review;
    this.reviews.push(request.objects.length);
    if (this.isAway) throw new Error('it is away');
    const label = `${String(webhook.clientConfig['url'])}-${request.desiredAPIVersion.split('/')[1]}`;
    return Buffer.from(
      JSON.stringify({
        kind: 'ConversionReview',
        apiVersion: 'apiextensions.k8s.io/v1',
        response: {
          uid: request.uid,
          result: { status: 'Success' },
          convertedObjects: request.objects.map((object) => ({
            ...object,
            apiVersion: request.desiredAPIVersion,
            metadata: { ...object.metadata, labels: { ...(object.metadata['labels'] as object | undefined), label } },
          })),
        },
      }),
    );
  };
}

function webhooked(uid: string, url: string, stored = 'v1'): JsonObject {
  const versions = ['v1', 'v2'].map((name) => version(name, { storage: name === stored }));
  const object = definition(uid, versions) as { spec: JsonObject };
  object.spec['conversion'] = {
    strategy: 'Webhook',
    webhook: { clientConfig: { url }, conversionReviewVersions: ['v1'] },
  };
  return object;
}

const wid = (apiVersion: string, name: string): object => ({
  apiVersion: `example.com/${apiVersion}`,
  kind: 'Wid',
  metadata: { name },
  spec: { size: 1 },
});

function labelsOf(body: unknown): unknown {
  const { items, metadata } = body as { items?: readonly object[]; metadata: { labels?: JsonObject } };
  return items === undefined ? metadata.labels?.['label'] : items.map(labelsOf);
}

function open(): ReturnType<typeof customResources> & { readonly webhook: Labelling } {
  const webhook = new Labelling();
  return { ...customResources(undefined, webhook.call), webhook };
}

describe('custom resources with a conversion webhook', () => {
  test('are stored in the storage version, and answered from what was stored', async () => {
    const { server, definitions, webhook } = open();
    definitions.put(webhooked('1', 'a'));
    const made = await server.send('POST', v2, wid('v2', 'one'));
    assert.equal(made.status, 201);
    assert.equal(made.body['apiVersion'], 'example.com/v2');
    assert.equal(labelsOf(made.body), 'a-v2');
    const { kv } = await server.storage.get('/example.com/wids/default/one');
    assert.match(String(kv?.value), /^\{"apiVersion":"example\.com\/v1".*"label":"a-v1"/);
    assert.equal(labelsOf((await server.send('GET', `${v1}/one`)).body), 'a-v1');
    assert.deepEqual(webhook.reviews, [1, 1]);
    server.close();
  });

  test('are listed by one review, which is used again, and selected by what the webhook returns', async () => {
    const { server, definitions, webhook } = open();
    definitions.put(webhooked('1', 'a'));
    for (const name of ['one', 'two', 'three']) await server.send('POST', v1, wid('v1', name));
    assert.deepEqual(webhook.reviews, []);
    for (const query of ['', '?labelSelector=label%3Da-v2', '?limit=2'])
      assert.deepEqual(
        labelsOf((await server.send('GET', v2 + query)).body),
        Array(query === '?limit=2' ? 2 : 3).fill('a-v2'),
      );
    assert.deepEqual(labelsOf((await server.send('GET', `${v2}?labelSelector=!label`)).body), []);
    assert.deepEqual(webhook.reviews, [3]);
    server.close();
  });

  test('fail in the version that needs the webhook while it is away, and in no other', async () => {
    const { server, definitions, webhook } = open();
    definitions.put(webhooked('1', 'a'));
    await server.send('POST', v1, wid('v1', 'one'));
    webhook.isAway = true;
    for (const [method, path, body] of [
      ['GET', `${v2}/one`, undefined],
      ['GET', v2, undefined],
      ['DELETE', `${v2}/one`, undefined],
    ] as const) {
      const refused = await server.send(method, path, body);
      assert.equal(refused.status, 500);
      assert.equal(refused.body['message'], 'conversion webhook for example.com/v1, Kind=Wid failed: it is away');
    }
    assert.equal((await server.send('POST', v2, wid('v2', 'two'))).status, 500);
    assert.equal((await server.send('GET', v1)).status, 200);
    assert.equal((await server.send('POST', v1, wid('v1', 'three'))).status, 201);
    assert.equal((await server.send('DELETE', `${v1}/one`)).status, 200);
    server.close();
  });

  test('are converted by the new webhook as soon as the definition names another', async () => {
    const { server, definitions } = open();
    definitions.put(webhooked('1', 'a'));
    await server.send('POST', v1, wid('v1', 'one'));
    assert.deepEqual(labelsOf((await server.send('GET', v2)).body), ['a-v2']);
    definitions.put(webhooked('1', 'b'));
    assert.deepEqual(labelsOf((await server.send('GET', v2)).body), ['b-v2']);
    server.close();
  });

  test('are converted from the version in which they lie in storage, until a write moves them', async () => {
    const { server, definitions, webhook } = open();
    definitions.put(webhooked('1', 'a'));
    await server.send('POST', v1, wid('v1', 'old'));
    definitions.put(webhooked('1', 'a', 'v2'));
    await server.send('POST', v2, wid('v2', 'new'));
    assert.deepEqual(labelsOf((await server.send('GET', v1)).body), ['a-v1', undefined]);
    assert.deepEqual(labelsOf((await server.send('GET', v2)).body), [undefined, 'a-v2']);
    const old = await server.send('GET', `${v2}/old`);
    const written = await server.send('PUT', `${v2}/old`, old.body);
    assert.notDeepEqual(written.body['metadata'], old.body['metadata']);
    webhook.isAway = true;
    assert.equal((await server.send('GET', `${v2}/old`)).status, 200);
    server.close();
  });
});

describe('custom resources without a webhook', () => {
  test('are moved to the storage version by an update without a change', async () => {
    const { server, definitions } = open();
    const versions = (stored: string): JsonObject[] =>
      ['v1', 'v2'].map((name) => version(name, { storage: name === stored }));
    definitions.put(definition('1', versions('v1')));
    await server.send('POST', v1, wid('v1', 'one'));
    definitions.put(definition('1', versions('v2')));
    const read = await server.send('GET', `${v2}/one`);
    await server.send('PUT', `${v2}/one`, read.body);
    const { kv } = await server.storage.get('/example.com/wids/default/one');
    assert.match(String(kv?.value), /^\{"apiVersion":"example\.com\/v2"/);
    server.close();
  });
});
