import { newMethodNotSupported } from '../../apimachinery/status.ts';
import { formatGroupVersion } from '../../apimachinery/gvk.ts';
import { asKubeObject } from '../../apimachinery/object.ts';
import type { RequestContext } from '../../request/request-context.ts';
import type { Negotiated } from '../../serializer/negotiate.ts';
import { listEntries } from '../request/list-entries.ts';
import type { ListOptions } from '../options/list-options.ts';
import { operationContext, type RequestScope } from '../request/request-scope.ts';
import { writeList } from '../responders/write-list.ts';
import { writeObject } from '../responders/write-object.ts';
import { selectionOf, selectsObject } from '../request/selection.ts';

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
  const answer = await listEntries(
    store,
    selection,
    options,
    scope.env.resources.readAtRevision(scope.facts.group, scope.facts.resource),
    scope.env.wholeAtZero,
  );
  await writeList(context, scope, answer, form);
}
