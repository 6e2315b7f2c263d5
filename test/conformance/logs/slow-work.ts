/** How long slow calls take. Times are compared in multiples of it. */
export const slowMs = 1_000;

/** The lines of the slow request with this Audit-ID, as text or in JSON; undefined while its last line is missing. */
export function slowWorkLines(output: string, auditId: string): string[] | undefined {
  const text = plainText(output);
  const [, id] = new RegExp(`Trace\\[(\\d+)\\]: "[^"]+" [^\\n]*audit-id:${auditId},`).exec(text) ?? [];
  if (id === undefined) return undefined;
  const lines = text.split('\n').filter((line) => line.includes(`Trace[${id}]: `));
  return lines.at(-1)?.endsWith('END') === true ? lines.map((line) => steady(line.replaceAll(id, 'ID'))) : undefined;
}

/** Messages of JSON lines stand in them with their line feeds. */
function plainText(output: string): string {
  return output
    .split('\n')
    .map((line) => {
      if (!line.startsWith('{') || !line.includes('Trace[')) return line;
      const { msg, ts: _time, caller: _place, ...others } = JSON.parse(line) as Readonly<Record<string, unknown>>;
      return String(msg).replace('END', `${JSON.stringify(others)} END`);
    })
    .join('\n');
}

/**
 * Times by their form, how long something took in seconds, without Go's types, and without the ends of work below,
 * which its indentation shows as well.
 */
function steady(line: string): string {
  return line
    .replace(/^I\d{4} \S+ +\d+ \S+:\d+\]/, 'HEAD')
    .replaceAll(/\d\d-[A-Z][a-z]{2}-\d{4} /g, 'DAY ')
    .replaceAll(/\d\d:\d\d:\d\d\.\d{3}/g, 'TIME')
    .replaceAll(/\[\d+\.?\d*(?:ms|s)\]/g, '[TOOK]')
    .replaceAll(/(\d+)ms/g, (_, ms: string) => `~${Math.round(Number(ms) / slowMs) * slowMs}ms`)
    .replaceAll(/UID:[0-9a-f-]{36}/g, 'UID:UID')
    .replace(/writer:\S+?,/, '')
    .replace(/(?<=\(TIME\))\]+$/, '');
}

/**
 * Without what is to differ: a deletion begins with the cached object, and there with a read (registry/store.go), whose
 * two lines have a depth of their own; and Statuses and lists do not know their size before they are sent.
 */
export function comparable(method: string, lines: readonly string[]): string[] {
  if (method !== 'DELETE') return [...lines];
  const read = lines.findIndex((line) => line.includes('["cacher.Get" '));
  const kept = read < 0 ? lines : [...lines.slice(0, read), ...lines.slice(read + 2)];
  return kept.map((line) => line.replace(/ size:\d+/, ''));
}
