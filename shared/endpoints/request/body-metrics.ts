import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import { processRegistry } from '#shared/observability/metrics/process-registry.ts';

/** The label `verb` of bodies. */
export type BodyVerb = 'create' | 'update' | 'patch' | 'delete' | 'delete_collection';

const bodyBytes = processRegistry.histogram(
  'apiserver_request_body_size_bytes',
  '[ALPHA] Apiserver request body size in bytes broken out by resource and verb.',
  ['group', 'resource', 'verb'],
  Array.from({ length: 31 }, (_, at) => 50_000 + at * 100_000),
);

/** Observes a body that was read whole (apiserver/pkg/endpoints/handlers/metrics). */
export function observeBody({ group, resource }: GroupResource, verb: BodyVerb, bytes: number): void {
  bodyBytes.observe(bytes, group, resource, verb);
}
