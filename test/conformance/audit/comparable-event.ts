import { isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';

/** What differs from run to run on one and the same server. */
const volatile: ReadonlySet<string> = new Set([
  'auditID',
  'requestReceivedTimestamp',
  'stageTimestamp',
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'deletionTimestamp',
  'expirationTimestamp',
  'lastTransitionTime',
  'lastUpdateTime',
  'startTime',
  'time',
  'token',
  'clusterIP',
  'clusterIPs',
  'nodePort',
  'storageVersionHash',
  'continue',
  'remainingItemCount',
  'sourceIPs',
  'serverAddress',
]);

/** Lists whose order depends on the second of a write, or is random in the reference. */
const unordered: ReadonlySet<string> = new Set(['managedFields', 'resourceRules', 'nonResourceRules']);

const random = '[bcdfghjklmnpqrstvwxz2456789]{5}';

function plainText(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g, '<time>')
    .replaceAll(new RegExp(`kube-api-access-${random}`, 'g'), 'kube-api-access-<random>')
    .replaceAll(new RegExp(`(gen-|Bad_|gggg)${random}\\b`, 'g'), '$1<random>')
    .replaceAll(/resource version: \d+(?:, current: \d+| \(\d+\))?/gi, 'resource version: <rv>')
    .replaceAll(/(ResourceVersion in (?:the )?(?:precondition|object meta|record):? ?\(?)\d+/g, '$1<rv>')
    .replaceAll(/(\\?"resourceVersion\\?":\\?")\d+/g, '$1<rv>')
    .replaceAll(/resourceVersion=\d+/g, 'resourceVersion=<rv>')
    .replaceAll(/continue=[\w%-]+/g, 'continue=<token>')
    .replaceAll(/(127\.0\.0\.1|\[::1\]):\d+/g, '<address>');
}

/** An event without what no two runs have in common. Latencies are only of slow requests. */
export function comparableEvent(event: JsonValue, key = ''): JsonValue {
  if (Array.isArray(event)) {
    if (volatile.has(key)) return `<${key}>`;
    const items = event.map((item) => comparableEvent(item));
    return unordered.has(key) ? items.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : items;
  }
  if (isObject(event)) {
    const plain: JsonObject = {};
    for (const [name, value] of Object.entries(event)) {
      if (name.startsWith('apiserver.latency.k8s.io/')) continue;
      plain[plainText(name)] = comparableEvent(value, name);
    }
    return plain;
  }
  if (volatile.has(key) && event !== '' && event !== null) return `<${key}>`;
  return typeof event === 'string' ? plainText(event) : event;
}
