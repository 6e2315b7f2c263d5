import type { Exchange } from '#test/compare/exchange.ts';
import { get, type Request, type Series } from './series.ts';

const core = '/api/v1/namespaces/default';

/** Of a watch that has ended already the reference sends an event or an error now and then. */
const hasNoEvents = ({ body }: Exchange): boolean => body === '';

/** Watches that end at once, and paths of releases of old. */
function ends(run: string): readonly Request[] {
  const maps = `${core}/configmaps`;
  return [
    { method: 'POST', path: maps, body: { metadata: { name: run } } },
    ...['-1', '-7', '9223372037', '18446744073'].flatMap((seconds) =>
      [
        '',
        '&resourceVersion=0',
        '&allowWatchBookmarks=true',
        '&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true',
      ].flatMap((more) => [
        {
          ...get(`${maps}?watch=1&fieldSelector=metadata.name%3D${run}&timeoutSeconds=${seconds}${more}`),
          until: hasNoEvents,
        },
      ]),
    ),
    get(`${maps}?timeoutSeconds=-1&fieldSelector=metadata.name%3D${run}`),
    { ...get(`/api/v1/watch/namespaces/default/configmaps/${run}?timeoutSeconds=-1`), until: hasNoEvents },
    { method: 'DELETE', path: `${maps}?timeoutSeconds=-1&fieldSelector=metadata.name%3Dnobody` },
    ...[
      '/api/v1/proxy/namespaces/default/pods/a',
      '/api/v1/proxy/namespaces/default/services/a/x',
      '/api/v1/proxy/nodes/a',
      '/api/v1/redirect/namespaces/default/pods/a',
      '/api/v1/proxy',
      '/api/v1/redirect',
      '/api/v1/proxy/x',
      '/api/v1/watch',
      '/api/v1/watch/',
      '/api/v1/watch/odd',
      '/api/v1/minions',
      '/api/v1/namespaces/default/minions',
      '/api/v1beta3/pods',
      '/apis/extensions/v1beta1/deployments',
      '/apis/apps/v1/proxy/namespaces/default/deployments/a',
      '/apis/apps/v1/watch',
      '/apis/apps/v1/odd/namespaces/default/deployments',
      '/api/v1/proxy/namespaces/default/odds/a',
      '/api/v1/namespaces/default/pods/a/odd',
      '/api/v1/namespaces/default/odd/a/b/c',
      '/swaggerapi',
      '/swagger.json',
      '/ui',
      '/validate',
      '/api/v1/namespaces/default/pods/a/b/c/d',
      '/api/v1/securitycontextconstraints',
    ].flatMap((path): Request[] => [get(path), { method: 'POST', path, body: {} }, { method: 'DELETE', path }]),
  ];
}

export const refusedPathSeries: readonly Series[] = [
  { name: 'details: watches that end at once, paths of old', requests: ends },
];
