import { list, map, nested } from './hostile-object.ts';

/** What `metadata` can be full of. */
export interface MetadataAttack {
  readonly name: string;
  readonly key: string;
  readonly value: (bytes: number) => string;
  readonly query?: string;
}

const owner = (uid: string, more = ''): string =>
  `{"apiVersion":"v1","kind":"ConfigMap","name":"a","uid":"${uid}"${more}}`;
const manager = (index: number, fields: string): string =>
  `{"manager":"m${index}","operation":"Update","apiVersion":"v1","time":"2026-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":${fields}}`;

export const metadataAttacks: readonly MetadataAttack[] = [
  { name: 'labels', key: 'labels', value: (bytes) => map(bytes, (i) => `"l${i}":"v"`) },
  { name: 'wrong labels', key: 'labels', value: (bytes) => map(bytes, (i) => `"-l ${i}":"-v "`) },
  { name: 'long labels', key: 'labels', value: (bytes) => map(bytes, (i) => `"l${i}":"${'v'.repeat(5_000)}"`) },
  { name: 'a label of one long prefix', key: 'labels', value: (bytes) => `{"${'a.'.repeat(bytes / 2)}-/b":"c"}` },
  {
    name: 'labels twice under Strict',
    key: 'labels',
    query: 'fieldValidation=Strict',
    value: (bytes) => map(bytes, () => '"l":"v"'),
  },
  { name: 'annotations', key: 'annotations', value: (bytes) => map(bytes, (i) => `"l${i}":"v"`) },
  { name: 'wrong annotations', key: 'annotations', value: (bytes) => map(bytes, (i) => `"-l ${i}":""`) },
  { name: 'owners', key: 'ownerReferences', value: (bytes) => list(bytes, (i) => owner(`u${i}`)) },
  { name: 'owners twice', key: 'ownerReferences', value: (bytes) => list(bytes, () => owner('u')) },
  {
    name: 'owners of one uid',
    key: 'ownerReferences',
    value: (bytes) => list(bytes, (i) => owner('u', `,"x":1,"controller":${i % 2 === 0}`).replace('"a"', `"a${i}"`)),
  },
  {
    name: 'owners that all control',
    key: 'ownerReferences',
    value: (bytes) => list(bytes, (i) => owner(`u${i}`, ',"controller":true')),
  },
  {
    name: 'owners that block',
    key: 'ownerReferences',
    value: (bytes) => list(bytes, (i) => owner(`u${i}`, ',"blockOwnerDeletion":true')),
  },
  {
    name: 'owners of unknown kinds that block',
    key: 'ownerReferences',
    value: (bytes) =>
      list(
        bytes,
        (i) => `{"apiVersion":"g${i}.example.com/v1","kind":"K","name":"a","uid":"${i}","blockOwnerDeletion":true}`,
      ),
  },
  {
    name: 'wrong owners',
    key: 'ownerReferences',
    value: (bytes) => list(bytes, () => '{"apiVersion":"","kind":"","name":"","uid":""}'),
  },
  { name: 'finalizers', key: 'finalizers', value: (bytes) => list(bytes, (i) => `"example.com/f${i}"`) },
  { name: 'wrong finalizers', key: 'finalizers', value: (bytes) => list(bytes, (i) => `"f ${i}"`) },
  {
    name: 'managers',
    key: 'managedFields',
    value: (bytes) => list(bytes, (i) => manager(i, '{"f:data":{".":{},"f:a":{}}}')),
  },
  {
    name: 'managers of many fields',
    key: 'managedFields',
    value: (bytes) => list(bytes, (i) => manager(i, `{"f:data":${map(bytes / 8, (field) => `"f:k${field}":{}`)}}`)),
  },
  {
    name: 'managers of deep fields',
    key: 'managedFields',
    value: (bytes) => list(bytes, (i) => manager(i, nested('{"f:a":', '{}', '}', 4_000))),
  },
  {
    name: 'managers of items',
    key: 'managedFields',
    value: (bytes) =>
      `[${manager(
        0,
        map(bytes, (i) => `"k:{\\"a\\":\\"${i}\\"}":{}`),
      )}]`,
  },
  {
    name: 'wrong managers',
    key: 'managedFields',
    value: (bytes) => list(bytes, () => '{"manager":"\\u0001\\u0002","operation":"x"}'),
  },
  {
    name: 'a manager with a long name',
    key: 'managedFields',
    value: (bytes) =>
      `[{"manager":"${'\\u0001'.repeat(bytes / 6)}","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{}}]`,
  },
  { name: 'a long generateName', key: 'generateName', value: (bytes) => `"${'a-'.repeat(bytes / 2)}"` },
  { name: 'a long namespace', key: 'namespace', value: (bytes) => `"${'a.'.repeat(bytes / 2)}"` },
];
