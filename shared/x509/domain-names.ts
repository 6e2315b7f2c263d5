/**
 * Whether a text can be a domain as certificates name them (crypto/x509 domainNameValid); `isConstraint`: a leading dot
 * is allowed, too.
 */
export function isDomain(text: string, isConstraint = false): boolean {
  if (text === '') return true;
  const labels = isConstraint && text.startsWith('.') ? text.slice(1) : text;
  return /^[!-~]*$/.test(labels) && !/^$|^\.|\.\.|\.$/.test(labels);
}

/** Domains with their subdomains; a domain that begins with a dot stands for its subdomains only. Case-insensitive. */
export class DomainTrees {
  /** Domains by their length, so that a look-up takes one step for each length in use. */
  readonly #byLength = new Map<number, Set<string>>();
  /** The domains without their first labels. */
  readonly #parents = new Set<string>();
  #all = false;

  constructor(domains: readonly string[]) {
    for (const domain of domains) this.#add(domain.toLowerCase());
  }

  covers(name: string): boolean {
    if (this.#all) return true;
    const lower = name.toLowerCase();
    for (const [length, domains] of this.#byLength) {
      const start = lower.length - length;
      if (start < 0) continue;
      const domain = lower.slice(start);
      if (domains.has(domain) && (start === 0 || domain.startsWith('.') || lower[start - 1] === '.')) return true;
    }
    return false;
  }

  /** Whether a wildcard name, which begins with `*`, matches one of the domains. */
  wildcardMeets(name: string): boolean {
    return name.startsWith('*') && this.#parents.has(behindFirstLabel(name.toLowerCase()));
  }

  #add(domain: string): void {
    if (domain === '') this.#all = true;
    const same = this.#byLength.get(domain.length);
    if (same) same.add(domain);
    else this.#byLength.set(domain.length, new Set([domain]));
    const parent = behindFirstLabel(domain);
    if (parent !== '') this.#parents.add(parent);
  }
}

/** The rest of a domain after its first label, with the dot; empty for a single label. */
function behindFirstLabel(domain: string): string {
  const dot = domain.indexOf('.');
  return dot < 0 ? '' : domain.slice(dot);
}
