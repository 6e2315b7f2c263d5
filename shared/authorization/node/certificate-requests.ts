import { parseFieldSelector } from '../../apimachinery/fields.ts';
import { stringAt } from '../../apimachinery/object.ts';
import type { ResourceCaches } from '../../registry/resource-caches.ts';
import type { Authorization, AuthorizerAttributes } from '../authorizer.ts';
import { allowed, refuse, unrelated } from './answers.ts';

/** PodCertificateRequests: a node makes them, which admission looks into, and reads its own (plugin/pkg/auth/authorizer/node authorizePodCertificateRequest). */
export function judgeCertificateRequest(caches: ResourceCaches, node: string, { verb, subresource, namespace, name, fieldSelector = '' }: AuthorizerAttributes): Authorization | Promise<Authorization> {
  if (subresource !== '') return refuse('nodes may not access the status subresource of PodCertificateRequests');
  switch (verb) {
    case 'create': return allowed;
    case 'get': return ofNode(caches, node, namespace, name);
    case 'list': case 'watch': return selects(fieldSelector, node) ? allowed : refuse('can only list/watch podcertificaterequests with nodeName field selector');
    default: return refuse(`nodes may not ${verb} podcertificaterequests`);
  }
}

async function ofNode(caches: ResourceCaches, node: string, namespace: string, name: string): Promise<Authorization> {
  const cache = caches.cache('certificates.k8s.io', 'podcertificaterequests');
  await cache.ready();
  await cache.waitForCurrent();
  const entry = cache.get(`/podcertificaterequests/${namespace}/${name}`);
  return entry !== undefined && stringAt(caches.parse(entry), 'spec', 'nodeName') === node ? allowed : refuse(unrelated(node));
}

function selects(selector: string, node: string): boolean {
  try {
    return parseFieldSelector(selector).some(({ field, operator, value }) => field === 'spec.nodeName' && operator === '=' && value === node);
  } catch {
    // What cannot be read selects nothing; the request is refused for it later.
    return false;
  }
}
