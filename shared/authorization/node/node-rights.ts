import type { FeatureGates } from '#shared/api/feature-gates.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { TupleMap } from '#shared/apimachinery/tuple-map.ts';
import type { AuthorizerAttributes } from '#shared/authorization/contract/authorizer.ts';

/**
 * The answer to a request of a node: `related` allows it if the object belongs to the node or to one of its pods;
 * `rules` leaves the decision to the role system:node.
 */
export type Verdict = 'allowed' | 'related' | 'rules' | { readonly refused: string };

type DecideRight = (node: string, question: AuthorizerAttributes) => Verdict;

const refused = (reason: string): Verdict => ({ refused: reason });
const nothingSaid = refused('');

/** The namespace of the nodes' heartbeat leases. */
const leaseNamespace = 'kube-node-lease';

/**
 * Functions that decide about resources whose objects not every node may access, by group and resource
 * (plugin/pkg/auth/authorizer/node/node_authorizer.go).
 */
export function nodeRightsTable(gates: FeatureGates): TupleMap<DecideRight> {
  const bySelector = gates.isEnabled('AuthorizeNodeWithSelectors');
  const certificates = gates.isEnabled('PodCertificateRequest');
  const readsAccounts = certificates || gates.isEnabled('KubeletServiceAccountTokenForCredentialProviders');
  const table: readonly (readonly [string, string, DecideRight])[] = [
    ['', 'secrets', judgeRead],
    ['', 'configmaps', judgeRead],
    [
      '',
      'persistentvolumeclaims',
      (_node, question) => (question.subresource === 'status' ? judgeStatusWrite(question) : judgeGet(question)),
    ],
    ['', 'persistentvolumes', (_node, question) => judgeGet(question)],
    ['resource.k8s.io', 'resourceclaims', (_node, question) => judgeGet(question)],
    ['storage.k8s.io', 'volumeattachments', (_node, question) => judgeGet(question)],
    ['', 'serviceaccounts', (node, question) => judgeServiceAccount(node, question, readsAccounts)],
    ['coordination.k8s.io', 'leases', judgeLease],
    ['storage.k8s.io', 'csinodes', judgeCsiNode],
    ['resource.k8s.io', 'resourceslices', (node, question) => judgeSlice(node, question, bySelector)],
    ['', 'nodes', bySelector ? judgeNode : () => 'rules'],
    ['', 'pods', bySelector ? judgePod : () => 'rules'],
    [
      'certificates.k8s.io',
      'podcertificaterequests',
      bySelector && certificates ? judgeCertificateRequest : () => nothingSaid,
    ],
  ];
  const judges = new TupleMap<DecideRight>(2);
  for (const [group, resource, judge] of table) judges.set([group, resource], judge);
  return judges;
}

/** Reads of a single object, if it belongs to the node or to one of its pods. */
function judgeRelated({ name }: AuthorizerAttributes): Verdict {
  return name === '' ? refused('No Object name found') : 'related';
}

function judgeGet(question: AuthorizerAttributes): Verdict {
  if (question.verb !== 'get') return refused('can only get individual resources of this type');
  return question.subresource === '' ? judgeRelated(question) : refused('cannot get subresource');
}

function judgeStatusWrite(question: AuthorizerAttributes): Verdict {
  return question.verb === 'update' || question.verb === 'patch'
    ? judgeRelated(question)
    : refused('can only get/update/patch this type');
}

/** Lists and watches of a single object count as reads of it. */
function judgeRead(_node: string, question: AuthorizerAttributes): Verdict {
  if (!isRead(question.verb)) return refused('can only read resources of this type');
  if (question.subresource !== '') return refused('cannot read subresource');
  return question.namespace === '' ? refused('can only read namespaced object of this type') : judgeRelated(question);
}

function judgeServiceAccount(node: string, question: AuthorizerAttributes, readable: boolean): Verdict {
  const { verb, subresource, name } = question;
  if (verb === 'get' && subresource === '')
    return readable ? judgeRead(node, question) : refused('not allowed to get service accounts');
  if (verb !== 'create' || name === '') return refused('can only create tokens for individual service accounts');
  return subresource === 'token' ? 'related' : refused('can only create token subresource of serviceaccount');
}

