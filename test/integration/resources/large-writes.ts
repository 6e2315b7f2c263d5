/** Writes of 20,000 entries in one object. */
const configMaps = '/api/v1/namespaces/default/configmaps';
const entries = 20_000;
const texts = (entry: (index: number) => string): string =>
  Array.from({ length: entries }, (_, index) => entry(index)).join(',');

export type LargeWrite = readonly [
  name: string,
  method: string,
  target: string,
  body: string,
  contentType: string,
  status: number,
];

export const largeWrites: readonly LargeWrite[] = [
  [
    'labels are created',
    'POST',
    configMaps,
    `{"metadata":{"name":"a","labels":{${texts((i) => `"l${i}":"v"`)}}}}`,
    'application/json',
    201,
  ],
  [
    'labels are merged',
    'PATCH',
    `${configMaps}/b`,
    `{"metadata":{"labels":{${texts((i) => `"l${i}":"v"`)}}}}`,
    'application/merge-patch+json',
    200,
  ],
  [
    'keys are applied',
    'PATCH',
    `${configMaps}/c?fieldManager=m`,
    `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"},"data":{${texts((i) => `"k${i}":""`)}}}`,
    'application/apply-patch+yaml',
    201,
  ],
  [
    'keys stand twice',
    'POST',
    `${configMaps}?fieldValidation=Strict`,
    `{"metadata":{"name":"d"},"data":{${texts((i) => `"k${i >> 1}":""`)}}}`,
    'application/json',
    400,
  ],
  [
    'keys stand twice in YAML',
    'PATCH',
    `${configMaps}/e?fieldManager=m&fieldValidation=Ignore`,
    `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"e"},"data":{${texts((i) => `"k${i >> 1}":""`)}}}`,
    'application/apply-patch+yaml',
    201,
  ],
  [
    'labels are created in YAML',
    'POST',
    configMaps,
    `metadata:\n  name: f\n  labels:\n${Array.from({ length: entries }, (_, i) => `    l${i}: v\n`).join('')}`,
    'application/yaml',
    201,
  ],
  [
    'fields of a manager stand in any order',
    'POST',
    configMaps,
    `{"metadata":{"name":"g","managedFields":[{"manager":"m","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{${texts((i) => `"f:k${(i * 7_919) % entries}":{}`)}}}}]}}`,
    'application/json',
    201,
  ],
  [
    'finalizers are merged by a strategic patch',
    'PATCH',
    `${configMaps}/b`,
    `{"metadata":{"finalizers":[${texts((i) => `"a.example.com/f${i}"`)}]}}`,
    'application/strategic-merge-patch+json',
    200,
  ],
  [
    'unknown fields are refused with the document that has them',
    'PATCH',
    `${configMaps}/c?fieldValidation=Strict`,
    `{${texts((i) => `"unknown${i}":"v"`)}}`,
    'application/merge-patch+json',
    422,
  ],
];

/** What has to be stored before each of them. */
export const storedBefore = { path: configMaps, body: { metadata: { name: 'b' } } };
