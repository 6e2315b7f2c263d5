import type { WatchCache } from '../watchcache/watch-cache.ts';
import type { AdmissionChain } from './admission.ts';
import { createAdmissionChain, type AdmissionFlags, type PluginRegistry } from './admission-chain.ts';
import { NamespaceLifecycle } from './namespace-lifecycle.ts';

export interface AdmissionParts {
  readonly flags: AdmissionFlags;
  /** The watch cache of namespaces. */
  readonly namespaces: WatchCache;
  /** Further plugins that a server brings along. */
  readonly plugins?: PluginRegistry;
}

/** The chain with the plugins that exist so far. */
export function createAdmission({ flags, namespaces, plugins = {} }: AdmissionParts): AdmissionChain {
  return createAdmissionChain(flags, { NamespaceLifecycle: () => new NamespaceLifecycle(namespaces), ...plugins });
}
