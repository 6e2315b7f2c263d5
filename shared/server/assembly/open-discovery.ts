import type { Facts } from '../../api/facts.ts';
import { DiscoveryHandler } from '../../endpoints/discovery/discovery-handler.ts';
import { offeredMediaTypes } from '../../serializer/negotiate.ts';
import { servesCbor, showsStorageHashes } from '../options/feature-gates.ts';
import type { ServerOptions } from '../options/server-options.ts';

/** Discovery in the forms, and with the hashes, that the feature gates allow. */
export function openDiscovery(options: ServerOptions, facts: Facts): DiscoveryHandler {
  return new DiscoveryHandler(facts, offeredMediaTypes(servesCbor(options)), showsStorageHashes(options));
}
