import { invalid, path } from '#shared/apimachinery/errors/field-error.ts';
import { hasReason, newInvalid, newMethodNotSupported } from '#shared/apimachinery/errors/status.ts';
import { inSlices } from '#shared/apimachinery/slices/slices.ts';
import { noteDeleteOptions } from '#shared/endpoints/audit/note-request.ts';
import { parseDeleteOptions } from '#shared/endpoints/options/delete-options.ts';
import { parseListOptions } from '#shared/endpoints/options/list-options.ts';
import { listEntries, listReader } from '#shared/endpoints/request/list-entries.ts';
import { negotiateAnswer } from '#shared/endpoints/request/negotiate-answer.ts';
import { readBody } from '#shared/endpoints/request/request-body.ts';
import type { RequestScope } from '#shared/endpoints/request/request-scope.ts';
import { selectionOf } from '#shared/endpoints/request/selection.ts';
import { writeList } from '#shared/endpoints/responders/write-list.ts';
import { ignoreReadErrors } from '#shared/registry/delete-options.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { spanEvent } from '#shared/spans/active-span.ts';
import { deleteOne, warnOfOrphans } from './delete.ts';
import { withWorkers } from './with-workers.ts';

function malformedCollection(): Error {
  return newInvalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', [
    invalid(path(ignoreReadErrors), true, 'is not allowed with DELETECOLLECTION, try again after removing the option'),
  ]);
}

/**
 * DELETE of a collection: each worker deletes one object at a time, and the response is the list of the selected
 * objects.
 */
export async function deleteCollection(context: RequestContext, scope: RequestScope): Promise<void> {
  const form = negotiateAnswer(context, scope);
  const { store } = scope.rest;
  if (store === undefined) throw newMethodNotSupported(scope.resource, 'deletecollection');
  const listOptions = await inSlices(parseListOptions(scope.facts, context.info.query, false, scope.env.shards));
  const body = await readBody(scope, context, 'delete_collection');
  const options = parseDeleteOptions(scope.env.facts, body, context.info.query, {
    mediaTypes: scope.env.mediaTypes,
    allowsMalformed: store.malformed.allowsDeletion,
    onDecoded: (sent) => noteDeleteOptions(context, scope, sent),
  });
  if (options.ignoresReadErrors) throw malformedCollection();
  const selection = await selectionOf(store, context.info.namespace, listOptions);
  warnOfOrphans(context, store, options);
  const answer = await listEntries(store, selection, listOptions, listReader(context, scope));
  await withWorkers(answer.entries, scope.env.deleteCollectionWorkers, async ({ name }) => {
    try {
      // Deletes in the namespace of the request. Where the path of a namespaced resource has none, the list covers all
      // namespaces, but the deletions find no object.
      await deleteOne(context, scope, options, context.info.namespace, name);
    } catch (error) {
      if (!hasReason(error, 'NotFound')) throw error;
    }
  });
  spanEvent('About to write a response');
  await writeList(context, scope, answer, form);
  spanEvent('Writing http response done');
}
