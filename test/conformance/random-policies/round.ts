import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { Random } from '#test/conformance/random-rules/random.ts';
import { configuration, type Configuration } from './configurations.ts';
import type { Place } from './random-match.ts';
import { randomPolicy, type PolicyType } from './random-policy.ts';
import { addressed, randomWebhook, type WebhookAddress } from './random-webhook.ts';
import { targets, type Target } from './targets.ts';

/** The configurations of a round, and the places that they are about. */
export interface Round {
  readonly places: readonly Place[];
  /** Policies with their bindings, and configurations of webhooks; what follows one hangs on it. */
  readonly configurations: readonly (readonly Configuration[])[];
}

const slots = 6;
/** So many of the objects are named by rules. */
const namedScenarios = 30;

export function scenarioName(round: number, at: number): string {
  return `s${round}x${at}`;
}
const types: readonly PolicyType[] = ['Validating', 'Mutating'];

/** Versions in which servers have a resource of admissionregistration.k8s.io. */
export type ServedVersions = ReadonlyMap<string, readonly string[]>;

export function randomRound(random: Random, number: number, served: ServedVersions, address: WebhookAddress): Round {
  const names = Array.from({ length: namedScenarios }, (_, at) => scenarioName(number, at));
  const places = Array.from({ length: slots }, (_, at): Place => ({
    target: random.pick(targets),
    slot: `r${number}s${at}`,
    names,
  }));
  const broad = (): Place => ({ target: random.pick(targets), slot: '', names });
  const policies = [
    ...places.flatMap((place, at) => [
      ...Array.from({ length: 1 + random.below(2) }, (_, index) => ['Validating', place, `p${at}-${index}`] as const),
      ...(random.oneOf(2) ? [['Mutating', place, `p${at}`] as const] : []),
    ]),
    ...types.filter(() => random.oneOf(2)).map((type) => [type, broad(), 'broad'] as const),
  ];
  const webhooks = types.map((type): Configuration[] => {
    const made = [...places, ...(random.oneOf(2) ? [broad()] : [])]
      .filter(() => !random.oneOf(3))
      .map((place, at) => randomWebhook(random, type, place, `${type === 'Mutating' ? 'm' : 'v'}${at}.example.com`));
    const kind = `${type}WebhookConfiguration`;
    const rest = { webhooks: made.map((webhook) => addressed(webhook, address)) };
    return [configuration(`${kind.toLowerCase()}s`, kind, 'v1', `r${number}`, rest)];
  });
  return {
    places,
    configurations: [
      ...policies.map(([type, place, name]) => withBindings(random, type, place, `r${number}-${name}`, served)),
      ...webhooks,
    ],
  };
}

function withBindings(
  random: Random,
  type: PolicyType,
  place: Place,
  name: string,
  served: ServedVersions,
): Configuration[] {
  const { spec, bindings } = randomPolicy(random, type, place);
  const earlier = random.oneOf(4) ? randomPolicy(random, type, place).spec : undefined;
  const kind = `${type}AdmissionPolicy`;
  const of = (resource: string, ofKind: string, ofName: string, ofSpec: JsonObject): Configuration =>
    configuration(resource, ofKind, random.pick(served.get(resource) ?? ['v1']), ofName, { spec: ofSpec });
  const policy = of(`${type.toLowerCase()}admissionpolicies`, kind, name, spec);
  return [
    earlier === undefined ? policy : { ...policy, earlier: { ...policy.object, spec: earlier } },
    ...bindings.map((binding, at) =>
      of(`${type.toLowerCase()}admissionpolicybindings`, `${kind}Binding`, `${name}-b${at}`, {
        policyName: name,
        ...binding,
      }),
    ),
  ];
}

/** A target that some place of the round is about, most often. */
export function writtenTarget(random: Random, places: readonly Place[]): Target {
  return random.oneOf(6) ? random.pick(targets) : random.pick(places).target;
}
