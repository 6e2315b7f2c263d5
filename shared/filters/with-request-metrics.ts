import type { Filter, RequestContext } from '#shared/request/request-context.ts';

export interface RequestRecorder {
  /** Called when a request begins. */
  begin(context: RequestContext): void;
  /** Records a request at its end, answered or not. */
  record(context: RequestContext): void;
}

/** Has each request recorded when it is over: its code and duration are known only then. */
export function withRequestMetrics(metrics: RequestRecorder): Filter {
  return (next) => (context) => {
    metrics.begin(context);
    context.exchange.onClose(() => metrics.record(context));
    return next(context);
  };
}
