import type { UserInfo } from '#shared/request/user.ts';
import { SortedItems } from './sorted-items.ts';

export interface BindingSubject {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
}

interface BoundSubjects {
  readonly name: string;
  readonly namespace: string;
  readonly subjects: readonly BindingSubject[];
}

/** The bindings of one namespace, by the names of users and groups that they bind. */
interface OfNamespace<B> {
  readonly users: Map<string, SortedItems<B>>;
  readonly groups: Map<string, SortedItems<B>>;
}

/** Role bindings by namespace and subject, so that a request costs as much as the bindings of its user. */
export class BindingsOfSubjects<B extends BoundSubjects> {
  readonly #byNamespace = new Map<string, OfNamespace<B>>();

  /** Replaces a binding of the same namespace and name. `before` is undefined for a new one, `after` for one that went. */
  change(before: B | undefined, after: B | undefined): void {
    if (before !== undefined) this.#remove(before);
    if (after !== undefined) this.#add(after);
  }

  /** The bindings in a namespace that apply to the user, ordered by name. */
  of(namespace: string, { name, groups }: UserInfo): readonly B[] {
    const bindings = this.#byNamespace.get(namespace);
    if (bindings === undefined) return none;
    const found: B[] = [...(bindings.users.get(name)?.items ?? none)];
    let sources = found.length === 0 ? 0 : 1;
    for (const group of new Set(groups)) {
      const ofGroup = bindings.groups.get(group)?.items;
      if (ofGroup === undefined) continue;
      for (const binding of ofGroup) found.push(binding);
      sources++;
    }
    if (sources < 2) return found;
    return [...new Set(found)].sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  #add(binding: B): void {
    const bindings = this.#of(binding.namespace);
    for (const [names, name] of boundNames(bindings, binding)) {
      let items = names.get(name);
      if (items === undefined) names.set(name, (items = new SortedItems()));
      items.put(binding.name, binding);
    }
  }

  #remove(binding: B): void {
    const bindings = this.#of(binding.namespace);
    for (const [names, name] of boundNames(bindings, binding)) {
      const items = names.get(name);
      items?.delete(binding.name);
      if (items?.items.length === 0) names.delete(name);
    }
    if (bindings.users.size + bindings.groups.size === 0) this.#byNamespace.delete(binding.namespace);
  }

  #of(namespace: string): OfNamespace<B> {
    let bindings = this.#byNamespace.get(namespace);
    if (bindings === undefined) this.#byNamespace.set(namespace, (bindings = { users: new Map(), groups: new Map() }));
    return bindings;
  }
}

const none: readonly never[] = [];

function* boundNames<B extends BoundSubjects>(
  { users, groups }: OfNamespace<B>,
  { subjects, namespace }: B,
): Generator<readonly [names: Map<string, SortedItems<B>>, name: string]> {
  for (const subject of subjects) {
    const user = userOf(subject, namespace);
    if (user !== undefined) yield [users, user];
    else if (subject.kind === 'Group') yield [groups, subject.name];
  }
}

/** The name of the one user that a subject stands for; undefined for a group and for what stands for nobody. */
function userOf({ kind, name, namespace }: BindingSubject, bindingNamespace: string): string | undefined {
  if (kind === 'User') return name;
  const home = namespace || bindingNamespace;
  return kind === 'ServiceAccount' && home !== '' ? `system:serviceaccount:${home}:${name}` : undefined;
}

/** A user for {@link appliesTo}: the groups are a set, since a review may name thousands, as a binding may. */
export interface SubjectUser {
  readonly name: string;
  readonly groups: ReadonlySet<string>;
}

/** Whether a subject of a binding in this namespace (empty for a ClusterRoleBinding) stands for the user. */
export function appliesTo(subject: BindingSubject, user: SubjectUser, bindingNamespace: string): boolean {
  if (subject.kind === 'Group') return user.groups.has(subject.name);
  return userOf(subject, bindingNamespace) === user.name;
}
