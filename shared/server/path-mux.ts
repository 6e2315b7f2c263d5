import { unknownResource } from '#shared/endpoints/responders/not-found.ts';
import { internalPrefix, plainText } from '#shared/filters/filter-tools.ts';
import type { Handler } from '#shared/request/request-context.ts';

/** Lists the paths that are served elsewhere, for the index at `/`. */
export type PathLister = () => Promise<Iterable<string>>;

/**
 * Handlers of fixed paths (health, version, OpenAPI, …) in front of the API handler. Paths are matched as decoded,
 * whole or by prefix; the longest prefix wins (apiserver/pkg/server/mux).
 */
export class PathMux {
  readonly #exact = new Map<string, Handler>();
  readonly #prefixes: (readonly [string, Handler])[] = [];
  readonly #unlisted = new Set<string>();
  readonly #listers: PathLister[] = [];

  handle(path: string, handler: Handler, listed: 'listed' | 'unlisted' = 'listed'): void {
    this.#exact.set(path, handler);
    if (listed === 'unlisted') this.#unlisted.add(path);
  }

  /** `prefix` ends with `/`. */
  handlePrefix(prefix: string, handler: Handler, listed: 'listed' | 'unlisted' = 'listed'): void {
    if (listed === 'unlisted') this.#unlisted.add(prefix);
    this.#prefixes.push([prefix, handler]);
    this.#prefixes.sort((a, b) => b[0].length - a[0].length);
  }

  /**
   * Adds a path that is routed like resources: with and without a slash at its end; other paths below it get a Status
   * 404.
   */
  handleService(path: string, handler: Handler): void {
    this.handle(path, handler);
    this.handlePrefix(
      `${path}/`,
      (context) => {
        if (context.info.path !== `${path}/`) throw unknownResource();
        return handler(context);
      },
      'unlisted',
    );
  }

  addPathLister(lister: PathLister): void {
    this.#listers.push(lister);
  }

  find(path: string): Handler | undefined {
    return this.#exact.get(path) ?? this.#prefixes.find(([prefix]) => path.startsWith(prefix))?.[1];
  }

  /** The listed paths, sorted, without `/` itself. */
  async paths(): Promise<string[]> {
    const all = new Set([...this.#exact.keys(), ...this.#prefixes.map(([prefix]) => prefix)]);
    for (const paths of await Promise.all(this.#listers.map((lister) => lister())))
      for (const path of paths) all.add(path);
    for (const path of ['/', ...this.#unlisted]) all.delete(path);
    return [...all].sort();
  }

  /** The handler of a server: fixed paths, the index, then `next`. */
  handler(next: Handler): Handler {
    return (context) => {
      const { info } = context;
      if (info.isResourceRequest) return next(context);
      // Internal paths are for servers of this product only: no client of a public listener gets them.
      if (context.exchange.trust === 'public' && info.path.startsWith(internalPrefix)) {
        context.exchange.send(404, { ...plainText }, '404 page not found\n');
        return;
      }
      if (info.path === '/' || info.path === '/index.html') {
        return this.paths().then((paths) =>
          context.exchange.send(200, { 'content-type': 'application/json' }, JSON.stringify({ paths }, undefined, 2)),
        );
      }
      return (this.find(info.path) ?? next)(context);
    };
  }
}
