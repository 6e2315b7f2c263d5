/** Ways to write a path that the caller may not read, or that is none. Sent as they stand, without any normalization. */
export const pathCases: readonly string[] = [
  '/api/v1/namespaces/default/configmaps/../../kube-system/secrets', '/api/v1/namespaces/default/../kube-system/secrets', '/api/v1/./secrets', '/api/v1/../v1/secrets',
  '/healthz/../api/v1/secrets', '/livez/%2e%2e/api/v1/secrets', '/version/..%2fapi/v1/secrets', '/healthz%2f..%2fapi%2fv1%2fsecrets', '/readyz/..;/api/v1/secrets',
  '//api/v1/secrets', '/api//v1/secrets', '/api/v1//secrets', '/api/v1/secrets/', '/api/v1/secrets//', '/./api/v1/secrets', '/;/api/v1/secrets', '/\\api/v1/secrets', '/api\\v1\\secrets',
  '/%61pi/v1/secrets', '/api/v1/%73ecrets', '/api%2fv1%2fsecrets', '/api/v1%2fsecrets', '/api/v1/secrets%00', '/api/v1/secrets%00/a', '/api/v1/secrets%20', '/api/v1/secrets%0a', '/api/v1/secrets%0d%0aX-Remote-User:%20admin',
  '/api/v1/secrets?', '/api/v1/secrets??', '/api/v1/secrets?a=%', '/api/v1/secrets;a=b', '/api/v1/secrets#', '/API/v1/secrets', '/api/V1/secrets', '/api/v1/SECRETS', '/apis//v1/secrets', '/apis/%2f/v1/secrets', '/apis/./v1/secrets',
  '/api/v1/namespaces//secrets', '/api/v1/namespaces/%2f/secrets', '/api/v1/namespaces/..%2f..%2f/secrets', '/api/v1/namespaces/default%2fsecrets', '/api/v1/namespaces/kube-system%2f..%2fdefault/secrets',
  '/api/v1/watch/secrets', '/api/v1/watch/namespaces/kube-system/secrets', '/api/v1/proxy/namespaces/default/services/a', '/api/v1/namespaces/default/services/a:b/proxy/../../../secrets',
  '/api/v1/secrets?fieldSelector=metadata.name%3Da', '/api/v1/secrets?watch=1&timeoutSeconds=1', '/api/v1/secrets?resourceVersion=0', '/api/v1/namespaces/default/secrets/a/status', '/api/v1/namespaces/default/secrets/a/../b',
  '/%', '/%zz', '/%00', '/api/v1/%ff', '/api/v1/namespaces/%ff%fe/secrets', `/api/v1/${'a/'.repeat(2_000)}`, `/${'%2e%2e%2f'.repeat(500)}`, '/api/v1/namespaces/__proto__/secrets', '/apis/__proto__/v1/a', '/apis/constructor', '/api/__proto__/toString',
  '/openapi/v3/../../api/v1/secrets', '/openapi/v2/..%2f..%2fapi/v1/secrets', '/.quarterdeck/control', '/metrics/../api/v1/secrets', '/apis/apps/v1/../../../api/v1/secrets',
];
