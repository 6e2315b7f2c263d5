import { exactly, scaleBounds, type CallEstimate, type EstimateNode } from '#shared/cel/contract/estimate.ts';
import type { Library } from '#shared/cel/contract/library.ts';
import { CelObject } from '#shared/cel/values/cel-type.ts';
import type { Value } from '#shared/cel/values/value.ts';
import { costOfCharacter } from './sizes.ts';

/** The length of the longest name of a format. */
const longestFormat = 64;

/** Types of Kubernetes' libraries whose comparison is estimated to cost 1. */
const cheap: ReadonlySet<string> = new Set([
  'net.IP',
  'net.CIDR',
  'kubernetes.Quantity',
  'kubernetes.Semver',
  'kubernetes.authorization.Authorizer',
  'kubernetes.authorization.PathCheck',
  'kubernetes.authorization.GroupCheck',
  'kubernetes.authorization.ResourceCheck',
  'kubernetes.authorization.Decision',
]);
const compared: ReadonlySet<string> = new Set([...cheap, 'kubernetes.NamedFormat', 'kubernetes.URL']);

/** The cost of `==` on the types of Kubernetes' libraries. */
export const equalityCosts: Library = {
  name: 'kubernetes.equality',
  functions: [
    {
      name: '_==_',
      overloads: [],
      cost: ([left]: readonly Value[]) => (left instanceof CelObject && compared.has(left.type.name) ? 1 : undefined),
      estimate: (_, __, [left, right]) =>
        left === undefined || right === undefined ? undefined : estimate(left, right),
    },
  ],
};

function estimate(left: EstimateNode, right: EstimateNode): CallEstimate | undefined {
  const { name } = left.type;
  if (name !== right.type.name) return undefined;
  if (cheap.has(name)) return { cost: exactly(1) };
  if (name === 'kubernetes.NamedFormat') return { cost: scaleBounds({ min: 1, max: longestFormat }, costOfCharacter) };
  // Upstream uses only the size of the right one of two URLs.
  return name === 'kubernetes.URL'
    ? { cost: scaleBounds({ min: 1, max: right.computedSize?.max ?? 1 }, costOfCharacter) }
    : undefined;
}
