import { TupleMap } from '#shared/apimachinery/tuple-map.ts';
import { Count, maxSeries } from '#shared/observability/metrics/counter.ts';
import type { Family } from '#shared/observability/metrics/family.ts';
import { reachedScope } from '#shared/request/reported-verb.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { countedVerb } from './request-labels.ts';

/** Counts the watches and connections that are open (`apiserver_longrunning_requests`). */
export class LongRunningRequests {
  readonly #counts = new TupleMap<Count>(7);
  readonly #all: Count[] = [];

  readonly family: Family = {
    name: 'apiserver_longrunning_requests',
    type: 'gauge',
    help: '[STABLE] Gauge of all active long-running apiserver requests broken out by verb, group, version, resource, scope and component. Not all requests are tracked this way.',
    labelNames: ['verb', 'group', 'version', 'resource', 'subresource', 'scope', 'component'],
    samples: () => this.#all,
  };

  /** Counts a request from the beginning of its answer to its end, if something serves it. */
  begin(context: RequestContext): void {
    const { exchange } = context;
    exchange.onAnswer(() => {
      if (exchange.closed || exchange.statusCode >= 400 || typeof context.countedAs !== 'string') return;
      const count = this.#countOf(context);
      count.value++;
      exchange.onClose(() => count.value--);
    });
  }

  #countOf(context: RequestContext): Count {
    const { info } = context;
    const scope = reachedScope(info);
    const verb = countedVerb(context, scope);
    const labels = [verb, info.apiGroup, info.apiVersion, info.resource, info.subresource, scope, 'apiserver'];
    let count = this.#counts.get(labels);
    if (count === undefined) {
      count = new Count(labels);
      if (this.#all.length >= maxSeries) return count;
      this.#counts.set(labels, count);
      this.#all.push(count);
    }
    return count;
  }
}
