import { newForbidden, StatusError, type StatusCause } from '#shared/apimachinery/errors/status.ts';
import type { AdmissionAttributes } from './admission.ts';

/** The 403 of a plugin. It names the object by its name, or by `generateName` if it has no name yet. */
export function refuseAdmission(
  attributes: AdmissionAttributes,
  message: string,
  causes: readonly StatusCause[] = [],
): StatusError {
  const { resource, object } = attributes;
  const name = attributes.name || object?.metadata?.name || object?.metadata?.generateName || 'Unknown';
  const error = newForbidden({ group: resource.group, resource: resource.resource }, name, message);
  if (causes.length === 0) return error;
  return new StatusError({ ...error.status, details: { ...error.status.details, causes: [...causes] } });
}
