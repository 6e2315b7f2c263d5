import type { GatedFields } from '#servers/core/gates/disabled-fields.ts';

/** A gated field in the status of Deployments and ReplicaSets (KEP-3973). */
export const terminatingReplicas: GatedFields = {
  gates: ['DeploymentReplicaSetTerminatingReplicas'],
  fields: ['status.terminatingReplicas'],
};
