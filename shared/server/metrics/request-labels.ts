import { reportedVerb } from '#shared/request/reported-verb.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import type { RequestInfo } from '#shared/request/request-info.ts';

/** Methods and verbs that are counted by name (apiserver/pkg/endpoints/metrics). */
const knownVerbs: ReadonlySet<string> = new Set([
  'APPLY',
  'CONNECT',
  'DELETE',
  'GET',
  'LIST',
  'PATCH',
  'POST',
  'PUT',
  'WATCH',
]);
const fieldValidations: ReadonlySet<string> = new Set(['', 'Ignore', 'Warn', 'Strict']);

/** The scope of a path of a built-in resource: a selector by name makes no other scope. */
export function pathScope(info: RequestInfo): string {
  if (info.parts.length > 1 || info.verb === 'create') return 'resource';
  return info.belowNamespace ? 'namespace' : 'cluster';
}

/** The verb as it is counted, of a request with this scope. */
export function countedVerb(context: RequestContext, scope: string): string {
  const verb = reportedVerb(context, scope);
  return knownVerbs.has(verb) ? verb : 'other';
}

/** The label `dry_run`. */
export function dryRunLabel({ exchange, info }: RequestContext): string {
  if (!exchange.query.includes('dryRun')) return '';
  const values = info.query.getAll('dryRun');
  if (values.some((value) => value !== 'All')) return 'invalid';
  return values.length > 0 ? 'All' : '';
}

/** The label `field_validation`. */
export function fieldValidationLabel({ exchange, info }: RequestContext): string {
  if (!exchange.query.includes('fieldValidation')) return '';
  const [value = 'invalid', ...more] = info.query.getAll('fieldValidation');
  return more.length === 0 && fieldValidations.has(value) ? value : 'invalid';
}
