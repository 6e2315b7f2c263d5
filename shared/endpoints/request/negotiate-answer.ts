import type { RequestContext } from '#shared/request/request-context.ts';
import { negotiateOutput, type Negotiated } from '#shared/serializer/negotiate.ts';
import type { RequestScope } from './request-scope.ts';

/** Negotiates the form of the response before the request is carried out. Throws 406 where no form is acceptable. */
export function negotiateAnswer(context: RequestContext, { env, transforms }: RequestScope): Negotiated {
  return negotiateOutput(context.exchange.headers['accept'] as string | undefined, env.mediaTypes, transforms);
}
