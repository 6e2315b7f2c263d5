/** The fields of a request's line, in their order; what differs from run to run by its form alone. */
export type LoggedRequest = readonly (readonly [key: string, value: unknown])[];

/** Times, and the place in a source. */
const varying: ReadonlySet<string> = new Set([
  'latency',
  'apf_execution_time',
  'apf_init_latency',
  'watchlist_init_latency',
]);

/** The line of the request with this Audit-ID, in text or JSON; undefined while there is none. */
export function requestLine(output: string, auditId: string): LoggedRequest | undefined {
  for (const line of output.split('\n')) {
    if (!line.includes(`"${auditId}"`) || !/"HTTP"/.test(line)) continue;
    const fields = line.startsWith('{') ? jsonFields(line) : textFields(line);
    return fields.map(([key, value]) => [key, varying.has(key) ? durationForm(value) : steady(key, value)]);
  }
  return undefined;
}

/** The line that says who acts as this user, in text or JSON; undefined while there is none. */
export function impersonationLine(output: string, name: string): string | undefined {
  const said = output
    .split('\n')
    .find((line) => line.includes(' is impersonating ') && line.includes(quoted(name, line)));
  if (said === undefined) return undefined;
  if (said.startsWith('{')) return JSON.stringify(jsonFields(said));
  return placeForm(said).replace(/^(\w)\d{4} \d\d:\d\d:\d\d\.\d{6} {1,7}\d+ /, '$1TIME PID ');
}

function quoted(name: string, line: string): string {
  return line.startsWith('{') ? JSON.stringify(name).slice(1, -1) : name;
}

function jsonFields(line: string): [string, unknown][] {
  const { ts, caller, ...fields } = JSON.parse(line) as Record<string, unknown>;
  return [['ts', typeof ts], ['caller', placeForm(String(caller))], ...Object.entries(fields)];
}

/** `I1129 03:22:48.913381   21927 httplog.go:134] "HTTP" verb="POST" …` */
function textFields(line: string): [string, unknown][] {
  const [, head = '', rest = ''] = /^(.*?\]) "HTTP"(.*)$/.exec(line) ?? [];
  const form = head
    .replaceAll(/\d{4} \d\d:\d\d:\d\d\.\d{6} {1,7}\d+ /g, 'TIME PID ')
    .replace(/\S+:\d+\]/, (place) => placeForm(place));
  const pairs = [...rest.matchAll(/ ([\w-]+)=("(?:[^"\\]|\\.)*"|[^ ]+)/g)];
  return [['head', form], ...pairs.map(([, key = '', value = '']): [string, unknown] => [key, value])];
}

function placeForm(place: string): string {
  return place.replaceAll(/[\w./-]+\.(?:go|ts):\d+/g, 'PLACE');
}

function durationForm(value: unknown): string {
  return String(value).replace(/[\d.]+(?:µs|ms|s)/, 'TIME');
}

function steady(key: string, value: unknown): unknown {
  return key === 'srcIP' ? String(value).replace(/:\d+/, ':PORT') : value;
}
