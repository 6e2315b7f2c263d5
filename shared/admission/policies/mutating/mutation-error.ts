/** Why a mutation of a policy cannot be applied; the `failurePolicy` decides what becomes of the request. */
export class MutationError extends Error {}
