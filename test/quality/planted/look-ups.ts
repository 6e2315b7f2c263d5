// What the check of client-keys.ts finds and what it lets pass: check.test.ts compares with the marks.

interface Shape {
  readonly a: number;
  readonly b: number;
}

const table: Readonly<Record<string, string>> = { GET: 'get' };
const literal = { GET: 'get' };
const byName = new Map([['GET', 'get']]);

export function reads(
  key: string,
  index: number,
  shape: Shape,
  name: keyof Shape,
  list: readonly string[],
  text: string,
  branded: string & { readonly brand: true },
  anything: Record<string, unknown>,
): unknown[] {
  return [
    table[key], // found
    table[key.toLowerCase()], // found
    table[`${key}/x`], // found
    table[branded], // found
    (literal as Record<string, string>)[key], // found
    literal[key as keyof typeof literal], // found
    anything[key], // found
    key in table, // found
    byName.get(key),
    table['GET'],
    shape[name],
    list[index],
    text[index],
    Object.hasOwn(table, key) ? table[key] : undefined,
    Object.hasOwn(literal, key) ? table[key] : undefined, // found
    Object.hasOwn(table, key) || table[key], // found
  ];
}

export function generic<Key extends string>(
  record: Record<Key, string>,
  key: Key,
  name: 'x' | 'y',
  fixed: Record<'x' | 'y', string>,
): unknown[] {
  return [
    record[key], // found
    fixed[name],
  ];
}

export function loops(object: Record<string, unknown>, other: Record<string, unknown>): unknown[] {
  const out: unknown[] = Object.keys(object)
    .sort()
    .filter((key) => key !== 'a')
    .map((key) => object[key]);
  for (const key of Object.keys(object)) {
    out.push(object[key]);
    out.push(other[key]); // found
    object[key] = 1;
    other[key] = 1; // found
    delete other[key];
  }
  for (const key in object) out.push(object[key]);
  for (const [key] of Object.entries(object).reverse()) out.push(object[key]);
  out.push(Object.keys(object).some((key) => object[key] === 1));
  out.push(Object.keys(object).some((key) => other[key] === 1)); // found
  for (const key of Object.keys(object)) {
    if (!Object.hasOwn(other, key)) continue;
    out.push(other[key]);
  }
  for (const key of ['a', 'b'] as const) out.push(object[key]);
  for (const key of Object.keys(object)) {
    if (key === '__proto__') continue;
    other[key] = object[key];
  }
  return out;
}
