import type { OperationContext } from '../../shared/registry/strategy.ts';
import type { UserInfo } from '../../shared/request/user.ts';
import { atOncePace } from '../../shared/registry/pace.ts';

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
    pace: atOncePace,
    nowMs: Date.now(),
  };
}
