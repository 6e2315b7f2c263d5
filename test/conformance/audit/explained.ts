import type { JsonObject } from '#shared/apimachinery/json/json.ts';

/** A difference that is meant. */
interface Explanation {
  /** A line of the difference. */
  readonly line: RegExp;
  /** Which events it is of; all without. */
  readonly of?: (events: readonly JsonObject[]) => boolean;
}

const explanations: readonly Explanation[] = [
  // plugin/pkg/auth/authorizer/rbac lists bindings from an informer's index, which is a Go map: each of several that
  // allow a request may be the one that is named.
  { line: /reason: want "RBAC: allowed by .* have "RBAC: allowed by / },
];

export function isExplained(line: string, events: readonly JsonObject[]): boolean {
  return explanations.some(({ line: pattern, of }) => pattern.test(line) && of?.(events) !== false);
}
