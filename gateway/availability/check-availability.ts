import { aggregatorUser } from '#gateway/apiservices/aggregator-user.ts';
import type { Availability } from '#gateway/apiservices/api-service.ts';
import type { RemoteServer } from '#gateway/remote/remote-server.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import type { EndpointSliceView, ServiceDirectory } from '#shared/services/service-directory.ts';

const attempts = 5;
const attemptTimeoutMs = 5000;
/** After this time without an answer, further requests to the server are sent in parallel. */
const patienceMs = 200;

/**
 * Checks whether a registered server is available: first its Service and EndpointSlices, then a discovery request to
 * it. Reasons and messages are those of kube-aggregator/pkg/controllers/status/remote.
 */
export async function checkAvailability(server: RemoteServer, directory: ServiceDirectory): Promise<Availability> {
  const { namespace, name, port } = server.spec.service;
  const service = directory.service(namespace, name);
  const quoted = JSON.stringify(namespace);
  if (service === undefined) return unavailable('ServiceNotFound', `service/${name} in ${quoted} is not present`);
  if (service.type === 'ClusterIP') {
    const portName = service.ports.find((candidate) => candidate.port === port)?.name;
    if (portName === undefined)
      return unavailable('ServicePortError', `service/${name} in ${quoted} is not listening on port ${port}`);
    const slices = directory.endpointSlices(namespace, name);
    if (slices.length === 0)
      return unavailable('EndpointsNotFound', `cannot find endpointslices for service/${name} in ${quoted}`);
    if (!slices.some((slice) => serves(slice, portName))) {
      return unavailable(
        'MissingEndpoints',
        `endpointslices for service/${name} in ${quoted} have no addresses with port name ${goQuote(portName)}`,
      );
    }
  }
  const failure = await askServer(server);
  return failure === undefined
    ? { status: 'True', reason: 'Passed', message: 'all checks passed' }
    : unavailable('FailedDiscoveryCheck', failure);
}

function serves(slice: EndpointSliceView, portName: string): boolean {
  return slice.ready.length > 0 && slice.ports.some(({ name }) => name === portName);
}

function unavailable(reason: string, message: string): Availability {
  return { status: 'False', reason, message };
}

/**
 * Sends the server several discovery requests, perhaps to different endpoints; one success is enough. Returns the last
 * failure otherwise.
 */
async function askServer(server: RemoteServer): Promise<string | undefined> {
  let failure: string | undefined;
  const attempt = async (): Promise<true> => {
    try {
      await askOnce(server);
      return true;
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
      throw error;
    }
  };
  const first = attempt();
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, patienceMs)));
  const early = await Promise.race([first.catch(() => false), patience]);
  clearTimeout(timer);
  if (early === true) return undefined;
  const all = [first, ...Array.from({ length: attempts - 1 }, attempt)];
  return Promise.any(all).then(
    () => undefined,
    () => failure ?? 'no answer',
  );
}

async function askOnce(server: RemoteServer): Promise<void> {
  const { group, version } = server.spec;
  const address = server.address();
  const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const url = `https://${address}${path}`;
  let status: number;
  try {
    ({ status } = await server.fetch(address, path, {
      user: aggregatorUser,
      timeoutMs: attemptTimeoutMs,
      maxBytes: 0,
    }));
  } catch (error) {
    throw new Error(
      `failing or missing response from ${url}: Get ${goQuote(url)}: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
  if (status < 200 || status >= 300)
    throw new Error(`failing or missing response from ${url}: bad status from ${url}: ${status}`);
}
