import { isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import type { Exchange } from './exchange.ts';

/** What differs from run to run on one and the same server. */
const volatile = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'deletionTimestamp',
  'time',
  'continue',
  'remainingItemCount',
  'lastTransitionTime',
  'clusterIP',
  'clusterIPs',
  'nodePort',
  'healthCheckNodePort',
]);

function normalText(text: string): string {
  return (
    text
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>')
      .replaceAll(/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>')
      .replaceAll(/cannot parse .*? as/g, 'cannot parse <text> as')
      .replaceAll(/(nodePort\\*"?: ?)\d+/gi, '$1<port>')
      .replaceAll(/\b10\.0\.\d+\.\d+/g, '<address>')
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g, '<time>')
      .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)? \+0000 UTC( m=[+\d.]+)?/g, '<time>')
      .replaceAll(/kube-api-access-[bcdfghjklmnpqrstvwxz2456789]{5}/g, 'kube-api-access-<random>')
      .replaceAll(/(resourceVersion\\*"?: ?\\*"?|resource version: |in record \()\d+/gi, '$1<rv>')
      .replaceAll(/(resourceVersion:\s*"?)\d+/g, '$1<rv>')
      .replaceAll(/Duplicate value: 3\d{4}\b/g, 'Duplicate value: <port>')
      .replaceAll(/\b(\d+):3\d{4}\/(TCP|UDP|SCTP)/g, '$1:<port>/$2')
      // Requests to etcd are as long as their client makes them.
      .replace(/larger than max \(\d+ vs/, 'larger than max (<bytes> vs')
      // Types of schemas have a number of their own each time.
      .replaceAll(/\bselfType\d+/g, 'selfType')
      // Pointers of Go.
      .replaceAll(/0x[0-9a-f]{6,}/g, '<pointer>')
      // Mistakes in applied objects: those of a map stand in random order.
      .replace(/errors:\n {2}([^]*)$/, (_all, lines: string) => `errors:\n  ${lines.split('\n  ').sort().join('\n  ')}`)
      .replace(/^failed to create typed patch object[^]*/, withSortedKeys)
  );
}

/** Keys of list items that are maps are printed in random order: their characters stand for them. */
function withSortedKeys(text: string): string {
  return text.replaceAll(/\[[^\n]*=[^\n]*=[^\n]*\]/g, (keys) => [...keys].sort().join(''));
}

/** Texts that show whole objects, as JSON in JSON or as YAML, less their managed fields. */
function withoutManagedFields(text: string): string {
  const yaml = text.replaceAll(/^ {2}managedFields:\n(?: {2}- .*\n| {4}.*\n)*/gm, '');
  const start = yaml.search(/\\*"managedFields\\*":\[/);
  if (start < 0) return yaml;
  let depth = 0;
  for (let end = yaml.indexOf('[', start); end < yaml.length; end++) {
    if (yaml[end] === '[') depth += 1;
    else if (yaml[end] === ']' && --depth === 0)
      return withoutManagedFields(
        (yaml.slice(0, start) + yaml.slice(end + 1)).replace(/,,|,(?=\})|(?<=\{),/, (found) =>
          found === ',,' ? ',' : '',
        ),
      );
  }
  return yaml;
}

/** A second may end between two writes on one server and not on the other, which changes the order of managers. */
function inNameOrder(managers: JsonValue): JsonValue {
  const name = (entry: JsonValue): string =>
    isObject(entry)
      ? ['operation', 'manager', 'subresource', 'apiVersion'].map((key) => String(entry[key])).join(' ')
      : '';
  return Array.isArray(managers)
    ? managers.toSorted((a, b) => (name(a) < name(b) ? -1 : name(a) > name(b) ? 1 : 0))
    : managers;
}

/** Controllers that do not wait for each other set the conditions of a definition. */
function inTypeOrder(conditions: JsonValue): JsonValue {
  const type = (condition: JsonValue): string => (isObject(condition) ? String(condition['type']) : '');
  return Array.isArray(conditions) && conditions.some((condition) => type(condition) === 'NamesAccepted')
    ? conditions.toSorted((a, b) => (type(a) < type(b) ? -1 : 1))
    : conditions;
}

/** The members of objects whose items stand in no fixed order. */
const ordered: ReadonlyMap<string, (items: JsonValue) => JsonValue> = new Map([
  ['managedFields', inNameOrder],
  ['conditions', inTypeOrder],
]);

function normalValue(value: JsonValue, key: string, inTable: boolean, leftOut: boolean): JsonValue {
  if (volatile.has(key) && value !== null && value !== '' && value !== 'None' && value !== '0')
    return Array.isArray(value) ? value.map((item) => (item === 'None' ? item : `<${key}>`)) : `<${key}>`;
  if (typeof value === 'string')
    return inTable && /^(\d+[smhd])+$/.test(value)
      ? '<age>'
      : normalText(leftOut ? withoutManagedFields(value) : value);
  if (Array.isArray(value))
    return value.map((item) => normalValue(item, key === 'cells' ? 'cell' : '', inTable, leftOut));
  if (!isObject(value)) return value;
  const form: JsonObject = {};
  for (const name of Object.keys(value).sort()) {
    if (name === 'managedFields' && leftOut) continue;
    // Sentences of upstream.
    if (name === 'description' && 'priority' in value) continue;
    const member = value[name] as JsonValue;
    const items = ordered.get(name)?.(member) ?? member;
    form[name] = normalValue(items, name, inTable || value['kind'] === 'Table', leftOut);
  }
  return value['kind'] === 'Status' ? statusForm(form) : form;
}

/** The reference walks maps in random order: that of causes means nothing, in the list and in the message. */
function statusForm(form: JsonObject): JsonObject {
  const { details, message } = form;
  if (!isObject(details) || !Array.isArray(details['causes'])) return form;
  const causes = details['causes'].toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  return {
    ...form,
    details: { ...details, causes },
    message:
      typeof message === 'string' && causes.length > 1
        ? message.replace(/: \[[^]*\]$/, ': [<causes>]')
        : (message ?? null),
  };
}

/** An answer as it is compared; `leftOut` are managed fields. */
export function normalForm(exchange: Exchange, leftOut: boolean): JsonObject {
  return {
    status: exchange.status,
    contentType: exchange.contentType,
    warnings: exchange.warnings.map(normalText).toSorted(),
    body: normalValue(exchange.body, '', false, leftOut),
  };
}
