import type { InternalAnswer } from '#gateway/proxy/internal-request.ts';

/** @throws Error with the answer's text if it is no success */
export function expectSuccess({ status, body }: InternalAnswer): void {
  if (status < 200 || status >= 300)
    throw new Error(`status ${status}: ${typeof body === 'string' ? body : JSON.stringify(body)}`);
}
