import { isObject, type JsonValue } from '#shared/apimachinery/json/json.ts';

/** Where an answer differs from each of those that are right; empty where it is one of them. */
export function differencesFromAll(wanted: readonly JsonValue[], have: JsonValue | undefined): string[] {
  const all = wanted.map((one) => differencesOf(one, have));
  return all.find((differences) => differences.length === 0) ?? all[0] ?? [];
}

/** Where two answers differ: a path with both values, one a line. */
export function differencesOf(wanted: JsonValue | undefined, have: JsonValue | undefined, path = ''): string[] {
  if (isObject(wanted) && isObject(have)) {
    return [...new Set([...Object.keys(wanted), ...Object.keys(have)])].flatMap((key) =>
      differencesOf(wanted[key], have[key], path === '' ? key : `${path}.${key}`),
    );
  }
  if (Array.isArray(wanted) && Array.isArray(have) && wanted.length === have.length && !path.endsWith('.causes'))
    return wanted.flatMap((item, index) => differencesOf(item, have[index], `${path}[${index}]`));
  if (JSON.stringify(wanted) === JSON.stringify(have)) return [];
  if (Array.isArray(wanted) && Array.isArray(have) && path.endsWith('.causes'))
    return [`${path}: missing ${text(without(wanted, have))} too many ${text(without(have, wanted))}`];
  if (typeof wanted === 'string' && typeof have === 'string') return [`${path}: ${textDifference(wanted, have)}`];
  return [`${path}: want ${text(wanted)} have ${text(have)}`];
}

/** The items that are not among the others, each of which stands for one. */
function without(items: readonly JsonValue[], others: readonly JsonValue[]): JsonValue[] {
  const left = others.map((other) => text(other));
  return items.filter((item) => {
    const position = left.indexOf(text(item));
    if (position >= 0) left.splice(position, 1);
    return position < 0;
  });
}

/** Long texts from where they part. */
function textDifference(wanted: string, have: string): string {
  let start = 0;
  while (start < wanted.length && wanted[start] === have[start]) start += 1;
  const from = start < 80 ? 0 : start - 50;
  const cut = from === 0 ? '' : '…';
  return `want ${cut}${JSON.stringify(wanted.slice(from, start + 160))} have ${cut}${JSON.stringify(have.slice(from, start + 160))}`;
}

function text(value: JsonValue | undefined): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
