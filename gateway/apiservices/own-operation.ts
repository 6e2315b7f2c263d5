import type { OperationContext } from '../../shared/registry/strategy.ts';
import type { UserInfo } from '../../shared/request/user.ts';

const self: UserInfo = {
  name: 'system:apiserver',
  uid: '',
  groups: ['system:masters', 'system:authenticated'],
  extra: {},
};

/** A write of the gateway's own. */
export function ownOperation(): OperationContext {
  return {
    user: self,
    namespace: '',
    dryRun: false,
    subresource: '',
    fieldManager: 'kube-apiserver',
    addWarning: () => undefined,
    auditAnnotations: new Map(),
    nowMs: Date.now(),
  };
}
