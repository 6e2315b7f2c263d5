import { goQuote } from '../../../shared/apimachinery/go-format.ts';

const annotationName = 'api-approved.kubernetes.io';
const link = 'see https://github.com/kubernetes/enhancements/pull/1111';

export type ApprovalState = 'missing' | 'invalid' | 'approved' | 'bypassed';

/** Groups of the Kubernetes community: their definitions must say who approved them. */
export function isProtectedGroup(group: string): boolean {
  return ['k8s.io', 'kubernetes.io'].some((domain) => group === domain || group.endsWith(`.${domain}`));
}

/**
 * What the annotation of a definition says of its approval, with the text for clients
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

/** Scheme and host are there. */
function isAbsoluteUrl(text: string): boolean {
  return /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#\s]+([/?]\S*)?$/.test(text);
}
