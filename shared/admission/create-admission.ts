import type { WatchCache } from '#shared/watchcache/watch-cache.ts';
import { createAdmissionChain, type PluginRegistry } from './admission-chain.ts';
import type { AdmissionFlags } from './admission-flags.ts';
import { AlwaysDeny } from './always.ts';
import type { AdmissionChain } from './contract/admission.ts';
import { NamespaceLifecycle } from './namespaces/namespace-lifecycle.ts';

export interface AdmissionOptions {
  readonly flags: AdmissionFlags;
  /** The watch cache of namespaces. */
  readonly namespaces: WatchCache;
  /** Further plugins of this server. */
  readonly plugins?: PluginRegistry;
}

/**
 * The chain for servers whose objects are not built in; `servers/core/admission` makes the chain for built-in objects.
 */
export function createAdmission({ flags, namespaces, plugins = {} }: AdmissionOptions): AdmissionChain {
  return createAdmissionChain(flags, {
    AlwaysDeny: () => new AlwaysDeny(),
    NamespaceLifecycle: () => new NamespaceLifecycle(namespaces),
    ...plugins,
  });
}
