import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import type { PolicyRule } from './policy-rule.ts';

interface HeldRule {
  readonly verbs: ReadonlySet<string>;
  readonly apiGroups: ReadonlySet<string>;
  readonly resources: ReadonlySet<string>;
  readonly resourceNames: ReadonlySet<string>;
  readonly paths: PathPatterns;
}

/**
 * The rules that a user holds. Both they and the rules to be covered may be tens of thousands, with as many values, so
 * that each part of a rule is compared only with the rules that share its rarest value.
 */
export class CoveringRules {
  readonly #byVerb = new Index();
  readonly #byGroup = new Index();
  readonly #byResource = new Index();
  readonly #byName = new Index();
  readonly #ofAnyName: HeldRule[] = [];
  readonly #ofPaths: HeldRule[] = [];

  private constructor() {}

  static *of(rules: readonly PolicyRule[]): Steps<CoveringRules> {
    const held = new CoveringRules();
    for (const rule of rules) {
      held.#add(rule);
      if (sliceIsOver()) yield;
    }
    return held;
  }

  #add({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): void {
    const rule: HeldRule = {
      verbs: new Set(verbs),
      apiGroups: new Set(apiGroups),
      resources: new Set(resources),
      resourceNames: new Set(resourceNames),
      paths: new PathPatterns(nonResourceURLs),
    };
    this.#byVerb.add(rule.verbs, rule);
    this.#byGroup.add(rule.apiGroups, rule);
    this.#byResource.add(rule.resources, rule);
    this.#byName.add(rule.resourceNames, rule);
    if (resourceNames.length === 0) this.#ofAnyName.push(rule);
    if (nonResourceURLs.length > 0) this.#ofPaths.push(rule);
  }

  /** Whether a rule allows everything that `part` allows, which has at most one value in each list. */
  cover(part: PolicyRule): boolean {
    const verbs = part.verbs.flatMap(orAny);
    const groups = part.apiGroups.flatMap(orAny);
    const resources = part.resources.flatMap(patternsOf);
    const choices =
      part.nonResourceURLs.length > 0
        ? [this.#byVerb.of(verbs), [this.#ofPaths]]
        : [
            this.#byVerb.of(verbs),
            this.#byGroup.of(groups),
            this.#byResource.of(resources),
            [this.#ofAnyName, ...this.#byName.of(part.resourceNames)],
          ];
    return rarest(choices).some((rules) =>
      rules.some(
        (rule) =>
          hasOne(rule.verbs, verbs) &&
          (part.apiGroups.length === 0 || hasOne(rule.apiGroups, groups)) &&
          (part.resources.length === 0 || hasOne(rule.resources, resources)) &&
          part.nonResourceURLs.every((url) => rule.paths.match(url)) &&
          (rule.resourceNames.size === 0 || hasOne(rule.resourceNames, part.resourceNames)),
      ),
    );
  }
}

/** Rules by a value of one of their lists. */
class Index {
  readonly #rules = new Map<string, HeldRule[]>();

  add(values: ReadonlySet<string>, rule: HeldRule): void {
    for (const value of values) {
      const rules = this.#rules.get(value);
      if (rules === undefined) this.#rules.set(value, [rule]);
      else rules.push(rule);
    }
  }

  of(values: readonly string[]): (readonly HeldRule[])[] {
    return values.map((value) => this.#rules.get(value) ?? []);
  }
}

/** Paths, and beginnings of paths that end with `*`. */
class PathPatterns {
  readonly #paths: ReadonlySet<string>;
  readonly #beginnings: ReadonlySet<string>;
  readonly #lengths: readonly number[];

  constructor(patterns: readonly string[]) {
    this.#paths = new Set(patterns);
    this.#beginnings = new Set(patterns.flatMap((pattern) => (pattern.endsWith('*') ? [withoutStars(pattern)] : [])));
    this.#lengths = [...new Set(Array.from(this.#beginnings, ({ length }) => length))];
  }

  match(path: string): boolean {
    return this.#paths.has(path) || this.#lengths.some((length) => this.#beginnings.has(path.slice(0, length)));
  }
}

function withoutStars(pattern: string): string {
  let end = pattern.length;
  while (pattern[end - 1] === '*') end--;
  return pattern.slice(0, end);
}

function orAny(value: string): string[] {
  return ['*', value];
}

/** What a rule may name for a resource: everything, the resource, or its subresource of all resources. */
function patternsOf(resource: string): string[] {
  const slash = resource.indexOf('/');
  return slash < 0 ? ['*', resource] : ['*', resource, `*${resource.slice(slash)}`];
}

function hasOne(set: ReadonlySet<string>, values: readonly string[]): boolean {
  return values.some((value) => set.has(value));
}

type Choice = readonly (readonly HeldRule[])[];

function rarest(choices: readonly Choice[]): Choice {
  const sizeOf = (choice: Choice): number => choice.reduce((sum, rules) => sum + rules.length, 0);
  return choices.reduce((best, choice) => (sizeOf(choice) < sizeOf(best) ? choice : best));
}
