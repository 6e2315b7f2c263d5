import {
  EVENT_ALIAS,
  EVENT_DOCUMENT,
  EVENT_MAPPING,
  EVENT_POP,
  EVENT_SCALAR,
  EVENT_SEQUENCE,
  getScalarValue,
  SCALAR_STYLE_FOLDED_BLOCK,
  SCALAR_STYLE_LITERAL_BLOCK,
  SCALAR_STYLE_PLAIN,
  type Event,
} from 'js-yaml';
import { setKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { exact } from '#shared/serializer/json/exact-integers.ts';
import { JsonDepthError, maxJsonDepth } from '#shared/serializer/json/scan.ts';
import { YamlFailure } from './failure.ts';
import { invalidKey, keyOfScalar, nullKey, type YamlKey } from './keys.ts';
import { resolveScalar, type YamlScalar } from './scalars.ts';
import { yamlTagOf, type TagHandles } from './tags.ts';

type Node = Exclude<Event, { type: typeof EVENT_DOCUMENT | typeof EVENT_POP }>;

/** The value of a document; `duplicates` has the strict reader's line for each duplicate key of a mapping. */
export interface Constructed {
  readonly value: JsonValue;
  readonly duplicates: readonly string[];
}

const mergeTag = 'tag:yaml.org,2002:merge';

/**
 * Up to `manyValues` decoded values, nearly all may come from aliases; from `tooManyValues` on, a tenth (go-yaml's
 * decode.go).
 */
const manyValues = 400_000;
const tooManyValues = 4_000_000;

/**
 * The value of the first document, as go-yaml v2 makes it of a parser's events: later keys replace earlier ones, merged
 * keys count at the place of the merge, and unknown tags are ignored.
 * @throws YamlFailure
 */
export function constructDocument(source: string, events: readonly Event[]): Constructed {
  return new Constructor(source, events).document();
}

class Constructor {
  readonly #source: string;
  readonly #events: readonly Event[];
  readonly #handles: TagHandles;
  /** The place of the node that an alias refers to, by the place of the alias. */
  readonly #targets: ReadonlyMap<number, number>;
  readonly #duplicates: string[] = [];
  readonly #open = new Set<number>();
  #decoded = 0;
  #fromAliases = 0;
  /** Offsets at which lines end; computed when first needed. */
  #breaks: readonly number[] | undefined;
  #depth = 0;
  /** Index of the next event. */
  #at = 0;

  constructor(source: string, events: readonly Event[]) {
    this.#source = source;
    this.#events = events;
    const [first] = events;
    const directives = first?.type === EVENT_DOCUMENT ? first.directives : [];
    this.#handles = new Map(
      directives.flatMap((directive) =>
        directive.kind === 'tag' ? [[directive.handle, directive.prefix] as const] : [],
      ),
    );
    this.#targets = aliasTargets(source, events);
  }

  document(): Constructed {
    this.#at = 1;
    const node = this.#events[this.#at];
    const value = node === undefined || node.type === EVENT_POP ? null : this.#value();
    return { value, duplicates: this.#duplicates };
  }

  #value(): JsonValue {
    const place = this.#at;
    const node = this.#events[this.#at++] as Node;
    this.#count();
    if (node.type === EVENT_ALIAS) return this.#aliased(place, node, () => this.#value());
    if (node.type === EVENT_SCALAR) return asJson(this.#scalar(node));
    // The events alone do not show the depth of expanded aliases, so it is checked here.
    if (++this.#depth > maxJsonDepth) throw new JsonDepthError(node.type === EVENT_SEQUENCE ? '[' : '{');
    const value = node.type === EVENT_SEQUENCE ? this.#list() : this.#pairs({}, new Set());
    this.#depth -= 1;
    return value;
  }

  #list(): JsonValue[] {
    const items: JsonValue[] = [];
    while (!this.#ends()) items.push(this.#value());
    return items;
  }

  #pairs(into: JsonObject, seen: Set<string>): JsonObject {
    while (!this.#ends()) {
      if (this.#isMerge()) {
        this.#at += 1;
        this.#merge(into, seen);
        continue;
      }
      const key = this.#key();
      const place = this.#at;
      const value = this.#value();
      if (key === undefined) throw nullKey(value);
      if (seen.has(key.shown))
        this.#duplicates.push(`line ${this.#lineOf(this.#events[place] as Node)}: key ${key.shown} already set in map`);
      seen.add(key.shown);
      setKey(into, key.text, value);
    }
    return into;
  }

  /** Reads a key; undefined for null. */
  #key(): YamlKey | undefined {
    const place = this.#at;
    const node = this.#events[place] as Node;
    if (node.type === EVENT_MAPPING || node.type === EVENT_SEQUENCE) throw invalidKey(this.#value());
    this.#at += 1;
    this.#count();
    return node.type === EVENT_ALIAS ? this.#aliased(place, node, () => this.#key()) : keyOfScalar(this.#scalar(node));
  }

  #scalar(node: Extract<Node, { type: typeof EVENT_SCALAR }>): YamlScalar {
    return resolveScalar(
      yamlTagOf(this.#source, node, this.#handles),
      getScalarValue(this.#source, node),
      node.style === SCALAR_STYLE_PLAIN,
    );
  }

  #merge(into: JsonObject, seen: Set<string>): void {
    const place = this.#at;
    const node = this.#events[this.#at++] as Node;
    this.#count();
    if (node.type === EVENT_MAPPING) this.#pairs(into, seen);
    else if (node.type === EVENT_ALIAS) this.#aliased(place, node, () => this.#mergeMapping(into, seen));
    else if (node.type === EVENT_SEQUENCE) this.#mergeList(into, seen);
    else throw noMerge();
  }

  /** The first of several mappings takes precedence, so it is merged last. */
  #mergeList(into: JsonObject, seen: Set<string>): void {
    const places: number[] = [];
    while (!this.#ends()) {
      places.push(this.#at);
      this.#skip();
    }
    const end = this.#at;
    for (const place of places.reverse()) {
      this.#at = place;
      const node = this.#events[this.#at++] as Node;
      if (node.type === EVENT_ALIAS) this.#aliased(place, node, () => this.#mergeMapping(into, seen));
      else if (node.type === EVENT_MAPPING) this.#pairs(into, seen);
      else throw noMerge();
    }
    this.#at = end;
  }

  #mergeMapping(into: JsonObject, seen: Set<string>): void {
    const node = this.#events[this.#at++] as Node;
    if (node.type !== EVENT_MAPPING) throw noMerge();
    this.#count();
    this.#pairs(into, seen);
  }

  /** Reads the node that an alias refers to at that node's own place, then continues after the alias. */
  #aliased<T>(place: number, node: Node, read: () => T): T {
    const target = this.#targets.get(place) ?? 0;
    const name = this.#source.slice(node.anchorStart, node.anchorEnd);
    if (this.#open.has(target)) throw new YamlFailure(`yaml: anchor '${name}' value contains itself`);
    const next = this.#at;
    this.#open.add(target);
    this.#at = target;
    const value = read();
    this.#open.delete(target);
    this.#at = next;
    return value;
  }

  #isMerge(): boolean {
    const node = this.#events[this.#at];
    if (node?.type !== EVENT_SCALAR || getScalarValue(this.#source, node) !== '<<') return false;
    const tag = yamlTagOf(this.#source, node, this.#handles);
    return tag === mergeTag || (tag === undefined && node.style === SCALAR_STYLE_PLAIN);
  }

  /** Whether a collection ends here; if so, advances past its end. */
  #ends(): boolean {
    if (this.#events[this.#at]?.type !== EVENT_POP) return false;
    this.#at += 1;
    return true;
  }

  #skip(): void {
    let depth = 0;
    do {
      const { type } = this.#events[this.#at++] as Event;
      if (type === EVENT_MAPPING || type === EVENT_SEQUENCE) depth += 1;
      else if (type === EVENT_POP) depth -= 1;
    } while (depth > 0);
  }

  #count(): void {
    this.#decoded += 1;
    if (this.#open.size > 0) this.#fromAliases += 1;
    if (
      this.#fromAliases > 100 &&
      this.#decoded > 1000 &&
      this.#fromAliases / this.#decoded > allowedShare(this.#decoded)
    )
      throw new YamlFailure('yaml: document contains excessive aliasing');
  }

  #lineOf(node: Node): number {
    this.#breaks ??= [...this.#source.matchAll(/\n/g)].map(({ index }) => index);
    const line = countBelow(this.#breaks, startOf(node)) + 1;
    // A block begins at its `|`, its value on the next line.
    const isBlock =
      node.type === EVENT_SCALAR &&
      (node.style === SCALAR_STYLE_LITERAL_BLOCK || node.style === SCALAR_STYLE_FOLDED_BLOCK);
    return isBlock ? line - 1 : line;
  }
}

/** Counts the numbers of an ascending list that are below a limit. */
function countBelow(ascending: readonly number[], limit: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] as number) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function noMerge(): YamlFailure {
  return new YamlFailure('yaml: map merge requires map or sequence of maps as the value');
}

