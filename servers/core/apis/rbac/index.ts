import type { BuiltInResource } from '#servers/core/apis/contract/built-in-resource.ts';
import {
  clusterRoleBindingResource,
  clusterRoleResource,
  roleBindingResource,
  roleResource,
} from './role-strategies.ts';

export const rbacResources: readonly BuiltInResource[] = [
  clusterRoleBindingResource,
  clusterRoleResource,
  roleBindingResource,
  roleResource,
];