const ownObjectVerbs: ReadonlySet<string> = new Set(['get', 'create', 'update', 'patch', 'delete']);

/** A create is allowed here, since its body is not known yet: admission checks the name. */
function judgeLease(node: string, { verb, namespace, name }: AuthorizerAttributes): Verdict {
  if (!ownObjectVerbs.has(verb)) return refused('can only get, create, update, patch, or delete a node lease');
  if (namespace !== leaseNamespace)
    return refused(`can only access leases in the ${goQuote(leaseNamespace)} system namespace`);
  return verb === 'create' || name === node
    ? 'allowed'
    : refused('can only access node lease with the same name as the requesting node');
}

function judgeCsiNode(node: string, { verb, subresource, name }: AuthorizerAttributes): Verdict {
  if (!ownObjectVerbs.has(verb)) return refused('can only get, create, update, patch, or delete a CSINode');
  if (subresource !== '') return refused('cannot authorize CSINode subresources');
  return verb === 'create' || name === node
    ? 'allowed'
    : refused('can only access CSINode with the same name as the requesting node');
}

/** A create is allowed here, since its body is not known yet: admission checks which node it names. */
function judgeSlice(node: string, question: AuthorizerAttributes, bySelector: boolean): Verdict {
  const { verb, subresource } = question;
  if (subresource !== '') return refused('cannot authorize ResourceSlice subresources');
  if (verb === 'create') return 'allowed';
  if (ownObjectVerbs.has(verb)) return judgeRelated(question);
  if (verb !== 'watch' && verb !== 'list' && verb !== 'deletecollection') {
    return refused(
      'only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection',
    );
  }
  return !bySelector || selects(question, 'spec.nodeName', node)
    ? 'allowed'
    : refused('can only list/watch/deletecollection resourceslices with nodeName field selector');
}

/** A node may read the Node of its own name, even before it exists. */
function judgeNode(node: string, { verb, subresource, name }: AuthorizerAttributes): Verdict {
  const writes = verb === 'update' || verb === 'patch';
  if (subresource === 'status') return writes ? 'allowed' : nothingSaid;
  if (subresource !== '') return nothingSaid;
  if (writes || verb === 'create') return 'allowed';
  if (!isRead(verb)) return nothingSaid;
  if (name === node) return 'allowed';
  return refused(
    name === ''
      ? `node '${node}' cannot read all nodes, only its own Node object`
      : `node '${node}' cannot read '${name}', only its own Node object`,
  );
}

/** Writes are allowed here: the admission plugin NodeRestriction checks that the pod runs on the node. */
function judgePod(node: string, question: AuthorizerAttributes): Verdict {
  const { verb, subresource, name } = question;
  if (subresource === 'status') return verb === 'update' || verb === 'patch' ? 'allowed' : nothingSaid;
  if (subresource === 'eviction') return verb === 'create' ? 'allowed' : nothingSaid;
  if (subresource !== '') return nothingSaid;
  if (verb === 'create' || verb === 'delete') return 'allowed';
  if (verb === 'get') return judgeRelated(question);
  if (!isRead(verb)) return nothingSaid;
  if (selects(question, 'spec.nodeName', node)) return 'allowed';
  return name === '' ? refused('can only list/watch pods with spec.nodeName field selector') : 'related';
}

function judgeCertificateRequest(node: string, question: AuthorizerAttributes): Verdict {
  const { verb, subresource } = question;
  if (subresource !== '') return refused('nodes may not access the status subresource of PodCertificateRequests');
  if (verb === 'create') return 'allowed';
  if (verb === 'get') return judgeRelated(question);
  if (!isRead(verb)) return refused(`nodes may not ${verb} podcertificaterequests`);
  return selects(question, 'spec.nodeName', node)
    ? 'allowed'
    : refused('can only list/watch podcertificaterequests with nodeName field selector');
}

function isRead(verb: string): boolean {
  return verb === 'get' || verb === 'list' || verb === 'watch';
}

function selects({ fieldSelector }: AuthorizerAttributes, field: string, value: string): boolean {
  return fieldSelector?.some((term) => term.field === field && term.operator === '=' && term.value === value) ?? false;
}
