import { storedManifests } from '#test/conformance/data-both-ways/manifests.ts';

/** An object of one kind, to be created. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
}

/**
 * What printers treat in a way of its own: escapes, folds, line breaks, words and numbers of YAML, empty texts. Not
 * among them are characters that the reference cannot show as YAML, since it reads its own JSON as YAML
 * (sigs.k8s.io/yaml, JSONToYAML): it answers 500 for U+007F and U+FEFF, and makes blanks of the line breaks U+0085 and
 * U+2028.
 */
const texts = [
  '',
  ' ',
  'plain',
  'two words',
  `${'many words that are folded at the width of a line '.repeat(6)}end`,
  `"${'quoted words '.repeat(12)}"`,
  "it's",
  'a: b',
  'a #b',
  '- a',
  '#',
  '@at',
  '%x',
  '`',
  '!',
  '&a',
  '*a',
  '|',
  '>',
  '?',
  ': ',
  '-',
  '---',
  '...',
  '{',
  '[',
  ',',
  'true',
  'False',
  'yes',
  'NO',
  'on',
  'null',
  '~',
  '12',
  '012',
  '0x1f',
  '0b11',
  '1_000',
  '1.5',
  '1e3',
  '.5',
  '-.inf',
  '.NaN',
  '12:30',
  '2026-01-02',
  '2026-01-02T03:04:05Z',
  '=',
  '<<',
  'é',
  '漢字',
  '😀',
  'tab\there',
  'bell\u0007',
  'nbsp\u00a0',
  'line\nline',
  'line\n',
  'line\n\n',
  '\nline',
  ' leading\nline',
  'line\n indented',
  'trailing \nline',
  'line\ttab\nline',
  `${'x'.repeat(100)}\n${'y z '.repeat(50)}`,
  '\\',
  '\\n',
  '<&>',
  'a\r\nb',
  '\u0001',
  'key=value',
  'a,b',
  'a  b',
  `${'a'.repeat(90)}  ${'b'.repeat(90)} c`,
  `${'word '.repeat(17)} end`,
];

/** Keys in an order that printers differ in. */
const keys = ['a', 'b2', 'b10', 'B', '1', '01', 'a-b', 'a.b', 'a_b', 'Z9'];

/** Of each manifest so many, each with texts of its own. */
export function manyObjects(folder: string, copies: number): Manifest[] {
  const manifests = storedManifests(folder) as Manifest[];
  return manifests.flatMap((manifest, kind) =>
    Array.from({ length: copies }, (_, copy) => (copy === 0 ? manifest : copyOf(manifest, copy, kind))),
  );
}

function copyOf(manifest: Manifest, copy: number, kind: number): Manifest {
  const annotations = Object.fromEntries(
    keys.map((key, at) => [
      `text.example.com/${key}`,
      texts[(copy * keys.length + at + kind * 7) % texts.length] as string,
    ]),
  );
  return {
    ...structuredClone(manifest),
    metadata: {
      ...manifest.metadata,
      name: `${manifest.metadata.name}-${copy}`,
      annotations: { ...manifest.metadata.annotations, ...annotations },
    },
  };
}

/** A ConfigMap whose values are all of the texts, for what annotations do not reach. */
export function configMapOfTexts(): object {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'texts' },
    data: Object.fromEntries(texts.map((text, at) => [`k${at}`, text])),
    binaryData: { b: 'AAEC/w==', empty: '' },
  };
}
