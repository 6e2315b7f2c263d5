import { newMethodNotSupported } from '#shared/apimachinery/errors/status.ts';
import { formatGroupVersion } from '#shared/apimachinery/gvk.ts';
import { asKubeObject } from '#shared/apimachinery/object.ts';
import type { ListOptions } from '#shared/endpoints/options/list-options.ts';
import { listEntries, listReader } from '#shared/endpoints/request/list-entries.ts';
import { operationContext, type RequestScope } from '#shared/endpoints/request/request-scope.ts';
import { selectionOf, selectsObject } from '#shared/endpoints/request/selection.ts';
import { writeList } from '#shared/endpoints/responders/write-list.ts';
import { writeObject } from '#shared/endpoints/responders/write-object.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import type { Negotiated } from '#shared/serializer/negotiate.ts';

/** GET of a collection. */
export async function listResource(
  context: RequestContext,
  scope: RequestScope,
  options: ListOptions,
  form: Negotiated,
): Promise<void> {
  const { store, reader } = scope.rest;
  if (store === undefined) {
    if (reader === undefined) throw newMethodNotSupported(scope.resource, 'list');
    const items = (await reader.list(operationContext(context, scope, false))).filter((item) =>
      selectsObject(options, item),
    );
    const list = asKubeObject({
      kind: scope.facts.listKind,
      apiVersion: formatGroupVersion(scope.facts),
      metadata: {},
      items,
    });
    await writeObject(context, scope, 200, list, form);
    return;
  }
  const selection = await selectionOf(store, context.info.namespace, options);
  const answer = await listEntries(store, selection, options, listReader(context, scope));
  await writeList(context, scope, answer, form);
}
