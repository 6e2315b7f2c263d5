import {
  clusterRoleBindingResource,
  clusterRoleResource,
  roleBindingResource,
  roleResource,
} from './role-strategies.ts';
import type { BuiltInResource } from '../contract/built-in-resource.ts';

export const rbacResources: readonly BuiltInResource[] = [
  clusterRoleBindingResource,
  clusterRoleResource,
  roleBindingResource,
  roleResource,
];