function startOf(node: Node): number {
  const starts = [
    node.anchorStart,
    ...(node.type === EVENT_ALIAS ? [] : [node.tagStart]),
    node.type === EVENT_SCALAR ? node.valueStart : node.type === EVENT_ALIAS ? -1 : node.start,
  ];
  return Math.min(...starts.filter((start) => start >= 0));
}

function allowedShare(decoded: number): number {
  if (decoded <= manyValues) return 0.99;
  return decoded >= tooManyValues ? 0.1 : 0.99 - 0.89 * ((decoded - manyValues) / (tooManyValues - manyValues));
}

/** The target of each alias: the last node before it with its anchor name. */
function aliasTargets(source: string, events: readonly Event[]): Map<number, number> {
  const anchors = new Map<string, number>();
  const targets = new Map<number, number>();
  for (const [place, event] of events.entries()) {
    if (event.type === EVENT_POP || event.type === EVENT_DOCUMENT) continue;
    const name = source.slice(event.anchorStart, event.anchorEnd);
    if (event.type !== EVENT_ALIAS) {
      if (name !== '') anchors.set(name, place);
      continue;
    }
    const target = anchors.get(name);
    if (target === undefined) throw new YamlFailure(`yaml: unknown anchor '${name}' referenced`);
    targets.set(place, target);
  }
  return targets;
}

/** A float in the digits of an integer is one: the reference reads JSON that it made of the YAML. */
function asJson({ value, isFloat }: YamlScalar): YamlScalar['value'] {
  const isLarge = isFloat && Number.isInteger(value) && !Number.isSafeInteger(value);
  return isLarge && Math.abs(Number(value)) < 2 ** 64 ? (exact(String(value)) as number | bigint) : value;
}
