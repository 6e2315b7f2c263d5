import type { RequestContext } from '../../request/request-context.ts';
import { negotiateOutput, type Negotiated } from '../../serializer/negotiate.ts';
import type { RequestScope } from './request-scope.ts';

/** Chooses the form of the answer, before anything else is done. Throws 406 where none is acceptable. */
export function negotiateAnswer(context: RequestContext, { env, transforms }: RequestScope): Negotiated {
  return negotiateOutput(context.exchange.headers['accept'] as string | undefined, env.mediaTypes, transforms);
}
