import type { ResourceFacts } from '#shared/api/facts.ts';
import { formatGroupVersionKind } from '#shared/apimachinery/gvk.ts';
import { getKey } from '#shared/apimachinery/json/json.ts';
import type { FieldTransform } from '#shared/apimachinery/selectors/fields.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';

const transforms = new WeakMap<ResourceFacts, FieldTransform>();

const involvedObject = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];

/**
 * Field labels of a version that differ from the name by which objects are selected (pkg/apis/core/v1,
 * pkg/apis/events/v1: conversion.go).
 */
const selectedBy: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // Early clients of the API select the node by this label.
  '/Pod': { 'spec.host': 'spec.nodeName' },
  'events.k8s.io/Event': {
    ...Object.fromEntries(involvedObject.map((name) => [`regarding.${name}`, `involvedObject.${name}`])),
    reportingController: 'reportingComponent',
  },
};

/** Accepts the selectable fields of a kind; any other field throws the error that the reference has for this kind. */
export function fieldLabelTransform(facts: ResourceFacts): FieldTransform {
  let transform = transforms.get(facts);
  if (transform === undefined) {
    const known = new Set(facts.selectableFields);
    const refusal = refusalOf(facts);
    const names = getKey(selectedBy, `${facts.group}/${facts.kind}`) ?? {};
    transform = (field, value) => {
      if (!known.has(field)) throw new Error(refusal(field));
      return [getKey(names, field) ?? field, value];
    };
    transforms.set(facts, transform);
  }
  return transform;
}

function refusalOf(facts: ResourceFacts): (field: string) => string {
  const fields = facts.selectableFields;
  if (facts.custom === true) return (field) => `field label not supported: ${field}`;
  if (fields.length === 2 && fields.includes('metadata.name') && fields.includes('metadata.namespace')) {
    return (field) => `${goQuote(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
  }
  if (facts.kind === 'Job') return (field) => `field label ${goQuote(field)} not supported for Job`;
  if (facts.kind === 'ResourceSlice')
    return (field) => `field label not supported for ${formatGroupVersionKind(facts)}: ${field}`;
  return (field) => `field label not supported: ${field}`;
}
