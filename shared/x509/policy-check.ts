import type { Certificate } from './certificate.ts';

/** A policy that is valid at one certificate of a chain. */
interface Node {
  readonly policy: string;
  /** The names that the policy may have in the next certificate below. */
  expected: readonly string[];
  readonly parents: Set<Node>;
  readonly children: Set<Node>;
}

type Level = Map<string, Node>;

/** The object identifier of anyPolicy, 2.5.29.32.0. */
const anyPolicy = '551d2000';

/**
 * Whether the certificate policies of a chain (leaf first) are valid (RFC 5280, 6.1, with the policy graph of RFC 9618,
 * whose size is linear in that of the certificates). No particular policy is required.
 */
export function policiesHold(chain: readonly Certificate[]): boolean {
  const count = chain.length - 1;
  if (count === 0) return true;
  /** For how many more certificates it is allowed to have no policy, to map policies, and to use anyPolicy. */
  const left = { explicit: count + 1, mapping: count + 1, any: count + 1 };
  let levels: Level[] | undefined = [
    new Map([[anyPolicy, { policy: anyPolicy, expected: [anyPolicy], parents: new Set(), children: new Set() }]]),
  ];
  for (const [depth, certificate] of chain.slice(0, -1).reverse().entries()) {
    const { policies, mappings } = certificate.policies;
    const isLeaf = depth === count - 1;
    const isSelfIssued = certificate.issuer.equals(certificate.subject);
    if (policies.length === 0) levels = undefined;
    if (left.explicit === 0 && levels === undefined) return false;
    if (levels !== undefined) {
      addLevel(levels, policies, left.any > 0 || (!isLeaf && isSelfIssued));
      if (!isLeaf && mappings.length > 0 && !mapPolicies(levels, mappings, left.mapping > 0)) return false;
    }
    if (!isLeaf) countDown(left, certificate, isSelfIssued);
  }
  const explicitLeft = chain[0]?.policies.requireExplicitPolicy === 0 ? 0 : Math.max(0, left.explicit - 1);
  return explicitLeft > 0 || (levels !== undefined && anyHolds(levels));
}

function countDown(
  left: { explicit: number; mapping: number; any: number },
  { policies }: Certificate,
  isSelfIssued: boolean,
): void {
  const step = isSelfIssued ? 0 : 1;
  const lower = (present: number, limit: number | undefined): number => {
    const counted = Math.max(0, present - step);
    return limit !== undefined && limit >= 0 ? Math.min(counted, limit) : counted;
  };
  left.explicit = lower(left.explicit, policies.requireExplicitPolicy);
  left.mapping = lower(left.mapping, policies.inhibitPolicyMapping);
  left.any = lower(left.any, policies.inhibitAnyPolicy);
}

function addLevel(levels: Level[], policies: readonly string[], takesAny: boolean): void {
  const above = levels.at(-1) ?? new Map<string, Node>();
  const byExpected = new Map<string, Node[]>();
  for (const node of above.values()) for (const policy of node.expected) pushTo(byExpected, policy, node);
  const level: Level = new Map();
  const any = above.get(anyPolicy);
  for (const policy of policies) {
    const parents = byExpected.get(policy) ?? (any ? [any] : []);
    if (policy !== anyPolicy && parents.length > 0) insert(level, policy, parents);
  }
  if (takesAny && policies.includes(anyPolicy))
    for (const [policy, parents] of byExpected) if (!level.has(policy)) insert(level, policy, parents);
  levels.push(level);
  prune(levels);
}

/** Applies the policy mappings of a certificate; returns false if one of them is invalid. */
function mapPolicies(levels: Level[], mappings: Certificate['policies']['mappings'], isAllowed: boolean): boolean {
  const level = levels.at(-1) ?? new Map<string, Node>();
  if (!isAllowed) {
    for (const [issuer] of mappings) remove(level, issuer);
    prune(levels);
    return true;
  }
  if (mappings.some((pair) => pair.includes(anyPolicy))) return false;
  const subjects = new Map<string, string[]>();
  for (const [issuer, subject] of mappings) pushTo(subjects, issuer, subject);
  for (const [issuer, expected] of subjects) {
    const any = level.get(anyPolicy);
    const node = level.get(issuer) ?? (any && insert(level, issuer, [any]));
    if (node) node.expected = expected;
  }
  return true;
}

function insert(level: Level, policy: string, parents: readonly Node[]): Node {
  const node: Node = { policy, expected: [policy], parents: new Set(parents), children: new Set() };
  for (const parent of parents) parent.children.add(node);
  level.set(policy, node);
  return node;
}

function remove(level: Level, policy: string): void {
  const node = level.get(policy);
  for (const parent of node?.parents ?? []) if (node) parent.children.delete(node);
  level.delete(policy);
}

/** Removes nodes without children, except in the root and in the newest level. */
function prune(levels: readonly Level[]): void {
  for (const level of levels.slice(1, -1).reverse())
    for (const node of level.values()) if (node.children.size === 0) remove(level, node.policy);
}

/** Whether a policy is valid down to the leaf: anyPolicy itself, or a policy derived from it. */
function anyHolds(levels: readonly Level[]): boolean {
  if (levels.at(-1)?.has(anyPolicy) === true) return true;
  return levels.some((level) =>
    [...level.values()].some(
      ({ policy, parents }) => policy !== anyPolicy && parents.size === 1 && [...parents][0]?.policy === anyPolicy,
    ),
  );
}

function pushTo<Item>(lists: Map<string, Item[]>, key: string, item: Item): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}
