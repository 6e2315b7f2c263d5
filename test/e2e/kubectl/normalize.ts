import { createHash } from 'node:crypto';

/** What differs between two servers, or two runs on one, without meaning anything; each becomes a fixed word. */
const fleeting: readonly (readonly [pattern: RegExp, word: string])[] = [
  [/https:\/\/127\.0\.0\.1:\d+/g, 'SERVER'],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID'],
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z| ?[+-]\d\d:?\d\d)/g, 'TIME'],
  [/(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g, 'TIME'],
  [/("?resourceVersion"?: ?)"\d+"/g, '$1RV'],
  [/\bResource Version: +\d+/g, 'Resource Version: RV'],
  // Opaque, and with the revision in it.
  [/"continue":"[\w-]+"/g, '"continue":"TOKEN"'],
  // Shown by --raw only.
  [/,?"managedFields":\[[^\]]*\]/g, ''],
  // What a server allocates or draws.
  [/\b10\.0\.\d+\.\d+\b/g, 'CLUSTER-IP'],
  [/(:|[Nn]odePort"?: *|NodePort: .*)3\d{4}\b/g, '$1NODE-PORT'],
  [/kube-api-access-\w{5}\b/g, 'kube-api-access-XXXXX'],
  // kubectl's log lines carry time, process id and line.
  [/^([EWI])\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ /gm, '$1 '],
  [/\/tmp\/[\w./-]+/g, 'FILE'],
  [/\b(?:\d+d)?(?:\d+h)?(?:\d+m)?\d+s\b|\b\d+m\b/g, 'AGE'],
];

/** Output that two servers must share. Columns of tables are as wide as their ages, so blanks count as one. */
export function normalize(text: string, sortLines: boolean): string {
  let result = text;
  for (const [pattern, word] of fleeting) result = result.replace(pattern, word);
  const lines = result.split('\n').map((line) => line.trimEnd().replace(/(\S) +/g, '$1 '));
  return (sortLines ? lines.sort() : lines).join('\n');
}

/** Fields, types and enums of `kubectl explain --recursive`; the descriptions above them are not facts. */
export function explainedTree(text: string): string {
  const fields = text.indexOf('\nFIELDS:\n');
  const head = text.slice(0, text.indexOf('DESCRIPTION:')).trim();
  return fields < 0 ? text : `${head}${text.slice(fields)}`;
}

export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
