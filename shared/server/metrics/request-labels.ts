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
const connects: ReadonlySet<string> = new Set(['log', 'exec', 'portforward', 'attach', 'proxy']);
const applyType = 'application/apply-patch+yaml';
const fieldValidations: ReadonlySet<string> = new Set(['', 'Ignore', 'Warn', 'Strict']);

/** The scope of a request by what it says of itself. */
export function scopeOfRequest(info: RequestInfo): string {
  if (info.name !== '' || info.verb === 'create') return 'resource';
  if (info.namespace !== '') return 'namespace';
  return info.isResourceRequest ? 'cluster' : '';
}

/** The scope of a path of a built-in resource: a selector by name makes no other scope. */
export function pathScope(info: RequestInfo): string {
  if (info.parts.length > 1 || info.verb === 'create') return 'resource';
  return info.belowNamespace ? 'namespace' : 'cluster';
}

/** The verb as it is counted, of a request with this scope. */
export function countedVerb({ exchange, info }: RequestContext, scope: string): string {
  if (info.isResourceRequest && info.subresource !== '' && connects.has(info.subresource)) return 'CONNECT';
  const { method } = exchange;
  if (method === 'GET' && asksToWatch(exchange.query, info)) return 'WATCH';
  if (method === 'PATCH' && exchange.headers['content-type'] === applyType) return 'APPLY';
  if (method === 'GET' || method === 'HEAD') return scope === 'namespace' || scope === 'cluster' ? 'LIST' : 'GET';
  return knownVerbs.has(method) ? method : 'other';
}

function asksToWatch(query: string, info: RequestInfo): boolean {
  if (!query.includes('watch')) return false;
  const value = info.query.get('watch')?.toLowerCase();
  return value !== undefined && value !== '0' && value !== 'false';
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
