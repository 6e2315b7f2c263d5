import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pkiPaths } from '#shared/process/data-directory.ts';
import { freePort } from '#test/free-port.ts';
import { startProgram } from '#test/program.ts';
import { referenceProgram, type ReferenceProgram } from '#test/reference.ts';

/** Programs that act on a cluster as on any other; they are upstream's, unmodified. */
const programs = ['kube-controller-manager', 'kube-scheduler', 'kwok'] as const;
export type ControlPlaneProgram = (typeof programs)[number];

export interface ControlPlane {
  /** What each has logged so far. */
  logs(): ReadonlyMap<ControlPlaneProgram, string>;
  close(): Promise<void>;
}

/** The server that they act on, with the folder of its certificates and keys. */
export interface ControlPlaneTarget {
  readonly kubeconfig: string;
  readonly pki: string;
}

export function missingPrograms(): ReferenceProgram[] {
  return ([...programs, 'kubectl'] as const).filter((name) => referenceProgram(name) === undefined);
}

/** Flags of a controller manager that acts on the target with the credentials of each controller. */
export async function controllerManagerFlags(target: ControlPlaneTarget): Promise<string[]> {
  const pki = pkiPaths(target.pki);
  return [
    '--kubeconfig',
    target.kubeconfig,
    '--secure-port',
    String(await freePort()),
    '--bind-address',
    '127.0.0.1',
    '--authentication-kubeconfig',
    target.kubeconfig,
    '--authorization-kubeconfig',
    target.kubeconfig,
    '--service-account-private-key-file',
    pki.serviceAccountKey,
    '--root-ca-file',
    pki.caCert,
    '--cluster-signing-cert-file',
    pki.caCert,
    '--cluster-signing-key-file',
    pki.caKey,
    '--use-service-account-credentials',
    '--leader-elect-lease-duration',
    '15s',
    '--concurrent-deployment-syncs',
    '5',
  ];
}

/**
 * Starts controller manager, scheduler and kwok, which plays the kubelet of every node. Logs go to `folder`.
 * @param managerFlags further flags of the controller manager
 */
export async function startControlPlane(
  target: ControlPlaneTarget,
  folder: string,
  managerFlags: readonly string[] = [],
): Promise<ControlPlane> {
  mkdirSync(folder, { recursive: true });
  const log = (name: ControlPlaneProgram): string => join(folder, `${name}.log`);
  const flags: Record<ControlPlaneProgram, readonly string[]> = {
    'kube-controller-manager': [...(await controllerManagerFlags(target)), ...managerFlags],
    'kube-scheduler': [
      '--kubeconfig',
      target.kubeconfig,
      '--secure-port',
      String(await freePort()),
      '--bind-address',
      '127.0.0.1',
      '--authentication-kubeconfig',
      target.kubeconfig,
      '--authorization-kubeconfig',
      target.kubeconfig,
    ],
    kwok: [
      '--kubeconfig',
      target.kubeconfig,
      '--manage-all-nodes=true',
      '--node-lease-duration-seconds',
      '40',
      '--server-address',
      `127.0.0.1:${await freePort()}`,
    ],
  };
  const running = programs.map((name) => startProgram(referenceProgram(name) ?? name, flags[name], log(name)));
  return {
    logs: () => new Map(programs.map((name) => [name, readFileSync(log(name), 'utf8')])),
    close: async () => {
      await Promise.all(running.map((program) => program.close()));
    },
  };
}
