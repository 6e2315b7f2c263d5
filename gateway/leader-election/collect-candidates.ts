import type { SendToCore } from '#gateway/identity/identity-lease.ts';
import { nextSlice } from '#shared/apimachinery/slices/slices.ts';
import type { WatchCache } from '#shared/watchcache/watch-cache.ts';
import { candidateOf, candidatePath, isCandidateExpired } from './candidate.ts';
import { expectSuccess } from './expect-success.ts';
import { nowMicros } from './micro-time.ts';

/** Candidates that one turn of the event loop reads. */
const sliceSize = 100;

/**
 * Deletes the LeaseCandidates that were not renewed for half an hour
 * (`pkg/controlplane/controller/leaderelection/leasecandidategc_controller.go`), unless they change meanwhile.
 */
export async function collectCandidates(cache: WatchCache, send: SendToCore): Promise<void> {
  await cache.waitForCurrent();
  let count = 0;
  for (const entry of cache.snapshot().entries('/')) {
    if (++count % sliceSize === 0) await nextSlice();
    const candidate = candidateOf(entry);
    if (!isCandidateExpired(candidate, nowMicros())) continue;
    const { namespace, name, resourceVersion } = candidate;
    const answer = await send('DELETE', candidatePath(namespace, name), { preconditions: { resourceVersion } });
    // It is gone, or was renewed.
    if (answer.status !== 404 && answer.status !== 409) expectSuccess(answer);
  }
}
