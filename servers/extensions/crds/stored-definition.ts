import { extensionsGroup } from '#servers/extensions/facts/extension-facts.ts';
import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import type { StoredShape } from '#shared/registry/stored-form.ts';
import { hoistedMembers, internalSpec } from './internal-definition.ts';

/**
 * Definitions are stored in etcd as v1beta1, as in the reference: that form is shorter where versions share a schema
 * (kubernetes/kubernetes#82292). Older data may be in v1.
 */
export const storedDefinition: StoredShape = {
  version: { group: extensionsGroup, version: 'v1beta1' },
  toStored(object) {
    const spec = internalSpec(object);
    const first = objectsAt(spec, 'versions')[0];
    if (first !== undefined) spec['version'] = stringAt(first, 'name');
    spec['preserveUnknownFields'] = spec['preserveUnknownFields'] === true;
    renameColumns(spec, 'jsonPath', 'JSONPath');
    const conversion = objectAt(spec, 'conversion');
    if (conversion !== undefined) spec['conversion'] = flatConversion(conversion);
    return { ...object, spec };
  },
  fromStored(object, { version }) {
    const spec = objectAt(object, 'spec');
    if (version !== 'v1beta1' || spec === undefined) return object;
    const versions = objectsAt(spec, 'versions');
    if (versions.length === 0) spec['versions'] = [{ name: stringAt(spec, 'version'), served: true, storage: true }];
    for (const [member, name] of hoistedMembers) {
      const shared = spec[name];
      delete spec[name];
      if (shared === undefined || shared === null) continue;
      for (const one of objectsAt(spec, 'versions')) one[member] = cloneJson(shared);
    }
    delete spec['version'];
    // In v1beta1 unknown fields are kept unless the definition says otherwise.
    if (spec['preserveUnknownFields'] === false) delete spec['preserveUnknownFields'];
    else spec['preserveUnknownFields'] = true;
    renameColumns(spec, 'JSONPath', 'jsonPath');
    const conversion = objectAt(spec, 'conversion');
    if (conversion !== undefined) spec['conversion'] = nestedConversion(conversion);
    return object;
  },
};

/** Renames a member of the printer columns of the spec and of its versions; the old lists are left unchanged. */
function renameColumns(spec: JsonObject, from: string, to: string): void {
  for (const part of [spec, ...objectsAt(spec, 'versions')]) {
    const columns = objectsAt(part, 'additionalPrinterColumns');
    if (columns.length === 0) continue;
    part['additionalPrinterColumns'] = columns.map(({ [from]: path, ...rest }) => ({ ...rest, [to]: path ?? '' }));
  }
}

function flatConversion({ webhook: _webhook, ...conversion }: JsonObject): JsonObject {
  const webhook = objectAt({ webhook: _webhook ?? null }, 'webhook');
  if (webhook === undefined) return conversion;
  const { clientConfig, conversionReviewVersions } = webhook;
  return {
    ...conversion,
    ...(clientConfig === undefined ? {} : { webhookClientConfig: clientConfig }),
    ...(conversionReviewVersions === undefined ? {} : { conversionReviewVersions }),
  };
}

function nestedConversion({ webhookClientConfig, conversionReviewVersions, ...conversion }: JsonObject): JsonObject {
  if (webhookClientConfig === undefined && conversionReviewVersions === undefined) return conversion;
  return {
    ...conversion,
    webhook: {
      ...(webhookClientConfig === undefined ? {} : { clientConfig: webhookClientConfig }),
      ...(conversionReviewVersions === undefined ? {} : { conversionReviewVersions }),
    },
  };
}
