import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { apply, type Request, type Series } from './series.ts';

const accounts = '/api/v1/namespaces/default/serviceaccounts';

const account = (name: string, rest: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name, ...metadata },
  ...rest,
});

/** What is written first, with managers and without, and what is done to it then. */
function requests(secrets: readonly JsonValue[], more: JsonObject) {
  return (run: string): readonly Request[] =>
    ['managed', 'bare'].flatMap((form) => {
      const name = `${run}-${form}`;
      const path = `${accounts}/${name}`;
      return [
        {
          method: 'POST',
          path: `${accounts}?fieldManager=one`,
          body: account(name, { secrets: [...secrets], ...more }),
        },
        ...(form === 'bare' ? [{ method: 'PATCH', path, body: { metadata: { managedFields: [{}] } } }] : []),
        apply(path, 'two', account(name, { secrets: [{ name: 'a' }] })),
        apply(path, 'two', account(name, { imagePullSecrets: [{ name: 'a' }] }), '&force=true'),
        apply(path, 'two', account(name, {}, { labels: { a: 'b' } })),
        apply(path, 'kubectl', account(name, {}, { labels: { a: 'b' } })),
        { method: 'PATCH', path: `${path}?fieldManager=three`, body: { automountServiceAccountToken: true } },
        { method: 'PUT', path: `${path}?fieldManager=four`, body: account(name, { secrets: [...secrets, {}] }) },
        { method: 'PUT', path: `${path}?fieldManager=four`, body: account(name, { secrets: [{ name: 'b' }] }) },
        apply(path, 'two', account(name, { secrets: [{ name: 'c' }] })),
        { method: 'GET', path },
      ];
    });
}

/** Lists whose items lack their key: built-in types take them, and managers cannot be told from there on. */
export const itemsWithoutKeysSeries: readonly Series[] = [
  { name: 'one item without its key', requests: requests([{}], {}) },
  { name: 'two items without their key', requests: requests([{}, {}], {}) },
  { name: 'items with and without their key', requests: requests([{ name: 'a' }, {}, { name: 'a' }], {}) },
  { name: 'items without their key in two lists', requests: requests([{}, {}], { imagePullSecrets: [{}, {}] }) },
];
