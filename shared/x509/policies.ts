import { DerError, DerReader, derTags } from './der.ts';

/**
 * The policy extensions of a certificate (RFC 5280, 4.2.1.4, 4.2.1.5, 4.2.1.11, 4.2.1.14); numbers are undefined
 * without their extension.
 */
export interface PolicyRules {
  /** Identifiers in hexadecimal. */
  readonly policies: readonly string[];
  /** Policies of the issuer, and the policies of the subject to which they are mapped. */
  readonly mappings: readonly (readonly [issuer: string, subject: string])[];
  readonly requireExplicitPolicy: number | undefined;
  readonly inhibitPolicyMapping: number | undefined;
  readonly inhibitAnyPolicy: number | undefined;
}

export const noPolicies: PolicyRules = {
  policies: [],
  mappings: [],
  requireExplicitPolicy: undefined,
  inhibitPolicyMapping: undefined,
  inhibitAnyPolicy: undefined,
};

const requireTag = 0x80;
const inhibitTag = 0x81;

export function readPolicies(value: Buffer): Pick<PolicyRules, 'policies'> {
  const found = new Set<string>();
  for (const list = new DerReader(value).sequence(); !list.isAtEnd();) {
    const { content } = list.sequence().take(derTags.objectIdentifier);
    const policy = content.toString('hex');
    if (found.has(policy) || !isIdentifier(content)) throw new DerError('x509: invalid certificate policies');
    found.add(policy);
  }
  return { policies: [...found] };
}

/** Whether the content is a valid object identifier: arcs may have any size, and each must be in its shortest form. */
function isIdentifier(content: Buffer): boolean {
  return (
    content.length > 0 &&
    (content.at(-1) ?? 0) < 0x80 &&
    !content.some((byte, index) => byte === 0x80 && (content[index - 1] ?? 0) < 0x80)
  );
}

export function readPolicyMappings(value: Buffer): Pick<PolicyRules, 'mappings'> {
  const mappings: [string, string][] = [];
  for (const list = new DerReader(value).sequence(); !list.isAtEnd();) {
    const pair = list.sequence();
    const next = (): string => pair.take(derTags.objectIdentifier).content.toString('hex');
    mappings.push([next(), next()]);
  }
  return { mappings };
}

export function readPolicyConstraints(
  value: Buffer,
): Pick<PolicyRules, 'inhibitPolicyMapping' | 'requireExplicitPolicy'> {
  const fields = new DerReader(value).sequence();
  const optional = (tag: number): number | undefined => {
    const content = fields.optional(tag)?.content;
    if (content === undefined) return undefined;
    if (content.length === 0 || content.length > 8) throw new DerError('x509: invalid policy constraints extension');
    return Number(BigInt.asIntN(content.length * 8, BigInt(`0x${content.toString('hex')}`)));
  };
  return { requireExplicitPolicy: optional(requireTag), inhibitPolicyMapping: optional(inhibitTag) };
}
