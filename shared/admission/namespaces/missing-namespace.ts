import { newInternalError, newNotFound, type StatusError } from '#shared/apimachinery/errors/status.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { nameIsPathSegment } from '#shared/apimachinery/validation/names.ts';

/**
 * The error for a namespace that no cache has. The reference then asks its own API by a client, which refuses names
 * that are no segment of a path (client-go/rest, Request.Name).
 */
export function missingNamespace(namespace: string): StatusError {
  const faults = nameIsPathSegment(namespace, false);
  return faults.length === 0
    ? newNotFound({ group: '', resource: 'namespaces' }, namespace)
    : newInternalError(`invalid resource name ${goQuote(namespace)}: [${faults.join(' ')}]`);
}
