import { newForbidden, StatusError, type Status } from '#shared/apimachinery/errors/status.ts';
import type { DeleteOptions } from '#shared/endpoints/options/delete-options.ts';
import { operationContext, type RequestScope } from '#shared/endpoints/request/request-scope.ts';
import { writeStatus } from '#shared/endpoints/responders/write-error.ts';
import type { ResourceStore } from '#shared/registry/resource-store.ts';
import type { RequestContext } from '#shared/request/request-context.ts';

const verb = 'unsafe-delete-ignore-read-errors';

/**
 * DELETE of one object that cannot be read (`ignoreStoreReadErrorWithClusterBreakingPotential`, KEP-3926): for users
 * who may do so in particular.
 */
export async function deleteUnreadable(
  context: RequestContext,
  scope: RequestScope,
  store: ResourceStore,
  options: DeleteOptions,
): Promise<void> {
  const { name, namespace } = context.info;
  context.audit?.annotate('apiserver.k8s.io/unsafe-delete-ignore-read-error', '');
  await requireVerb(context, scope);
  await store.deleteMalformed(name, {
    ...operationContext(context, scope, options.dryRun),
    namespace: scope.facts.namespaced ? namespace : '',
  });
  const success: Status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name, kind: scope.kind.kind },
    code: 200,
  };
  writeStatus(scope.env.facts, context, success, scope.env.mediaTypes);
}

/** The text is that of an admission plugin (apiserver endpoints/handlers/delete.go, authorizeUnsafeDelete). */
async function requireVerb(context: RequestContext, scope: RequestScope): Promise<void> {
  try {
    await scope.env.authorizeVerb(context, verb);
  } catch (error) {
    if (!(error instanceof StatusError) || error.code !== 403) throw error;
    throw newForbidden(scope.resource, context.info.name, `not permitted to do ${JSON.stringify(verb)}, reason: `);
  }
}
