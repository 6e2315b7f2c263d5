import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { numberAt, objectsAt, stringAt, stringsAt } from '#shared/apimachinery/object.ts';

/** What flow control reads of a FlowSchema (flowcontrol.apiserver.k8s.io/v1). */
export interface FlowSchema {
  readonly name: string;
  readonly uid: string;
  readonly priorityLevel: string;
  readonly matchingPrecedence: number;
  /** By what the flows of its requests differ; '' for one flow. */
  readonly distinguisher: 'ByUser' | 'ByNamespace' | '';
  readonly rules: readonly FlowRules[];
}

export interface FlowRules {
  readonly subjects: readonly FlowSubject[];
  readonly resourceRules: readonly ResourceRule[];
  readonly nonResourceRules: readonly { readonly verbs: readonly string[]; readonly paths: readonly string[] }[];
}

export interface FlowSubject {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
}

export interface ResourceRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly clusterScope: boolean;
  readonly namespaces: readonly string[];
}

const subjectFields: ReadonlyMap<string, string> = new Map([
  ['User', 'user'],
  ['Group', 'group'],
  ['ServiceAccount', 'serviceAccount'],
]);

export function readFlowSchema(object: JsonObject): FlowSchema {
  return {
    name: stringAt(object, 'metadata', 'name'),
    uid: stringAt(object, 'metadata', 'uid'),
    priorityLevel: stringAt(object, 'spec', 'priorityLevelConfiguration', 'name'),
    matchingPrecedence: numberAt(object, 'spec', 'matchingPrecedence') ?? 0,
    distinguisher: distinguisherOf(stringAt(object, 'spec', 'distinguisherMethod', 'type')),
    rules: objectsAt(object, 'spec', 'rules').map(readRules),
  };
}

/** The order in which FlowSchemas are tried. */
export function byPrecedence(a: FlowSchema, b: FlowSchema): number {
  return a.matchingPrecedence - b.matchingPrecedence || (a.name < b.name ? -1 : Number(a.name > b.name));
}

function distinguisherOf(type: string): FlowSchema['distinguisher'] {
  return type === 'ByUser' || type === 'ByNamespace' ? type : '';
}

function readRules(rules: JsonObject): FlowRules {
  return {
    subjects: objectsAt(rules, 'subjects').map((subject) => {
      const kind = stringAt(subject, 'kind');
      const field = subjectFields.get(kind) ?? '';
      return { kind, name: stringAt(subject, field, 'name'), namespace: stringAt(subject, field, 'namespace') };
    }),
    resourceRules: objectsAt(rules, 'resourceRules').map((rule) => ({
      verbs: stringsAt(rule, 'verbs'),
      apiGroups: stringsAt(rule, 'apiGroups'),
      resources: stringsAt(rule, 'resources'),
      clusterScope: rule['clusterScope'] === true,
      namespaces: stringsAt(rule, 'namespaces'),
    })),
    nonResourceRules: objectsAt(rules, 'nonResourceRules').map((rule) => ({
      verbs: stringsAt(rule, 'verbs'),
      paths: stringsAt(rule, 'nonResourceURLs'),
    })),
  };
}
