import type { Facts } from '#shared/api/facts.ts';
import { DiscoveryHandler } from '#shared/endpoints/discovery/discovery-handler.ts';
import { offeredMediaTypes } from '#shared/serializer/negotiate.ts';
import { servesCbor, showsStorageHashes } from '#shared/server/options/feature-gates.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';

/** Discovery in the forms, and with the hashes, that the feature gates allow. */
export function openDiscovery(options: ServerOptions, facts: Facts): DiscoveryHandler {
  return new DiscoveryHandler(facts, offeredMediaTypes(servesCbor(options)), showsStorageHashes(options));
}
