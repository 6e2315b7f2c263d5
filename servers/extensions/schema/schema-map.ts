import { getKey, isObject, type JsonObject } from '#shared/apimachinery/json/json.ts';

/** Schemas by name, such as `properties`. Each schema is read at its first use, as there may be 100,000. */
export class SchemaMap<Node> implements ReadonlyMap<string, Node> {
  readonly #raw: JsonObject;
  readonly #read: (schema: JsonObject) => Node;
  readonly #known = new Map<string, Node>();
  #size: number | undefined;

  constructor(raw: JsonObject, read: (schema: JsonObject) => Node) {
    this.#raw = raw;
    this.#read = read;
  }

  get size(): number {
    return (this.#size ??= this.#count());
  }

  #count(): number {
    let count = 0;
    for (const name of Object.keys(this.#raw)) if (this.has(name)) count++;
    return count;
  }

  get(name: string): Node | undefined {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const schema = getKey(this.#raw, name);
    if (!isObject(schema)) return undefined;
    const node = this.#read(schema);
    this.#known.set(name, node);
    return node;
  }

  has(name: string): boolean {
    return isObject(getKey(this.#raw, name));
  }

  *entries(): MapIterator<[string, Node]> {
    for (const name of Object.keys(this.#raw)) {
      const node = this.get(name);
      if (node !== undefined) yield [name, node];
    }
  }

  *keys(): MapIterator<string> {
    for (const [name] of this) yield name;
  }

  *values(): MapIterator<Node> {
    for (const [, node] of this) yield node;
  }

  forEach(visit: (node: Node, name: string, map: ReadonlyMap<string, Node>) => void): void {
    for (const [name, node] of this) visit(node, name, this);
  }

  [Symbol.iterator](): MapIterator<[string, Node]> {
    return this.entries();
  }
}
