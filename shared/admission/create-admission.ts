import type { WatchCache } from '../watchcache/watch-cache.ts';
import type { AdmissionChain } from './contract/admission.ts';
import { createAdmissionChain, type AdmissionFlags, type PluginRegistry } from './admission-chain.ts';
import { AlwaysDeny } from './always.ts';
import { NamespaceLifecycle } from './namespaces/namespace-lifecycle.ts';

export interface AdmissionParts {
  readonly flags: AdmissionFlags;
  /** The watch cache of namespaces. */
  readonly namespaces: WatchCache;
  /** Further plugins that a server brings along. */
  readonly plugins?: PluginRegistry;
}

/** The chain for servers of other objects than the built-in ones; `servers/core/admission` makes the chain of those. */
export function createAdmission({ flags, namespaces, plugins = {} }: AdmissionParts): AdmissionChain {
  return createAdmissionChain(flags, {
    AlwaysDeny: () => new AlwaysDeny(),
    NamespaceLifecycle: () => new NamespaceLifecycle(namespaces),
    ...plugins,
  });
}
