import type { AdmissionAttributes } from '#shared/admission/contract/admission.ts';
import type { ObjectLister } from '#shared/admission/contract/object-lister.ts';
import { refuseAdmission } from '#shared/admission/contract/refusal.ts';
import { failureStatus, StatusError } from '#shared/apimachinery/errors/status.ts';
import { stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import type { NodeObjects } from './node-pod-rules.ts';

export interface CertificateObjects extends NodeObjects {
  readonly accounts: ObjectLister;
}

const mirrorAnnotation = 'kubernetes.io/config.mirror';

/**
 * A kubelet may request certificates only for pods on its node, and only for the service account of the pod
 * (plugin/pkg/admission/noderestriction admitPodCertificateRequest).
 */
export async function checkPodCertificateRequest(
  objects: CertificateObjects,
  nodeName: string,
  attributes: AdmissionAttributes,
): Promise<void> {
  const { operation, subresource, namespace, object } = attributes;
  const refuse = (message: string): never => {
    throw refuseAdmission(attributes, message);
  };
  if (operation !== 'CREATE') refuse(`unexpected operation ${operation}`);
  if (subresource !== '') refuse(`unexpected subresource ${subresource}`);
  const [named, podName, accountName] = ['nodeName', 'podName', 'serviceAccountName'].map((name) =>
    stringAt(object, 'spec', name),
  ) as [string, string, string];
  const [nodeUid, podUid, accountUid] = ['nodeUID', 'podUID', 'serviceAccountUID'].map((name) =>
    stringAt(object, 'spec', name),
  ) as [string, string, string];
  const [podKey, accountKey] = [goQuote(`${namespace}/${podName}`), goQuote(`${namespace}/${accountName}`)];
  if (named !== nodeName)
    refuse(
      `PodCertificateRequest.Spec.NodeName=${goQuote(named)}, which is not the requesting node ${goQuote(nodeName)}`,
    );

  const node = found(await objects.nodes.getFresh('', named), 'node', named, goQuote(named));
  if (node.metadata.uid !== nodeUid)
    throw mismatch(
      `PodCertificateRequest for pod ${podKey} names node UID ${goQuote(nodeUid)}, inconsistent with the running node (${goQuote(node.metadata.uid ?? '')})`,
    );

  const pod = found(await objects.pods.getFresh(namespace, podName), 'pod', podName, podKey);
  if (pod.metadata.uid !== podUid)
    throw mismatch(
      `PodCertificateRequest for pod ${podKey} contains pod UID (${goQuote(podUid)}) which differs from running pod ${goQuote(pod.metadata.uid ?? '')}`,
    );
  if (stringAt(pod, 'spec', 'nodeName') !== named)
    refuse(`pod ${podKey} is not running on node ${goQuote(named)} named in the PodCertificateRequest`);
  if (pod.metadata.annotations?.[mirrorAnnotation] !== undefined) refuse(`pod ${podKey} is a mirror pod`);

  const running = stringAt(pod, 'spec', 'serviceAccountName');
  if (accountName !== running)
    refuse(
      `PodCertificateRequest for pod ${podKey} contains serviceAccountName (${goQuote(accountName)}) that differs from running pod (${goQuote(running)})`,
    );
  const account = found(
    await objects.accounts.getFresh(namespace, accountName),
    'service account',
    accountName,
    accountKey,
  );
  if (account.metadata.uid !== accountUid) {
    throw mismatch(
      `PodCertificateRequest for pod ${podKey} names service account UID ${goQuote(accountUid)}, which differs from the running service account (${goQuote(account.metadata.uid ?? '')})`,
    );
  }
}

function found(object: KubeObject | undefined, kind: string, name: string, key: string): KubeObject {
  if (object !== undefined) return object;
  throw mismatch(
    `while retrieving ${kind} ${key} named in the PodCertificateRequest: ${kind.replace(' ', '')} ${goQuote(name)} not found`,
  );
}

/** An error for a request that may succeed later: a 500 instead of a 403, so that kubelets retry. */
function mismatch(message: string): StatusError {
  return new StatusError(failureStatus(500, '', message));
}
