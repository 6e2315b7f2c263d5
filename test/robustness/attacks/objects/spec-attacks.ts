import { list, map, type Member } from './hostile-object.ts';
import * as kinds from './small-objects.ts';
import type { SmallObject } from './small-objects.ts';

/** A kind whose own fields hold too much. */
export interface SpecAttack {
  readonly kind: SmallObject;
  readonly name: string;
  readonly members: (bytes: number) => readonly Member[];
  readonly query?: string;
}

function ofSpec(kind: SmallObject, name: string, spec: (bytes: number) => string): SpecAttack {
  return { kind, name, members: (bytes) => [['spec', spec(bytes)]] };
}

function ofMember(kind: SmallObject, name: string, key: string, value: (bytes: number) => string): SpecAttack {
  return { kind, name, members: (bytes) => [...kind.small.filter(([own]) => own !== key), [key, value(bytes)]] };
}

const rule = (index: number): string => `{"apiGroups":["g${index}"],"resources":["r"],"verbs":["get"]}`;
const workload = (selector: string): string =>
  `{"selector":${selector},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"a","image":"a"}]}}}`;
const selectorOf = (bytes: number): string =>
  `{"matchExpressions":${list(bytes, (i) => `{"key":"k${i}","operator":"In","values":["a","b"]}`)}}`;
const wrongSelector = (bytes: number): string =>
  `{"matchExpressions":${list(bytes, (i) => `{"key":"k ${i}","operator":"x","values":[]}`)}}`;
const webhook = (name: string): string =>
  `{"name":"${name}","clientConfig":{"url":"https://a.example.com"},"sideEffects":"None","admissionReviewVersions":["v1"],"rules":[{"apiGroups":["none.example.com"],"apiVersions":["v1"],"resources":["a"],"operations":["CREATE"]}]}`;
const constraints =
  '"matchConstraints":{"resourceRules":[{"apiGroups":["none.example.com"],"apiVersions":["v1"],"resources":["a"],"operations":["CREATE"]}]}';

