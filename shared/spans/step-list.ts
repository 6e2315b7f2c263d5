import type { LazyAttributes, SpanAttributes } from './request-span.ts';

/** What one record of work keeps at most, with all work below it: a deletion of a collection has no end of steps. */
const maxItems = 500;

/** From here on work is slow where nothing else is said: the reference's threshold of nearly all of its work. */
export const slowFromMs = 500;

/** Work below, or the three values of a step: its name, its attributes, and when it happened. */
type Item = StepList | string | SpanAttributes | number | undefined;

/** Something that happened, or work below that was begun. */
export type Step = StepList | { readonly name: string; readonly attributes?: SpanAttributes; readonly atMs: number };

/**
 * A piece of work with its steps in their order, kept as plain values until it is known whether the work was slow.
 * Times are those of `performance.now`.
 */
export class StepList {
  readonly name: string;
  readonly startMs: number;
  /** Undefined while the work goes on. */
  endMs: number | undefined;
  /** From how long on the work is slow. */
  thresholdMs = 0;
  readonly #attributes: LazyAttributes | undefined;
  readonly #root: StepList;
  #added: SpanAttributes | undefined;
  #items: Item[] | undefined;
  /** Of the root: with all below. */
  #count = 0;

  constructor(name: string, attributes: LazyAttributes | undefined, startMs: number, root?: StepList) {
    this.name = name;
    this.startMs = startMs;
    this.#attributes = attributes;
    this.#root = root ?? this;
  }

  get isRoot(): boolean {
    return this.#root === this;
  }

  add(name: string, attributes: SpanAttributes | undefined, atMs: number): void {
    if (this.#isFull()) return;
    if (this.#items === undefined) this.#items = [name, attributes, atMs];
    else this.#items.push(name, attributes, atMs);
  }

  /** Work below, which begins now. */
  nest(name: string, attributes: LazyAttributes | undefined, startMs: number): StepList {
    const list = new StepList(name, attributes, startMs, this.#root);
    if (this.#isFull()) return list;
    if (this.#items === undefined) this.#items = [list];
    else this.#items.push(list);
    return list;
  }

  /** Only the first end counts. Whether the work was slow. */
  end(endMs: number, thresholdMs: number): boolean {
    if (this.endMs !== undefined) return false;
    this.endMs = endMs;
    this.thresholdMs = thresholdMs;
    return endMs - this.startMs >= thresholdMs;
  }

  set(attributes: SpanAttributes): void {
    this.#added = { ...this.#added, ...attributes };
  }

  attributes(): SpanAttributes {
    const own = typeof this.#attributes === 'function' ? this.#attributes() : this.#attributes;
    return { ...own, ...this.#added };
  }

  /** The steps in their order. */
  steps(): Step[] {
    const items = this.#items ?? [];
    const steps: Step[] = [];
    for (let at = 0; at < items.length;) {
      const item = items[at];
      if (item instanceof StepList) {
        steps.push(item);
        at++;
      } else {
        const attributes = items[at + 1] as SpanAttributes | undefined;
        steps.push({ name: item as string, ...(attributes && { attributes }), atMs: items[at + 2] as number });
        at += 3;
      }
    }
    return steps;
  }

  #isFull(): boolean {
    return this.#root.#count++ >= maxItems;
  }
}
