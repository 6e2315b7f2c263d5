import { equal, sorted } from '#test/e2e/kubectl/step.ts';
import type { Step } from '#test/e2e/kubectl/step.ts';

/** `auth`, impersonation and what a user without rights reads. */
export const access: readonly Step[] = [
  equal('auth whoami'),
  equal('auth whoami -o yaml'),
  equal('auth whoami --as=bob --as-group=dev'),
  equal('auth can-i create pods'),
  sorted('auth can-i --list'),
  sorted('auth can-i --list --as=bob'),
  sorted('auth can-i --list --as=system:serviceaccount:e2e:robot'),
  equal('auth can-i get pods --as=bob'),
  equal('auth can-i get secrets --as=bob'),
  equal('auth can-i update configmap/colours --as=bob'),
  equal('auth can-i get pods --subresource=log --as=bob'),
  equal('auth can-i get /logs/x --as=bob'),
  equal('auth can-i get pods -A --as=carla'),
  equal('auth can-i nosuchverb pods -q --as=bob'),
  equal('get cm --as=bob'),
  equal('get pods --as=bob'),
  equal('create cm not-mine --as=bob'),
  equal('delete secret plain --as=bob'),
  equal('get namespaces --as=bob --as-group=readers'),
  equal('get cm --as=system:serviceaccount:e2e:robot'),
  equal('get cm colours --as=bob -o name'),
  equal('create clusterrole beyond --verb=* --resource=* --as=bob'),
  equal('certificate approve missing'),
];
