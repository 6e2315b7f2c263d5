import type { Area } from './areas.ts';

/** Programs below $REFERENCE_BIN that build.sh of the reference makes. */
export type UpstreamProgram =
  | 'etcd'
  | 'helm'
  | 'kbench'
  | 'kube-apiserver'
  | 'kube-controller-manager'
  | 'kube-scheduler'
  | 'kubectl'
  | 'kwok'
  | 'sample-apiserver';

/** What else a suite may need: a program of the machine, or what the suite's own `build` makes below $REFERENCE_BIN. */
export type OtherProgram =
  | 'go'
  | 'openssl'
  | 'prometheus'
  | 'strace'
  | 'e2e.test'
  | 'metrics-server'
  | 'controller-runtime/cache.test'
  | 'controller-runtime/webhook.test'
  | 'approver-policy/pkg-internal-controllers-test.test'
  | 'operators/cert-manager'
  | 'operators/gatekeeper'
  | 'operators/kyverno-background-controller'
  | 'integration/apiserver-apply.test'
  | 'source of the reference';

export interface Form {
  /** For bash, at the top of the checkout, with the Node release of the project as `node`. */
  readonly command: string;
  /** On a quiet machine of two cores that has the programs. */
  readonly minutes: number;
}

export interface Suite {
  readonly title: string;
  readonly areas: readonly [Area, ...Area[]];
  readonly needs: readonly (UpstreamProgram | OtherProgram)[];
  /** Makes what is in `needs` and in no other way to be had, by hand and for `test/deep/run.sh`. */
  readonly build?: string;
  readonly whole: Form;
  /** What the gate plays: the suite as a whole, a share of it, or nothing (absent). */
  readonly gate?: 'whole' | Form;
  /** Compares with committed answers of the reference: the gate plays it whatever has changed. */
  readonly isRecorded?: true;
  /** The whole with bounds on time or memory: means something on a quiet machine only. */
  readonly bounded?: string;
}

/** A script of this project, with its arguments, as a command. */
export function script(text: string): string {
  return `node --import tsx ${text}`;
}

/** What the gate plays of the suite, if anything. */
export function gateForm({ gate, whole }: Suite): Form | undefined {
  return gate === 'whole' ? whole : gate;
}
