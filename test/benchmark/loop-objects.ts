import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectOf } from './large-definition.ts';

export const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
export const metadataList = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
export const protobuf = 'application/vnd.kubernetes.protobuf';
export const openApiMessage = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
export const yaml = 'application/yaml';
export const metadataProtobuf = `${protobuf};as=PartialObjectMetadataList;v=v1;g=meta.k8s.io`;

export function pod(index: number): JsonObject {
  const env = Array.from({ length: 15 }, (_, place) => ({
    name: `VARIABLE_${place}`,
    value: `value-${index}-${place}`,
  }));
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `pod-${index}`,
      labels: { app: `app-${index % 50}`, tier: 'backend' },
      annotations: { note: 'x'.repeat(300) },
    },
    spec: {
      automountServiceAccountToken: false,
      containers: [
        {
          name: 'main',
          image: 'registry.example.com/app:1.2.3',
          env,
          ports: [{ containerPort: 8080 }],
          resources: { requests: { cpu: '100m', memory: '64Mi' } },
        },
      ],
    },
  };
}

export function configMap(name: string, bytes: number): JsonObject {
  const data = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`key${index}`, 'x'.repeat(bytes / 100)]));
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data };
}

/** Many small values; most of them in fields of the schema. */
export function custom(name: string, bytes: number): JsonObject {
  const item = { name: '', weight: 3 };
  const list = Array.from({ length: 32 }, (_, index) => ({ ...item, name: `item-${index}` }));
  const labels = Object.fromEntries(
    Array.from({ length: Math.floor(bytes / 40) }, (_, index) => [`label-${index}`, `some value ${index}`]),
  );
  const { object } = objectOf(0);
  return {
    ...object,
    metadata: { name },
    spec: { mode: 'on', section0: { field1: 'a', list2: list, labels4: labels } },
  };
}
