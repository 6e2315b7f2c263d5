import { failureStatus, newBadRequest, StatusError } from '../../apimachinery/status.ts';
import type { RequestContext } from '../../request/request-context.ts';
import type { EndpointEnvironment } from '../endpoint-environment.ts';
import type { RequestScope } from '../request-scope.ts';
import { negotiateAnswer } from '../responders/write-object.ts';

/** Streams and proxies: the subresource takes over the exchange. */
export async function connectResource(env: EndpointEnvironment, context: RequestContext, scope: RequestScope): Promise<void> {
  if (scope.subresource?.isNegotiated === true) negotiateAnswer(env, context, scope);
  if (context.info.query.has('dryRun')) throw newBadRequest('dryRun is not supported');
  const connect = scope.subresource?.connect;
  if (connect === undefined) {
    const name = scope.subresource?.facts.name ?? '';
    throw new StatusError(failureStatus(501, 'NotImplemented', `${scope.facts.resource}/${name} is not served yet`));
  }
  await connect(context, context.info.name);
}
