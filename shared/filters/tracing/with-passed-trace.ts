import type { Exchange } from '#shared/request/exchange.ts';
import { headerValue } from '#shared/request/header-values.ts';
import type { Filter } from '#shared/request/request-context.ts';
import { runPassing } from '#shared/spans/active-span.ts';
import type { PassedHeaders } from '#shared/spans/request-span.ts';
import { clientBaggage } from './client-baggage.ts';

/** As much as W3C Trace Context has servers pass on at least, and OpenTelemetry's packages at most. */
const maxStateLength = 512;
const stateForm = /^[a-z0-9][a-z0-9_\-*/@]*=[\x20-\x7e]*$/;

/**
 * Passes on a client's trace to the servers that are called for its request, as the reference does where it traces
 * nothing itself. Only for servers that do not trace.
 */
export function withPassedTrace(): Filter {
  return (next) => (context) => {
    const { exchange } = context;
    const { traceparent, baggage } = exchange.headers;
    if (traceparent === undefined && baggage === undefined) return next(context);
    const passed = passedTrace(exchange);
    return passed === undefined ? next(context) : runPassing(passed, next, context);
  };
}

/** Nothing that a server which is called may refuse: a client could make calls of webhooks fail by it. */
export function passedTrace(exchange: Exchange): PassedHeaders | undefined {
  const traceparent = passedParent(headerValue(exchange, 'traceparent'));
  const state = headerValue(exchange, 'tracestate');
  const baggage = clientBaggage(exchange);
  if (traceparent === undefined && baggage === undefined) return undefined;
  const isState = state !== '' && state.length <= maxStateLength && stateForm.test(state);
  return {
    ...(traceparent !== undefined && { traceparent }),
    ...(traceparent !== undefined && isState && { tracestate: state }),
    ...(baggage !== undefined && baggage !== '' && { baggage }),
  };
}

/** In version 00, with the flag of sampling alone (OpenTelemetry's propagation of Go). Undefined if it is not valid. */
function passedParent(text: string): string | undefined {
  const [, version = '', trace = '', span = '', flags = '', more = ''] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/s.exec(text) ?? [];
  const sets = Number.parseInt(flags, 16);
  if (version === '' || version === 'ff' || /^0+$/.test(trace) || /^0+$/.test(span)) return undefined;
  if (version === '00' && (more !== '' || sets > 2)) return undefined;
  return `00-${trace}-${span}-0${sets & 1}`;
}
