/**
 * Modules of Node.js that few starts need. As soon as `node:tls` is loaded, a thread parses all root certificates that
 * Node.js ships: 1.5 MiB of memory for good.
 */
const lazyIds: ReadonlySet<string> = new Set(['node:https', 'node:tls']);

/** A `require` that loads {@link lazyIds} at the first access to one of their exports. */
export function requireLazily(require: NodeJS.Require): NodeJS.Require {
  return Object.assign(
    (id: string): unknown => (lazyIds.has(id) ? lazyModule(() => require(id) as object) : (require(id) as unknown)),
    { resolve: require.resolve, cache: require.cache, extensions: require.extensions, main: require.main },
  );
}

function lazyModule(load: () => object): object {
  let loaded: object | undefined;
  const exports = (): object => (loaded ??= load());
  return new Proxy(
    {},
    {
      get: (_, name): unknown => Reflect.get(exports(), name),
      has: (_, name) => Reflect.has(exports(), name),
      ownKeys: () => Reflect.ownKeys(exports()),
      getOwnPropertyDescriptor: (_, name) => {
        const found = Reflect.getOwnPropertyDescriptor(exports(), name);
        // A proxy may report only those as fixed that its target has.
        return found && { ...found, configurable: true };
      },
    },
  );
}
