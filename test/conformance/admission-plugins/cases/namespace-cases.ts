import { configMap, namespaceOf, pathIn, post, tryPost, type PluginCase } from './plugin-case.ts';

const lifecycle = 'NamespaceLifecycle';
const going = `${namespaceOf(lifecycle)}-going`;

/** Plugins about all resources, and about namespaces. */
export const namespaceCases: readonly PluginCase[] = [
  { plugin: 'AlwaysAdmit', admits: tryPost(pathIn('AlwaysAdmit', 'configmaps'), configMap('a'), 'metadata.name') },
  {
    plugin: 'NamespaceAutoProvision',
    given: [post('/api/v1/namespaces/case-made/configmaps', configMap('a'))],
    admits: tryPost(pathIn('NamespaceAutoProvision', 'configmaps'), configMap('a'), 'metadata.name'),
    changes: {
      method: 'GET',
      path: '/api/v1/namespaces?fieldSelector=metadata.name=case-made',
      show: ['items.0.metadata.name'],
    },
  },
  {
    plugin: lifecycle,
    given: [
      post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: going } }),
      { method: 'DELETE', path: `/api/v1/namespaces/${going}` },
    ],
    admits: tryPost(pathIn(lifecycle, 'configmaps'), configMap('a'), 'metadata.name'),
    refuses: tryPost(`/api/v1/namespaces/${going}/configmaps`, configMap('a')),
  },
  {
    plugin: 'NamespaceExists',
    enabled: 'only NamespaceExists',
    admits: tryPost(pathIn('NamespaceExists', 'configmaps'), configMap('a'), 'metadata.name'),
    refuses: tryPost('/api/v1/namespaces/case-none/configmaps', configMap('a')),
  },
  {
    plugin: 'AlwaysDeny',
    enabled: 'with AlwaysDeny',
    admits: { method: 'GET', path: `/api/v1/namespaces/${namespaceOf('AlwaysDeny')}`, show: ['metadata.name'] },
    refuses: tryPost(pathIn('AlwaysDeny', 'configmaps'), configMap('a')),
  },
];
