/**
 * Records the discovery documents of a running kube-apiserver (default settings), the expected values of the tests:
 *   node record.ts URL BEARER-TOKEN > reference.json
 */
process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
const [url, token] = process.argv.slice(2);
const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const json = 'application/json';
const requests: readonly (readonly [string, string])[] = [
  ['/api', aggregated],
  ['/apis', aggregated],
  ['/api', json],
  ['/apis', json],
  ['/api/v1', json],
  ['/apis/autoscaling', json],
  ['/apis/apps/v1', json],
  ['/apis/authentication.k8s.io/v1', json],
  ['/apis/rbac.authorization.k8s.io/v1', json],
];
const answers: string[] = [];
for (const [path, accept] of requests) {
  const answer = await fetch(`${url}${path}`, { headers: { accept, authorization: `Bearer ${token}` } });
  const etag = answer.headers.get('etag');
  const key = accept === json ? path : `${path} aggregated`;
  answers.push(`${JSON.stringify(key)}: ${JSON.stringify({ etag, document: await answer.json() })}`);
}
process.stdout.write(`{\n${answers.join(',\n')}\n}\n`);
