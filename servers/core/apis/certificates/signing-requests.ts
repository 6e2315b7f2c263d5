import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import { path } from '#shared/apimachinery/errors/field-error.ts';
import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { ensureObject } from '#shared/apimachinery/set-default.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { validateObjectMeta } from '#shared/apimachinery/validation/meta-validation.ts';
import { timeFromMs } from '#shared/apimachinery/values/time.ts';
import type { ParentView } from '#shared/registry/rest.ts';
import type { OperationContext, Strategy } from '#shared/registry/strategy.ts';
import { certificateSigningRequestRows } from './rows.ts';
import {
  validateCertificate,
  validateConditionChange,
  validateRequestConditions,
  validateSigningRequest,
} from './signing-request-validation.ts';

const decisions = ['Approved', 'Denied'];

/** CertificateSigningRequests (pkg/registry/certificates/certificates); the server fills in the requesting user. */
const signingRequestStrategy: Strategy = {
  // Any name that is a valid path segment is allowed.
  validateName: () => [],
  prepareForCreate(request, context) {
    const { name, uid, groups, extra } = context.user;
    const spec = ensureObject(request, 'spec');
    for (const key of ['username', 'uid', 'groups', 'extra']) delete spec[key];
    spec['username'] = name;
    if (uid !== '') spec['uid'] = uid;
    if (groups.length > 0) spec['groups'] = [...groups];
    if (Object.keys(extra).length > 0)
      spec['extra'] = Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]]));
    request['status'] = {};
  },
  prepareForUpdate(request, old) {
    for (const key of ['spec', 'status'] as const) if (old[key] !== undefined) request[key] = old[key];
  },
  prepareForStatusUpdate(request, old, context) {
    keepDecisions(request, old);
    stampConditions(request, old, context);
  },
  validate: validateSigningRequest,
  validateUpdate: validateSigningRequest,
  validateStatusUpdate: (request, old) => [
    ...validateRequestConditions(request),
    ...validateConditionChange(request, old, false),
    ...validateCertificate(request, old, true),
  ],
  selectableFields: (request) => ({ 'spec.signerName': stringAt(request, 'spec', 'signerName') }),
};

/** `certificatesigningrequests/approval` writes the conditions, and the metadata as any update does. */
export const approvalView: ParentView = {
  read: (request) => request,
  write(parent, body, context) {
    const old = cloneJson(parent);
    const status = ensureObject(parent, 'status');
    parent.metadata = body.metadata;
    const conditions = objectsAt(body, 'status', 'conditions');
    if (conditions.length > 0) status['conditions'] = [...conditions];
    else delete status['conditions'];
    stampConditions(parent, old, context);
    return parent;
  },
  validate: (request, old) => [
    ...atOnce(validateObjectMeta(request.metadata, false, () => [], path('metadata'))),
    ...validateRequestConditions(request),
    ...validateConditionChange(request, old, true),
  ],
};

/**
 * Restores the old conditions of each decision type if their number is unchanged; validation reports a missing one.
 */
function keepDecisions(request: KubeObject, old: KubeObject): void {
  const conditions = [...objectsAt(request, 'status', 'conditions')];
  for (const type of decisions) {
    const before = objectsAt(old, 'status', 'conditions').filter((condition) => stringAt(condition, 'type') === type);
    const indexes = conditions.flatMap((condition, index) => (stringAt(condition, 'type') === type ? [index] : []));
    if (before.length === indexes.length)
      for (const [position, index] of indexes.entries()) conditions[index] = before[position] ?? {};
  }
  if (conditions.length > 0) ensureObject(request, 'status')['conditions'] = conditions;
}

function stampConditions(request: KubeObject, old: KubeObject, context: OperationContext): void {
  const now = timeFromMs(context.nowMs);
  const before = new Map(
    objectsAt(old, 'status', 'conditions').map((condition) => [stringAt(condition, 'type'), condition]),
  );
  for (const condition of objectsAt(request, 'status', 'conditions')) {
    if (stringAt(condition, 'lastUpdateTime') === '') condition['lastUpdateTime'] = now;
    if (stringAt(condition, 'lastTransitionTime') === '')
      condition['lastTransitionTime'] = transitionTime(condition, before.get(stringAt(condition, 'type')), now);
  }
}

function transitionTime(condition: JsonObject, before: JsonObject | undefined, now: string): string {
  const same = before !== undefined && stringAt(before, 'status') === stringAt(condition, 'status');
  return (same && stringAt(before, 'lastTransitionTime')) || now;
}

export const signingRequestResource = defineBuiltIn({
  group: 'certificates.k8s.io',
  resource: 'certificatesigningrequests',
  rows: certificateSigningRequestRows,
  strategy: signingRequestStrategy,
  writes: {
    metadataOnUpdate: 'both',
    resetFields: {
      '': [['spec'], ['status']],
      status: [['spec'], ['status', 'conditions']],
      approval: [['spec'], ['status', 'certificate']],
    },
  },
  subresources: () => ({ approval: { view: approvalView } }),
});
