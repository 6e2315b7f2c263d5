import type { Schema, StructSchema } from '../../apimachinery/schema.ts';
import { quoteGo } from './go-text.ts';

const stringToken = /"(?:[^"\\]|\\.)*"/y;
const plainToken = /[^\s,\]}]+/y;
const space = /[ \t\n\r]*/y;
const maxStrictErrors = 100;

/** Walks the text of a valid JSON document beside its schema. Slow and exact: only used when keys stand twice. */
class StrictWalk {
  readonly #text: string;
  #at = 0;
  readonly errors: string[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  #token(form: RegExp): string {
    form.lastIndex = this.#at;
    const match = form.exec(this.#text);
    if (match === null) throw new Error('not JSON');
    this.#at = form.lastIndex;
    return match[0];
  }

  #next(): string {
    this.#token(space);
    return this.#text[this.#at] ?? '';
  }

  #take(): void {
    this.#at++;
  }

  #report(kind: 'unknown' | 'duplicate', path: string): void {
    const text = `${kind} field ${quoteGo(path)}`;
    if (this.errors.length < maxStrictErrors && !this.errors.includes(text)) this.errors.push(text);
  }

  /** Passes over one value; with a schema it reports what a strict decoder of that type does, without one nothing. */
  value(schema: Schema | undefined, path: string): void {
    const first = this.#next();
    if (first === '{') this.#object(schema?.kind === 'struct' && schema.jsonForm !== undefined ? undefined : schema, path);
    else if (first === '[') this.#list(schema?.kind === 'list' ? schema.items : undefined, path);
    else this.#token(first === '"' ? stringToken : plainToken);
  }

  #list(items: Schema | undefined, path: string): void {
    this.#take();
    for (let i = 0; this.#next() !== ']'; i++) {
      this.value(items, `${path}[${i}]`);
      if (this.#next() === ',') this.#take();
    }
    this.#take();
  }

  #object(schema: Schema | undefined, path: string): void {
    const seen = new Set<string>();
    this.#take();
    while (this.#next() !== '}') {
      const key = JSON.parse(this.#token(stringToken)) as string;
      this.#next();
      this.#take();
      this.value(this.#member(schema, key, path === '' ? key : `${path}.${key}`, seen), path === '' ? key : `${path}.${key}`);
      if (this.#next() === ',') this.#take();
    }
    this.#take();
  }

  /** Reports a key and gives the schema of its value. */
  #member(schema: Schema | undefined, key: string, path: string, seen: Set<string>): Schema | undefined {
    if (schema?.kind !== 'struct' && schema?.kind !== 'map') return undefined;
    const inner = schema.kind === 'map' ? schema.values : schema.byName.get(key)?.schema;
    if (inner === undefined) this.#report('unknown', path);
    else if (seen.has(key)) this.#report('duplicate', path);
    seen.add(key);
    return inner;
  }
}

/** Unknown and duplicate fields in document order, as sigs.k8s.io/json reports them for a type. */
export function strictErrorsOf(schema: StructSchema, text: string): string[] {
  const walk = new StrictWalk(text);
  walk.value(schema, '');
  return walk.errors;
}
