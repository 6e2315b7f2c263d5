import { goQuote } from '#shared/apimachinery/text/go-format.ts';

const annotationName = 'api-approved.kubernetes.io';
const link = 'see https://github.com/kubernetes/enhancements/pull/1111';

export type ApprovalState = 'missing' | 'invalid' | 'approved' | 'bypassed';

/** Whether a group belongs to the Kubernetes community: its definitions need an approval annotation. */
export function isProtectedGroup(group: string): boolean {
  return ['k8s.io', 'kubernetes.io'].some((domain) => group === domain || group.endsWith(`.${domain}`));
}

/**
 * The state of a definition's approval by its annotation, with the message for clients
 * (apiextensions-apiserver/pkg/apihelpers).
 */
export function apiApproval(annotations: ReadonlyMap<string, string>): { state: ApprovalState; message: string } {
  const value = annotations.get(annotationName) ?? '';
  if (value === '')
    return {
      state: 'missing',
      message: `protected groups must have approval annotation ${goQuote(annotationName)}, ${link}`,
    };
  if (value.startsWith('unapproved')) return { state: 'bypassed', message: `not approved: ${goQuote(value)}` };
  if (isAbsoluteUrl(value)) return { state: 'approved', message: `approved in ${value}` };
  return {
    state: 'invalid',
    message: `protected groups must have approval annotation ${goQuote(annotationName)} with either a URL or a reason starting with "unapproved", ${link}`,
  };
}

/** Whether the URL has a scheme and a host. */
function isAbsoluteUrl(text: string): boolean {
  return /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#\s]+([/?]\S*)?$/.test(text);
}
