import { durationKind, stringKind, stringsKind } from './flag-kinds.ts';
import { flag } from './flag-set.ts';

const authorization = 'Authorization';

/** Flags of authorization and of egress. */
export const authorizationFlags = {
  authorizationConfig: flag(
    stringKind,
    authorization,
    '',
    'File with an AuthorizationConfiguration: the authorizers in their order. It excludes --authorization-mode and --authorization-webhook-*.',
  ),
  authorizationMode: flag(
    stringsKind,
    authorization,
    [],
    'Authorizers in order, of ABAC, AlwaysAllow, AlwaysDeny, Node, RBAC, Webhook. kube-apiserver without it allows everything.',
    { shownDefault: '[Node,RBAC]' },
  ),
  authorizationPolicyFile: flag(
    stringKind,
    authorization,
    '',
    'File with one ABAC policy in each line. Needs ABAC in --authorization-mode.',
  ),
  authorizationWebhookCacheAuthorizedTtl: flag(
    durationKind,
    authorization,
    300_000,
    'How long a request that the webhook allowed is allowed without asking again.',
  ),
  authorizationWebhookCacheUnauthorizedTtl: flag(
    durationKind,
    authorization,
    30_000,
    'How long a request that the webhook did not allow is refused without asking again.',
  ),
  authorizationWebhookConfigFile: flag(
    stringKind,
    authorization,
    '',
    'Kubeconfig of the webhook that authorizes requests. Needs Webhook in --authorization-mode.',
  ),
  authorizationWebhookVersion: flag(
    stringKind,
    authorization,
    'v1beta1',
    'Version of authorization.k8s.io in which the webhook is asked: v1 or v1beta1.',
  ),
  egressSelectorConfigFile: flag(
    stringKind,
    'Egress selector',
    '',
    'File with an EgressSelectorConfiguration: how connections to nodes, etcd and the control plane are made.',
  ),
};
