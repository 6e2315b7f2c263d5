import type { AdmissionAttributes } from '#shared/admission/contract/admission.ts';
import type { GroupVersionKind, GroupVersionResource } from '#shared/apimachinery/gvk.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { UserInfo } from '#shared/request/user.ts';

/**
 * The variable `request`: an AdmissionRequest (`admission.k8s.io/v1`) without its objects, which expressions read as
 * `object` and `oldObject`.
 * @param kind the kind of these objects
 * @param resource the resource that the hook has matched
 */
export function admissionRequest(
  attributes: AdmissionAttributes,
  kind: GroupVersionKind,
  resource: GroupVersionResource,
): JsonObject {
  const { subresource, name, namespace, operation, user, dryRun, options } = attributes;
  return {
    uid: '',
    kind: { group: kind.group, version: kind.version, kind: kind.kind },
    resource: resourceJson(resource),
    ...(subresource === '' ? {} : { subResource: subresource }),
    requestKind: { group: attributes.kind.group, version: attributes.kind.version, kind: attributes.kind.kind },
    requestResource: resourceJson(attributes.resource),
    ...(subresource === '' ? {} : { requestSubResource: subresource }),
    ...(name === '' ? {} : { name }),
    ...(namespace === '' ? {} : { namespace }),
    operation,
    userInfo: userInfo(user),
    object: null,
    oldObject: null,
    dryRun,
    // A connection has no options.
    options: operation === 'CONNECT' ? null : options,
  };
}

function resourceJson({ group, version, resource }: GroupVersionResource): JsonObject {
  return { group, version, resource };
}

/** A user as `authentication.k8s.io/v1` prints it: empty fields are left out. */
export function userInfo({ name, uid, groups, extra }: UserInfo): JsonObject {
  return {
    ...(name === '' ? {} : { username: name }),
    ...(uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups: [...groups] }),
    ...(Object.keys(extra).length === 0
      ? {}
      : { extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]])) }),
  };
}
