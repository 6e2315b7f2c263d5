import { newForbidden, type StatusError } from '#shared/apimachinery/errors/status.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import type { Authorizer, AuthorizerAttributes } from './contract/authorizer.ts';
import { requestAttributes } from './request-attributes.ts';

/** The 403 of a refused question (apiserver/pkg/endpoints/handlers/responsewriters). `reason` may be empty. */
export function forbiddenError(attributes: AuthorizerAttributes, reason: string): StatusError {
  const message = escapeHtml(forbiddenMessage(attributes));
  const resource = { group: attributes.apiGroup, resource: attributes.resource };
  return newForbidden(resource, attributes.name, reason === '' ? message : `${message}: ${reason}`);
}

/** Calls the authorizer, and throws the 403 unless it allows the request. */
export async function requireAllowed(authorizer: Authorizer, attributes: AuthorizerAttributes): Promise<void> {
  const { decision, reason, error } = await authorizer.authorize(attributes);
  if (decision === 'allow') return;
  throw forbiddenError(attributes, [error ?? '', reason].filter((part) => part !== '').join(': '));
}

/**
 * Asks whether the user may use another verb on the resource that the request names. Otherwise throws the 403 of the
 * reference's handlers, which contains only the authorizer's reason (pkg/registry/core/pod/rest,
 * ensureAuthorizedForVerb).
 */
export async function requireAlso(authorizer: Authorizer, { user, info }: RequestContext, verb: string): Promise<void> {
  const { decision, reason, error } = await authorizer.authorize(requestAttributes(user, { ...info, verb }));
  if (decision === 'allow') return;
  throw newForbidden(
    { group: info.apiGroup, resource: info.resource },
    info.name,
    [error ?? '', reason].filter((part) => part !== '').join(': '),
  );
}

function forbiddenMessage(attributes: AuthorizerAttributes): string {
  const user = goQuote(attributes.user.name);
  if (!attributes.resourceRequest) return `User ${user} cannot ${attributes.verb} path ${goQuote(attributes.path)}`;
  const resource =
    attributes.subresource === '' ? attributes.resource : `${attributes.resource}/${attributes.subresource}`;
  const what = `User ${user} cannot ${attributes.verb} resource ${goQuote(resource)} in API group ${goQuote(attributes.apiGroup)}`;
  return attributes.namespace === ''
    ? `${what} at the cluster scope`
    : `${what} in the namespace ${goQuote(attributes.namespace)}`;
}

/** Escapes a text, so that browsers do not render it as a page. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
