import { parseYaml } from '#shared/serializer/yaml/parse.ts';

type Json = Readonly<Record<string, unknown>>;

const apiVersion = 'admissionregistration.k8s.io/v1';

/** Creations of ConfigMaps, as policies and webhooks match them. */
export const configMaps = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] };

/** A manifest in YAML, with one member of the object on each line. */
function manifest(object: Json): string {
  return Object.entries(object)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
    .join('\n');
}

/** A manifest in JSON. */
export function asJson(text: string): string {
  return JSON.stringify(parseYaml(Buffer.from(text)).value);
}

/** A ValidatingAdmissionPolicy that denies ConfigMaps with the label `deny` of its name. */
export function policy(name: string, spec: Json = {}): string {
  return manifest({
    apiVersion,
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: {
      matchConstraints: { resourceRules: [configMaps] },
      validations: [{ expression: '!has(object.data.deny)', message: `denied by ${name}` }],
      ...spec,
    },
  });
}

/** A MutatingAdmissionPolicy that adds its name to the data of ConfigMaps. */
export function mutatingPolicy(name: string, spec: Json = {}): string {
  return manifest({
    apiVersion,
    kind: 'MutatingAdmissionPolicy',
    metadata: { name },
    spec: {
      matchConstraints: { resourceRules: [configMaps] },
      reinvocationPolicy: 'Never',
      mutations: [
        {
          patchType: 'ApplyConfiguration',
          applyConfiguration: {
            expression: `Object{data: {"order": object.?data.order.orValue("") + "${name} "}}`,
          },
        },
      ],
      ...spec,
    },
  });
}

export function binding(of: 'Validating' | 'Mutating', name: string, policyName: string, spec: Json = {}): string {
  return manifest({
    apiVersion,
    kind: `${of}AdmissionPolicyBinding`,
    metadata: { name },
    spec: { policyName, ...(of === 'Validating' && { validationActions: ['Deny'] }), ...spec },
  });
}

/** A configuration with one webhook. */
export function webhooks(of: 'Validating' | 'Mutating', name: string, webhook: Json = {}): string {
  return manifest({
    apiVersion,
    kind: `${of}WebhookConfiguration`,
    metadata: { name },
    webhooks: [
      {
        name: 'w.example.com',
        clientConfig: { url: 'https://127.0.0.1:1/' },
        rules: [configMaps],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        ...webhook,
      },
    ],
  });
}
