import { mastersRequest } from '#test/integration/admission/signing-requests.ts';
import { bobToken } from '#test/integration/admission/tokens.ts';
import { configMap, patch, pathIn, post, tryPost, type CaseStep, type PluginCase } from './plugin-case.ts';

type Json = Record<string, unknown>;

const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const bundles = '/apis/certificates.k8s.io/v1beta1/clustertrustbundles';
const rbac = '/apis/rbac.authorization.k8s.io/v1';
const apiGroup = 'rbac.authorization.k8s.io';

/** Allows bob what is below; the plugins ask for more. */
const rightsOfBob: readonly CaseStep[] = [
  post(`${rbac}/clusterroles`, {
    apiVersion: `${apiGroup}/v1`,
    kind: 'ClusterRole',
    metadata: { name: 'case-bob' },
    rules: [
      { apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'update', 'patch', 'get'] },
      {
        apiGroups: ['certificates.k8s.io'],
        resources: [
          'certificatesigningrequests/approval',
          'certificatesigningrequests/status',
          'certificatesigningrequests',
          'clustertrustbundles',
        ],
        verbs: ['*'],
      },
    ],
  }),
  post(`${rbac}/clusterrolebindings`, {
    apiVersion: `${apiGroup}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: 'case-bob' },
    roleRef: { apiGroup, kind: 'ClusterRole', name: 'case-bob' },
    subjects: [{ apiGroup, kind: 'User', name: 'bob' }],
  }),
];

function byBob(step: CaseStep): CaseStep {
  return { ...step, token: bobToken };
}

function owned(blockOwnerDeletion: boolean): Json {
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u', blockOwnerDeletion }];
  return configMap('a', { ownerReferences });
}

function signingRequest(name: string, signerName: string): Json {
  return {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name },
    spec: { signerName, request: mastersRequest, usages: ['client auth'] },
  };
}

function condition(name: string, subresource: string, type: string): CaseStep {
  const status = { conditions: [{ type, status: 'True', reason: 'r', message: 'm' }] };
  return patch(`${requests}/${name}/${subresource}?dryRun=All`, { status }, 'status.conditions.0.type');
}

const bundle = {
  apiVersion: 'certificates.k8s.io/v1beta1',
  kind: 'ClusterTrustBundle',
  metadata: { name: 'example.com:x:a' },
  spec: { signerName: 'example.com/x', trustBundle: '@certificate' },
};

/** Plugins that ask what the user may do beside the request. */
export const accessCases: readonly PluginCase[] = [
  {
    plugin: 'OwnerReferencesPermissionEnforcement',
    given: rightsOfBob,
    admits: byBob(tryPost(pathIn('OwnerReferencesPermissionEnforcement', 'configmaps'), owned(false))),
    refuses: byBob(tryPost(pathIn('OwnerReferencesPermissionEnforcement', 'configmaps'), owned(true))),
  },
  {
    plugin: 'CertificateApproval',
    given: [post(requests, signingRequest('case-approved', 'example.com/x'))],
    admits: condition('case-approved', 'approval', 'Approved'),
    refuses: byBob(condition('case-approved', 'approval', 'Approved')),
  },
  {
    plugin: 'CertificateSigning',
    given: [post(requests, signingRequest('case-signed', 'example.com/x'))],
    admits: condition('case-signed', 'status', 'Failed'),
    refuses: byBob(condition('case-signed', 'status', 'Failed')),
  },
  {
    plugin: 'ClusterTrustBundleAttest',
    admits: tryPost(bundles, bundle, 'spec.signerName'),
    refuses: byBob(tryPost(bundles, bundle)),
  },
  {
    plugin: 'CertificateSubjectRestriction',
    admits: tryPost(requests, signingRequest('case-masters', 'example.com/x'), 'spec.signerName'),
    refuses: tryPost(requests, signingRequest('case-masters', 'kubernetes.io/kube-apiserver-client')),
  },
];