export const specAttacks: readonly SpecAttack[] = [
  ofSpec(
    kinds.services,
    'ports',
    (bytes) => `{"ports":${list(bytes, (i) => `{"name":"p${i}","port":${(i % 65_535) + 1}}`)}}`,
  ),
  ofSpec(kinds.services, 'equal ports', (bytes) => `{"ports":${list(bytes, () => '{"name":"p","port":1}')}}`),
  ofSpec(
    kinds.services,
    'external addresses',
    (bytes) => `{"ports":[{"port":80}],"externalIPs":${list(bytes, () => '"x"')}}`,
  ),
  ofSpec(
    kinds.services,
    'source ranges',
    (bytes) =>
      `{"type":"LoadBalancer","ports":[{"port":80}],"loadBalancerSourceRanges":${list(bytes, (i) => `"10.0.0.0/${i}"`)}}`,
  ),
  ofSpec(
    kinds.services,
    'selector',
    (bytes) => `{"ports":[{"port":80}],"selector":${map(bytes, (i) => `"k${i}":"v"`)}}`,
  ),
  ofSpec(
    kinds.services,
    'cluster addresses',
    (bytes) => `{"ports":[{"port":80}],"clusterIPs":${list(bytes, () => '"10.0.0.7"')}}`,
  ),
  ofMember(
    kinds.endpoints,
    'addresses',
    'subsets',
    (bytes) =>
      `[{"addresses":${list(bytes, (i) => `{"ip":"10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}"}`)},"ports":[{"port":80}]}]`,
  ),
  ofMember(kinds.endpoints, 'subsets', 'subsets', (bytes) =>
    list(
      bytes,
      (i) =>
        `{"addresses":[{"ip":"10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}"}],"ports":[{"port":${(i % 65_535) + 1}}]}`,
    ),
  ),
  ofMember(
    kinds.endpoints,
    'wrong addresses',
    'subsets',
    (bytes) => `[{"addresses":${list(bytes, () => '{"ip":"x"}')}}]`,
  ),
  ofMember(kinds.endpointSlices, 'endpoints', 'endpoints', (bytes) =>
    list(bytes, (i) => `{"addresses":["10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}"]}`),
  ),
  ofMember(kinds.endpointSlices, 'ports', 'ports', (bytes) => list(bytes, () => '{"name":"p","port":1}')),
  ofMember(
    kinds.endpointSlices,
    'addresses of one endpoint',
    'endpoints',
    (bytes) => `[{"addresses":${list(bytes, () => '"10.0.0.1"')}}]`,
  ),
  ofSpec(
    kinds.limitRanges,
    'limits',
    (bytes) => `{"limits":${list(bytes, (i) => `{"type":"T${i}","max":{"cpu":"1"}}`)}}`,
  ),
  ofSpec(
    kinds.limitRanges,
    'equal limits',
    (bytes) => `{"limits":${list(bytes, () => '{"type":"Container","max":{"cpu":"1"},"min":{"cpu":"2"}}')}}`,
  ),
  ofSpec(
    kinds.resourceQuotas,
    'hard limits',
    (bytes) => `{"hard":${map(bytes, (i) => `"count/r${i}.example.com":"1"`)}}`,
  ),
  ofSpec(kinds.resourceQuotas, 'scopes', (bytes) => `{"hard":{},"scopes":${list(bytes, () => '"BestEffort"')}}`),
  ofSpec(
    kinds.resourceQuotas,
    'scope selectors',
    (bytes) =>
      `{"hard":{},"scopeSelector":{"matchExpressions":${list(bytes, (i) => `{"scopeName":"PriorityClass","operator":"In","values":["v${i}"]}`)}}}`,
  ),
  ofSpec(
    kinds.claims,
    'access modes',
    (bytes) => `{"accessModes":${list(bytes, () => '"ReadWriteOnce"')},"resources":{"requests":{"storage":"1Gi"}}}`,
  ),
  ofSpec(
    kinds.claims,
    'selector',
    (bytes) =>
      `{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}},"selector":${selectorOf(bytes)}}`,
  ),
  ofSpec(kinds.nodes, 'taints', (bytes) => `{"taints":${list(bytes, (i) => `{"key":"k${i}","effect":"NoSchedule"}`)}}`),
  ofSpec(
    kinds.nodes,
    'equal taints',
    (bytes) => `{"taints":${list(bytes, () => '{"key":"k","effect":"NoSchedule"}')}}`,
  ),
  ofSpec(kinds.nodes, 'ranges', (bytes) => `{"podCIDRs":${list(bytes, () => '"10.0.0.0/24"')}}`),
  ofMember(
    kinds.nodes,
    'conditions and images',
    'status',
    (bytes) =>
      `{"images":${list(bytes / 2, (i) => `{"names":["i${i}"]}`)},"conditions":${list(bytes / 2, (i) => `{"type":"t${i}","status":"True"}`)}}`,
  ),
  ofSpec(
    kinds.volumes,
    'node affinity',
    (bytes) =>
      `{"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],"local":{"path":"/a"},"nodeAffinity":{"required":{"nodeSelectorTerms":${list(bytes, (i) => `{"matchExpressions":[{"key":"k${i}","operator":"Exists"}]}`)}}}}`,
  ),
  ofSpec(kinds.deployments, 'selector', (bytes) => workload(selectorOf(bytes))),
  ofSpec(kinds.deployments, 'wrong selector', (bytes) => workload(wrongSelector(bytes))),
  ofSpec(kinds.deployments, 'values of a selector', (bytes) =>
    workload(`{"matchExpressions":[{"key":"a","operator":"In","values":${list(bytes, (i) => `"v ${i}"`)}}]}`),
  ),
  ofSpec(
    kinds.statefulSets,
    'claim templates',
    (bytes) =>
      `{"serviceName":"a","volumeClaimTemplates":${list(bytes, (i) => `{"metadata":{"name":"c${i}"},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}}`)},${workload('{"matchLabels":{"a":"b"}}').slice(1)}`,
  ),
  ofSpec(kinds.daemonSets, 'wrong selector', (bytes) => workload(wrongSelector(bytes))),
  ofSpec(
    kinds.jobs,
    'failure rules',
    (bytes) =>
      `{"podFailurePolicy":{"rules":${list(bytes, (i) => `{"action":"Ignore","onExitCodes":{"operator":"In","values":[${i + 1}]}}`)}},"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"a","image":"a"}]}}}`,
  ),
  ofSpec(
    kinds.jobs,
    'success rules',
    (bytes) =>
      `{"completionMode":"Indexed","completions":100000,"parallelism":1,"successPolicy":{"rules":[{"succeededIndexes":"${Array.from({ length: Math.floor(bytes / 7) }, (_, i) => i * 2).join(',')}"}]},"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"a","image":"a"}]}}}`,
  ),
  ofSpec(
    kinds.cronJobs,
    'a long schedule',
    (bytes) =>
      `{"schedule":"${'1,'.repeat(bytes / 2)}1 * * * *","jobTemplate":{"spec":{"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"a","image":"a"}]}}}}}`,
  ),
  ofSpec(
    kinds.networkPolicies,
    'rules',
    (bytes) =>
      `{"podSelector":{},"ingress":${list(bytes, (i) => `{"from":[{"podSelector":{"matchLabels":{"k${i}":"v"}}}]}`)}}`,
  ),
  ofSpec(
    kinds.networkPolicies,
    'wrong ranges',
    (bytes) =>
      `{"podSelector":{},"ingress":[{"from":${list(bytes, (i) => `{"ipBlock":{"cidr":"10.0.0.0/8","except":["11.0.0.${i}/24"]}}`)}}]}`,
  ),
  ofSpec(
    kinds.networkPolicies,
    'exceptions',
    (bytes) =>
      `{"podSelector":{},"ingress":[{"from":[{"ipBlock":{"cidr":"10.0.0.0/8","except":${list(bytes, (i) => `"10.${i % 256}.0.0/16"`)}}}]}]}`,
  ),
  ofSpec(
    kinds.ingresses,
    'rules',
    (bytes) =>
      `{"rules":${list(bytes, (i) => `{"host":"h${i}.example.com","http":{"paths":[{"path":"/","pathType":"Prefix","backend":{"service":{"name":"a","port":{"number":80}}}}]}}`)}}`,
  ),
  ofSpec(
    kinds.ingresses,
    'wrong rules',
    (bytes) => `{"rules":${list(bytes, () => '{"host":"-"}')},"tls":${list(bytes / 4, () => '{"hosts":["-"]}')}}`,
  ),
  ofMember(kinds.roles, 'rules', 'rules', (bytes) => list(bytes, rule)),
  ofMember(
    kinds.roles,
    'resources of a rule',
    'rules',
    (bytes) =>
      `[{"apiGroups":${list(bytes / 3, (i) => `"g${i}"`)},"resources":${list(bytes / 3, (i) => `"r${i}"`)},"verbs":${list(bytes / 3, (i) => `"v${i}"`)}}]`,
  ),
  ofMember(kinds.roles, 'empty rules', 'rules', (bytes) => list(bytes, () => '{}')),
  ofMember(kinds.clusterRoles, 'rules', 'rules', (bytes) => list(bytes, rule)),
  {
    kind: kinds.clusterRoles,
    name: 'aggregation',
    members: (bytes) => [
      ['aggregationRule', `{"clusterRoleSelectors":${list(bytes, (i) => `{"matchLabels":{"k${i}":"v"}}`)}}`],
    ],
  },
  ofMember(kinds.roleBindings, 'subjects', 'subjects', (bytes) =>
    list(bytes, (i) => `{"kind":"User","apiGroup":"rbac.authorization.k8s.io","name":"u${i}"}`),
  ),
  ofMember(kinds.roleBindings, 'wrong subjects', 'subjects', (bytes) => list(bytes, () => '{"kind":"x","name":""}')),
  ofSpec(
    kinds.autoscalers,
    'metrics',
    (bytes) =>
      `{"maxReplicas":2,"scaleTargetRef":{"kind":"Deployment","name":"a","apiVersion":"apps/v1"},"metrics":${list(bytes, () => '{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":50}}}')}}`,
  ),
  ofSpec(kinds.disruptionBudgets, 'selector', (bytes) => `{"selector":${selectorOf(bytes)}}`),
  ofMember(kinds.webhooks, 'webhooks', 'webhooks', (bytes) => list(bytes, (i) => webhook(`w${i}.example.com`))),
  ofMember(kinds.webhooks, 'webhooks of one name', 'webhooks', (bytes) => list(bytes, () => webhook('w.example.com'))),
  ofSpec(
    kinds.policies,
    'validations',
    (bytes) => `{${constraints},"validations":${list(bytes / 30, (i) => `{"expression":"object.a == ${i}"}`)}}`,
  ),
  ofSpec(
    kinds.policies,
    'wrong validations',
    (bytes) => `{${constraints},"validations":${list(bytes / 30, () => '{"expression":"((((("}')}}`,
  ),
  ofSpec(
    kinds.policies,
    'a long expression',
    (bytes) => `{${constraints},"validations":[{"expression":"${'1+'.repeat(bytes / 60)}1 > 0"}]}`,
  ),
  ofSpec(
    kinds.policies,
    'rules',
    (bytes) =>
      `{"validations":[{"expression":"true"}],"matchConstraints":{"resourceRules":${list(bytes, (i) => `{"apiGroups":["none${i}.example.com"],"apiVersions":["v1"],"resources":["a"],"operations":["CREATE"]}`)}}}`,
  ),
  {
    kind: kinds.storageClasses,
    name: 'parameters',
    members: (bytes) => [
      ['provisioner', '"a"'],
      ['parameters', map(bytes, (i) => `"k${i}":"v"`)],
    ],
  },
  {
    kind: kinds.storageClasses,
    name: 'topologies',
    members: (bytes) => [
      ['provisioner', '"a"'],
      ['allowedTopologies', list(bytes, (i) => `{"matchLabelExpressions":[{"key":"k${i % 7}","values":["a","b"]}]}`)],
    ],
  },
  ofSpec(
    kinds.flowSchemas,
    'rules',
    (bytes) =>
      `{"priorityLevelConfiguration":{"name":"global-default"},"matchingPrecedence":9999,"rules":${list(bytes, (i) => `{"subjects":[{"kind":"User","user":{"name":"u${i}"}}],"resourceRules":[{"verbs":["get"],"apiGroups":["none.example.com"],"resources":["r"],"clusterScope":true}]}`)}}`,
  ),
  ofSpec(
    kinds.csiNodes,
    'drivers',
    (bytes) =>
      `{"drivers":${list(bytes, (i) => `{"name":"d${i}.example.com","nodeID":"n","topologyKeys":["a","b"]}`)}}`,
  ),
  ofSpec(
    kinds.registrations,
    'a long bundle',
    (bytes) =>
      `{"group":"attacked.example.org","version":"v1","groupPriorityMinimum":10,"versionPriority":10,"service":{"name":"a","namespace":"default"},"caBundle":"${'YWFh'.repeat(bytes / 4)}"}`,
  ),
];
