import type { UserInfo } from '#shared/request/user.ts';

/** The service account of a controller, whose rights the bootstrap role of the same name gives (bootstrappolicy). */
export function controllerUser(name: string): UserInfo {
  return {
    name: `system:serviceaccount:kube-system:${name}`,
    uid: '',
    groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'],
    extra: {},
  };
}

/** Whose rights are for what controllers watch together, as there. */
export const managerUser: UserInfo = {
  name: 'system:kube-controller-manager',
  uid: '',
  groups: ['system:authenticated'],
  extra: {},
};
