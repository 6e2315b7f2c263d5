/** What a node reads of a pod. */
export interface Pod {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly deletionTimestamp?: string;
    readonly ownerReferences?: readonly { readonly kind: string; readonly name: string }[];
  };
  readonly spec: {
    readonly nodeName?: string;
    readonly serviceAccountName: string;
    readonly containers: readonly [Container, ...Container[]];
    readonly volumes?: readonly { readonly name: string; readonly secret?: { readonly secretName: string } }[];
  };
}

interface Container {
  readonly name: string;
  readonly image: string;
  readonly args?: readonly string[];
  readonly env?: readonly EnvironmentVariable[];
  readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[];
  readonly readinessProbe?: { readonly httpGet?: HttpProbe };
}

interface EnvironmentVariable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly fieldRef?: { readonly fieldPath: string } };
}

export interface HttpProbe {
  readonly path: string;
  readonly port: number | string;
  readonly scheme?: 'HTTP' | 'HTTPS';
}

/** The Deployment behind the pod's ReplicaSet: its name without the hash of the template. */
export function deploymentOf({ metadata }: Pod): string | undefined {
  return metadata.ownerReferences?.find(({ kind }) => kind === 'ReplicaSet')?.name.replace(/-[^-]+$/, '');
}

/** Variables of the container, as a kubelet would set them. */
export function environmentOf({ metadata, spec }: Pod): Readonly<Record<string, string>> {
  const fields = new Map([
    ['metadata.name', metadata.name],
    ['metadata.namespace', metadata.namespace],
    ['spec.serviceAccountName', spec.serviceAccountName],
  ]);
  const known: Record<string, string> = {};
  for (const { name, value, valueFrom } of spec.containers[0].env ?? []) {
    const path = valueFrom?.fieldRef?.fieldPath;
    known[name] = path === undefined ? expand(value ?? '', known) : (fields.get(path) ?? '');
  }
  return known;
}

/** Arguments of the container with `$(NAME)` replaced. */
export function argumentsOf(pod: Pod): string[] {
  const environment = environmentOf(pod);
  return (pod.spec.containers[0].args ?? []).map((argument) => expand(argument, environment));
}

/** URL of the container's readiness probe on `host`, if it has one. */
export function readinessUrl(pod: Pod, host: string): string | undefined {
  const [{ ports, readinessProbe }] = pod.spec.containers;
  const probe = readinessProbe?.httpGet;
  if (probe === undefined) return undefined;
  const port =
    typeof probe.port === 'number' ? probe.port : ports?.find(({ name }) => name === probe.port)?.containerPort;
  return `${(probe.scheme ?? 'HTTP').toLowerCase()}://${host}:${port}${probe.path}`;
}

function expand(text: string, environment: Readonly<Record<string, string>>): string {
  const values = new Map(Object.entries(environment));
  return text.replaceAll(/\$\(([A-Za-z_][\w.-]*)\)/g, (whole, name: string) => values.get(name) ?? whole);
}
