import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { Request, Series } from './series.ts';

/** A resource whose objects are written. */
export interface WrittenKind {
  readonly path: string;
  readonly version: string;
  readonly kind: string;
}

export const writtenKind = (base: string, resource: string, name: string, isNamespaced = true): WrittenKind => ({
  path: `${base}${isNamespaced ? '/namespaces/default' : ''}/${resource}`,
  version: base.replace(/^\/apis?\//, ''),
  kind: name,
});
const object = ({ version, kind: name }: WrittenKind, content: JsonObject, metadata: JsonObject): JsonObject => ({
  apiVersion: version,
  kind: name,
  ...content,
  metadata,
});

/** Each content as a new object of its own, written once more, and its status. */
export function writeEach(
  of: WrittenKind,
  contents: readonly JsonObject[],
  more: { readonly metadata?: JsonObject; readonly suffix?: string; readonly updates?: readonly JsonObject[] } = {},
): Series['requests'] {
  return (run) =>
    contents.flatMap((content, index): Request[] => {
      const name = `${run}-${index}${more.suffix ?? ''}`;
      const path = `${of.path}/${name}`;
      return [
        { method: 'POST', path: of.path, body: object(of, content, { ...more.metadata, name }) },
        ...[{ metadata: { labels: { a: 'b' } } }, ...(more.updates ?? [])].map((body): Request => ({
          method: 'PATCH',
          path,
          body,
        })),
        { method: 'PATCH', path: `${path}/status`, body: { metadata: { labels: { c: 'd' } } } },
        { method: 'DELETE', path },
      ];
    });
}

/** What an object without one is given later. */
export const writeLater =
  (of: WrittenKind, first: JsonObject, bodies: readonly JsonObject[], part = ''): Series['requests'] =>
  (run) => [
    { method: 'POST', path: of.path, body: object(of, first, { name: run }) },
    ...bodies.map((body): Request => ({ method: 'PATCH', path: `${of.path}/${run}${part}`, body })),
    { method: 'DELETE', path: `${of.path}/${run}` },
  ];

/** Labels of nodes: deprecated ones, and others. */
export const nodeLabels = [
  'beta.kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'failure-domain.beta.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'beta.kubernetes.io/instance-type',
  'app.kubernetes.io/created-by',
  'scheduler.alpha.kubernetes.io/preferAvoidPods',
  'node-role.kubernetes.io/master',
  'kubernetes.io/os',
  'constructor',
];
export const labelExists = (key: string): JsonObject => ({ key, operator: 'Exists' });
