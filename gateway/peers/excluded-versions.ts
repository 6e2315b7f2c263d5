import type { BackendRoute } from '#gateway/proxy/routing-table.ts';

/** How long a deleted group version is not taken from peers, which may not have seen its deletion. */
const graceMs = 5 * 60_000;

/**
 * Group versions of CustomResourceDefinitions and registered API servers, and those that were some minutes ago. All
 * servers on one etcd have them, so none is asked for them: what a peer tells of them may be out of date
 * (apiserver/pkg/util/peerproxy/gv_exclusion_manager.go).
 */
export class ExcludedVersions {
  readonly #onChange: () => void;
  #active: ReadonlySet<string> = new Set();
  readonly #deleted = new Map<string, NodeJS.Timeout>();

  /** @param onChange called when the set changes */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  has(group: string, version: string): boolean {
    const name = `${group}/${version}`;
    return this.#active.has(name) || this.#deleted.has(name);
  }

  /** Takes over the current routes. */
  update(routes: Iterable<BackendRoute>): void {
    const before = this.#active;
    const active = new Set<string>();
    for (const route of routes) {
      if (route.kind === 'remote') active.add(`${route.spec.group}/${route.spec.version}`);
      else if (route.served.defined === true) active.add(`${route.served.group}/${route.served.version}`);
    }
    this.#active = active;
    const gone = [...before].filter((name) => !active.has(name));
    for (const name of gone) this.#keep(name);
    if (gone.length > 0 || active.size > before.size) this.#onChange();
  }

  close(): void {
    for (const timer of this.#deleted.values()) clearTimeout(timer);
  }

  #keep(name: string): void {
    clearTimeout(this.#deleted.get(name));
    const forget = (): void => {
      this.#deleted.delete(name);
      this.#onChange();
    };
    this.#deleted.set(name, setTimeout(forget, graceMs).unref());
  }
}
