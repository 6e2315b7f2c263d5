import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { CoreContext } from '#servers/core/context/core-context.ts';
import type { KubeletConnections, KubeletEndpoint } from '#servers/core/kubelet/kubelet-connections.ts';
import { goUserAgent, limitConnecting, plainError, readRefusal } from '#servers/core/kubelet/kubelet-request.ts';
import {
  newBadRequest,
  newGenericServerResponse,
  newInternalError,
  newInvalid,
} from '#shared/apimachinery/errors/status.ts';
import { stringAt } from '#shared/apimachinery/object.ts';
import type { SubresourceDefinition } from '#shared/registry/define-resource.ts';
import { goNetworkError } from '#shared/request/go-network-error.ts';
import { relayBody } from '#shared/request/relay/relay-body.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { asksForLogMessages, openLogMessages, type LogSink } from './log-messages.ts';
import { chooseContainer } from './pod-container.ts';
import { countLogFailure, countLogRequest } from './pod-log-metrics.ts';
import { kubeletLogQuery, parsePodLogOptions, validatePodLogOptions } from './pod-log-options.ts';

type Connect = NonNullable<SubresourceDefinition['connect']>;

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * `pods/log`: streams the log from the kubelet of the pod's node (pkg/registry/core/pod, LogLocation). A pod without a
 * node gets an empty 204. `choosesStream` is the gate PodLogsQuerySplitStreams.
 */
export function podLog(core: CoreContext, kubelets: KubeletConnections, choosesStream: boolean): Connect {
  return async (context, name) => {
    const { info, exchange } = context;
    const options = parsePodLogOptions(info.query);
    countLogRequest(options.insecureSkipTLSVerifyBackend);
    const errors = validatePodLogOptions(options, choosesStream);
    if (errors.length > 0) throw newInvalid({ group: '', kind: 'PodLogOptions' }, name, errors);
    const pods = core.store('', 'pods');
    const pod = pods.parse(await pods.get(info.namespace, name));
    const container = chooseContainer(pod, options.container);
    const node = stringAt(pod, 'spec', 'nodeName');
    if (node === '') return exchange.send(204, {});
    const kubelet = await kubelets.find(context, node);
    const query = kubeletLogQuery(options, choosesStream);
    const path = `/containerLogs/${info.namespace}/${name}/${container}${query === '' ? '' : `?${query}`}`;
    await relayLog(context, kubelet, kubelets, path, options.insecureSkipTLSVerifyBackend);
  };
}

/**
 * Resolves when the response has started. If client or kubelet closes its connection, the other connection is ended;
 * back-pressure reaches the kubelet.
 */
function relayLog(
  context: RequestContext,
  kubelet: KubeletEndpoint,
  kubelets: KubeletConnections,
  path: string,
  skipVerify: boolean,
): Promise<void> {
  const { exchange } = context;
  const url = `https://${kubelet.authority}${path}`;
  return new Promise((resolve, reject) => {
    const request = httpsRequest({
      host: kubelet.hostname,
      port: kubelet.port,
      path,
      agent: kubelets.agent(skipVerify),
      headers: { 'User-Agent': goUserAgent },
    });
    limitConnecting(request);
    exchange.onClose(() => {
      request.destroy();
      resolve();
    });
    request.on('error', (error) => {
      const reason = goNetworkError(error, kubelet.authority);
      countLogFailure(reason);
      reject(plainError(`Get "${url}": ${reason}`));
    });
    request.on('response', (response) => {
      const status = response.statusCode ?? 0;
      const location = response.headers.location ?? '';
      if (redirects.has(status) && location !== '') {
        response.destroy();
        reject(plainError(`Get "${location}": redirects forbidden`));
      } else if (status < 200 || status > 206) {
        refusal(response, context.info.name).then(reject, reject);
      } else {
        stream(context, response);
        resolve();
      }
    });
    request.end();
  });
}

function stream(context: RequestContext, response: IncomingMessage): void {
  const sink: LogSink | undefined = asksForLogMessages(context)
    ? openLogMessages(context)
    : context.exchange.stream(200, { 'content-type': 'text/plain' });
  if (sink === undefined) return void response.destroy();
  relayBody(response, {
    write: (chunk) => sink.write(chunk),
    onDrain: (listener) => sink.onDrain(listener),
    end: () => sink.end(),
    // As in the reference, clients see a normal end of the log also if the kubelet's response breaks off.
    abort: () => sink.end(),
  });
}

/** The kubelet's error response as a Status (apiserver pkg/registry/generic/rest, GenericHttpResponseChecker). */
async function refusal(response: IncomingMessage, name: string): Promise<Error> {
  const text = await readBeginning(response);
  const status = response.statusCode ?? 0;
  // Not passed on: after a 101 a client would wait for another protocol.
  if (status < 200) return newInternalError(`the kubelet answered with the status code ${status}`);
  if (status === 500) return newInternalError(text);
  if (status === 400) return newBadRequest(text);
  return newGenericServerResponse(status, text, { group: '', resource: 'pods/log' }, name);
}

async function readBeginning(response: IncomingMessage): Promise<string> {
  try {
    return await readRefusal(response);
  } catch (error) {
    throw newInternalError(
      (error as NodeJS.ErrnoException).code === 'ECONNRESET' ? 'unexpected EOF' : (error as Error).message,
    );
  }
}
