import { equal, exit, sorted } from '#test/e2e/kubectl/step.ts';
import type { Step } from '#test/e2e/kubectl/step.ts';

/** Everything else lives in the namespace `e2e`, which is the kubeconfig's default one. */
export const setup: readonly Step[] = [
  exit('version'),
  exit('version -o json'),
  exit('cluster-info'),
  equal('get namespaces'),
  equal('create namespace e2e'),
  equal('create namespace e2e'),
  equal('create namespace Not_A_Name'),
  equal('get namespace e2e -o yaml'),
  exit('create serviceaccount default'),
  exit('api-resources'),
  equal('api-resources -o name --sort-by=name --api-group=rbac.authorization.k8s.io'),
  exit('api-resources --namespaced=false -o wide'),
  sorted('api-versions'),
  equal('get --raw /healthz'),
  equal('get --raw /readyz'),
  exit('get --raw /openapi/v2'),
  exit('get --raw /version'),
  equal('get --raw /api/v1/namespaces/e2e/nothing'),
  equal('get nosuchresource'),
];
