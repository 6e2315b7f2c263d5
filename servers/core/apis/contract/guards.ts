import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { AuthorizerAttributes } from '#shared/authorization/contract/authorizer.ts';
import type { OperationContext } from '#shared/registry/strategy.ts';
import type { UserInfo } from '#shared/request/user.ts';

// The checks that strategies make against authorization and other resources before they accept a write.

/**
 * Prevents privilege escalation: users can grant only rights that they have (pkg/registry/rbac/…/policybased). Both
 * methods throw a 403 otherwise.
 */
export interface RoleGuard {
  guardRole(role: KubeObject, old: KubeObject | undefined, context: OperationContext): Promise<void>;
  guardBinding(binding: KubeObject, old: KubeObject | undefined, context: OperationContext): Promise<void>;
}

/** Authorization of signing. */
export interface SignerGuard {
  /** Whether the user may sign for this signer, or for its whole domain. */
  maySign(user: UserInfo, signerName: string): Promise<boolean>;
}

/** Authorization of writes to parts of a ResourceClaim's status. */
export interface ClaimGuard {
  /**
   * Throws an Error that names the user and the denied action; undefined if the gate
   * DRAResourceClaimGranularStatusAuthorization is off.
   */
  readonly requireAllowed: ((attributes: AuthorizerAttributes) => Promise<void>) | undefined;
}

/** Looks up the labels of a namespace in the watch cache. */
export interface NamespaceLabels {
  labelsOf(namespace: string): Readonly<Record<string, string>>;
}
