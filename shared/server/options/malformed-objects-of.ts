import type { MalformedObjects } from '#shared/registry/malformed-objects.ts';
import { featureGates } from './feature-gates.ts';
import type { ServerOptions } from './server-options.ts';

/** How a server tells of objects that cannot be read, and whether it deletes them. */
export function malformedObjectsOf(options: ServerOptions): MalformedObjects {
  return {
    prefix: options.etcdPrefix,
    allowsDeletion: featureGates(options).gates.isEnabled('AllowUnsafeMalformedObjectDeletion'),
  };
}
