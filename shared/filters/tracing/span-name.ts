import type { RequestContext } from '#shared/request/request-context.ts';

/** The name of a request's span: its method and the pattern of its path (apiserver/pkg/endpoints/filters/traces.go). */
export function spanName({ exchange: { method }, info }: RequestContext): string {
  if (!info.isResourceRequest) return method;
  const { apiPrefix, apiGroup, apiVersion, namespace, resource, name, subresource } = info;
  const parts = [
    apiPrefix,
    ...(apiGroup === '' ? [] : [apiGroup]),
    apiVersion,
    ...(namespace === '' ? [] : ['namespaces/{:namespace}']),
    resource,
    ...(name === '' ? [] : ['{:name}']),
    ...(subresource === '' ? [] : [subresource]),
  ];
  return `${method} /${parts.join('/')}`;
}
