import { cloneJson } from '../../../shared/apimachinery/clone.ts';
import { forbidden, notSupported, path, duplicate, required, type FieldError } from '../../../shared/apimachinery/field-error.ts';
import type { JsonObject } from '../../../shared/apimachinery/json.ts';
import { objectsAt, stringAt, type KubeObject } from '../../../shared/apimachinery/object.ts';
import { ensureObject } from '../../../shared/apimachinery/set-default.ts';
import { timeFromMs } from '../../../shared/apimachinery/time.ts';
import type { ParentView } from '../../../shared/registry/rest.ts';
import type { OperationContext, Strategy } from '../../../shared/registry/strategy.ts';

const decisions = ['Approved', 'Denied'];

/** CertificateSigningRequests (pkg/registry/certificates/certificates): who asks is written by the server. */
export const signingRequestStrategy: Strategy = {
  prepareForCreate(context, request) {
    const { name, uid, groups, extra } = context.user;
    const spec = ensureObject(request, 'spec');
    for (const key of ['username', 'uid', 'groups', 'extra']) delete spec[key];
    spec['username'] = name;
    if (uid !== '') spec['uid'] = uid;
    if (groups.length > 0) spec['groups'] = [...groups];
    if (Object.keys(extra).length > 0) spec['extra'] = Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]]));
    request['status'] = {};
  },
  prepareForUpdate(_context, request, old) {
    for (const key of ['spec', 'status']) if (old[key] !== undefined) request[key] = old[key];
  },
  prepareForStatusUpdate(context, request, old) {
    const kept = objectsAt(old, 'status', 'conditions').filter((condition) => decisions.includes(stringAt(condition, 'type')));
    const others = objectsAt(request, 'status', 'conditions').filter((condition) => !decisions.includes(stringAt(condition, 'type')));
    const conditions = [...kept, ...others];
    if (conditions.length > 0) ensureObject(request, 'status')['conditions'] = conditions;
    stampConditions(context, request, old);
  },
  validateStatusUpdate: (_context, request) => validateConditions(request),
  selectableFields: (request) => ({ 'spec.signerName': stringAt(request, 'spec', 'signerName') }),
};

/** `certificatesigningrequests/approval`: decides, and decides once. */
export const approvalView: ParentView = {
  read: (request) => request,
  write(context, parent, body) {
    const status = ensureObject(parent, 'status');
    const old = cloneJson(parent);
    const conditions = objectsAt(body, 'status', 'conditions');
    if (conditions.length > 0) status['conditions'] = [...conditions];
    else delete status['conditions'];
    stampConditions(context, parent, old);
    return parent;
  },
  validate: (_context, request, old) => [...validateDecisions(request, old), ...validateConditions(request)],
};

function stampConditions(context: OperationContext, request: KubeObject, old: KubeObject): void {
  const now = timeFromMs(context.nowMs);
  const before = new Map(objectsAt(old, 'status', 'conditions').map((condition) => [stringAt(condition, 'type'), condition]));
  for (const condition of objectsAt(request, 'status', 'conditions')) {
    if (stringAt(condition, 'lastUpdateTime') === '') condition['lastUpdateTime'] = now;
    if (stringAt(condition, 'lastTransitionTime') === '') condition['lastTransitionTime'] = transitionTime(condition, before.get(stringAt(condition, 'type')), now);
  }
}

function transitionTime(condition: JsonObject, before: JsonObject | undefined, now: string): string {
  const same = before !== undefined && stringAt(before, 'status') === stringAt(condition, 'status');
  return (same && stringAt(before, 'lastTransitionTime')) || now;
}

function validateDecisions(request: KubeObject, old: KubeObject): FieldError[] {
  const types = objectsAt(request, 'status', 'conditions').map((condition) => stringAt(condition, 'type'));
  return decisions
    .filter((type) => objectsAt(old, 'status', 'conditions').some((condition) => stringAt(condition, 'type') === type) && !types.includes(type))
    .map((type) => forbidden(path('status', 'conditions'), `updates may not remove a condition of type ${JSON.stringify(type)}`));
}

function validateConditions(request: KubeObject): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, condition] of objectsAt(request, 'status', 'conditions').entries()) {
    const field = path('status', 'conditions').index(index);
    const type = stringAt(condition, 'type');
    const status = stringAt(condition, 'status');
    if (type === '') errors.push(required(field.child('type'), ''));
    if (status === '') errors.push(required(field.child('status'), ''));
    else if (status !== 'True' && [...decisions, 'Failed'].includes(type)) errors.push(notSupported(field.child('status'), status, ['True']));
    if (seen.has(type)) errors.push(duplicate(field.child('type'), type));
    seen.add(type);
  }
  return errors;
}
