import { objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import type { ResourceCaches } from '#shared/registry/resource-caches.ts';
import type { UserInfo } from '#shared/request/user.ts';
import { appliesTo, BindingsOfSubjects, type BindingSubject, type SubjectUser } from './bindings-of-subjects.ts';
import { ObjectIndex, type ObjectIndexOptions } from './object-index.ts';
import { roleRefOf, policyRulesOf, type PolicyRule, type RoleRef } from './policy-rule.ts';

const group = 'rbac.authorization.k8s.io';

interface Binding {
  readonly kind: 'ClusterRoleBinding' | 'RoleBinding';
  readonly name: string;
  readonly namespace: string;
  readonly roleRef: RoleRef;
  readonly subjects: readonly BindingSubject[];
}

/** The rules that one binding grants a user, or the reason why it grants none. */
export interface Grant {
  readonly rules: readonly PolicyRule[];
  readonly binding: Binding;
  readonly subject: BindingSubject;
  /** The role is missing. */
  readonly error: string;
}

/** Roles and bindings as the watch caches have them, compiled. */
export class RbacPolicy {
  readonly #roles: ObjectIndex<readonly PolicyRule[]>;
  readonly #clusterRoles: ObjectIndex<readonly PolicyRule[]>;
  readonly #roleBindings: ObjectIndex<Binding>;
  readonly #clusterRoleBindings: ObjectIndex<Binding>;
  /** Those of both kinds; cluster role bindings have no namespace. */
  readonly #bindings = new BindingsOfSubjects<Binding>();
  /**
   * The number of all changes so far, and its value at the last change of cluster-wide objects and of each namespace.
   */
  #changes = 0;
  #clusterChange = 0;
  readonly #namespaceChanges = new Map<string, number>();

  constructor(caches: ResourceCaches) {
    const changed = (namespace: string): void => {
      this.#changes++;
      if (namespace !== '') this.#namespaceChanges.set(namespace, this.#changes);
      if (namespace !== '' && this.#namespaceChanges.size <= maxNamespaces) return;
      this.#clusterChange = this.#changes;
      this.#namespaceChanges.clear();
    };
    const rebind = (before: Binding | undefined, after: Binding | undefined): void =>
      this.#bindings.change(before, after);
    const ofRoles = { compile: policyRulesOf, onChange: changed };
    this.#roles = new ObjectIndex<readonly PolicyRule[]>(caches, group, 'roles', ofRoles);
    this.#clusterRoles = new ObjectIndex<readonly PolicyRule[]>(caches, group, 'clusterroles', ofRoles);
    const ofBindings = (kind: Binding['kind']): ObjectIndexOptions<Binding> => ({
      compile: (object) => compileBinding(kind, object),
      onChange: changed,
      onItem: rebind,
    });
    this.#roleBindings = new ObjectIndex(caches, group, 'rolebindings', ofBindings('RoleBinding'));
    this.#clusterRoleBindings = new ObjectIndex(caches, group, 'clusterrolebindings', ofBindings('ClusterRoleBinding'));
  }

  /** A number that differs after every change that affects the namespace; '' for requests without a namespace. */
  generation(namespace: string): number {
    return Math.max(this.#clusterChange, this.#namespaceChanges.get(namespace) ?? 0);
  }

  async ready(): Promise<void> {
    await Promise.all([
      this.#roles.ready(),
      this.#clusterRoles.ready(),
      this.#roleBindings.ready(),
      this.#clusterRoleBindings.ready(),
    ]);
  }

  /** Resolves when the policy includes everything that was stored at the call. */
  async current(): Promise<void> {
    await Promise.all([
      this.#roles.current(),
      this.#clusterRoles.current(),
      this.#roleBindings.current(),
      this.#clusterRoleBindings.current(),
    ]);
  }

  isReady(): boolean {
    return (
      this.#roles.isReady() &&
      this.#clusterRoles.isReady() &&
      this.#roleBindings.isReady() &&
      this.#clusterRoleBindings.isReady()
    );
  }

  /**
   * All grants of the user: those of cluster role bindings first, then those of role bindings in the namespace (if
   * any).
   */
  grants(user: UserInfo, namespace: string): Grant[] {
    const found: Grant[] = [];
    const asking = { name: user.name, groups: new Set(user.groups) };
    for (const binding of this.#bindings.of('', user)) this.#addGrant(found, binding, asking);
    if (namespace !== '')
      for (const binding of this.#bindings.of(namespace, user)) this.#addGrant(found, binding, asking);
    return found;
  }

  /** The rules of the referenced role, as new as storage; undefined if the role is missing. */
  async rulesOf(roleRef: RoleRef, namespace: string): Promise<readonly PolicyRule[] | undefined> {
    return roleRef.kind === 'Role'
      ? await this.#roles.fresh(namespace, roleRef.name)
      : await this.#clusterRoles.fresh('', roleRef.name);
  }

  close(): void {
    for (const index of [this.#roles, this.#clusterRoles, this.#roleBindings, this.#clusterRoleBindings]) index.close();
  }

  #addGrant(found: Grant[], binding: Binding, user: SubjectUser): void {
    const subject = binding.subjects.find((candidate) => appliesTo(candidate, user, binding.namespace));
    if (!subject) return;
    const { roleRef } = binding;
    const rules =
      roleRef.kind === 'ClusterRole'
        ? this.#clusterRoles.get('', roleRef.name)
        : roleRef.kind === 'Role'
          ? this.#roles.get(binding.namespace, roleRef.name)
          : undefined;
    found.push({ rules: rules ?? noRules, binding, subject, error: rules === undefined ? missingRole(roleRef) : '' });
  }
}

const noRules: readonly PolicyRule[] = [];
/** The most namespaces whose changes are tracked separately. */
const maxNamespaces = 10_000;

function compileBinding(kind: Binding['kind'], object: KubeObject): Binding {
  const { name = '', namespace = '' } = object.metadata;
  const subjects = objectsAt(object, 'subjects').map((subject) => ({
    kind: stringAt(subject, 'kind'),
    name: stringAt(subject, 'name'),
    namespace: stringAt(subject, 'namespace'),
  }));
  return { kind, name, namespace, roleRef: roleRefOf(object), subjects };
}

/** The error message for a reference to a kind that is no role. */
export function unsupportedKind(kind: string): string {
  return `unsupported role reference kind: ${goQuote(kind)}`;
}

function missingRole(roleRef: RoleRef): string {
  if (roleRef.kind !== 'Role' && roleRef.kind !== 'ClusterRole') return unsupportedKind(roleRef.kind);
  return `${roleRef.kind.toLowerCase()}.${group} ${goQuote(roleRef.name)} not found`;
}

/** `ClusterRoleBinding "x" of ClusterRole "y" to Group "z"`. */
export function describeGrant({ binding, subject }: Grant): string {
  const name = binding.kind === 'RoleBinding' ? `${binding.name}/${binding.namespace}` : binding.name;
  const who =
    subject.kind === 'ServiceAccount' ? `${subject.name}/${subject.namespace || binding.namespace}` : subject.name;
  return `${binding.kind} ${goQuote(name)} of ${binding.roleRef.kind} ${goQuote(binding.roleRef.name)} to ${subject.kind} ${goQuote(who)}`;
}
