import { formatGroupVersionKind, type GroupVersionKind } from '#shared/apimachinery/gvk.ts';

/** The listers of the kinds that any user of a source names; those that nobody names any more are closed. */
export class UsedKinds<Lister extends { close(): void }> {
  readonly #listers = new Map<string, Lister>();
  readonly #kindsOf = new Map<object, Set<string>>();

  /** Keeps the kind until the next {@link keepOnly} of the user, whose other kinds are not known yet. */
  name(user: object, kind: GroupVersionKind): void {
    const named = this.#kindsOf.get(user) ?? new Set();
    this.#kindsOf.set(user, named.add(formatGroupVersionKind(kind)));
  }

  get(kind: GroupVersionKind): Lister | undefined {
    return this.#listers.get(formatGroupVersionKind(kind));
  }

  set(kind: GroupVersionKind, lister: Lister): void {
    this.#listers.set(formatGroupVersionKind(kind), lister);
  }

  keepOnly(user: object, kinds: readonly GroupVersionKind[]): void {
    this.#kindsOf.set(user, new Set(kinds.map(formatGroupVersionKind)));
    const wanted = new Set([...this.#kindsOf.values()].flatMap((named) => [...named]));
    for (const [name, lister] of this.#listers) {
      if (wanted.has(name)) continue;
      lister.close();
      this.#listers.delete(name);
    }
  }

  closeAll(): void {
    for (const lister of this.#listers.values()) lister.close();
    this.#listers.clear();
  }
}
