import { goForm } from '#servers/core/validation/go-form.ts';
import { validateNodeSelector } from '#servers/core/validation/node-selector.ts';
import { invalid, required, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import { getKey } from '#shared/apimachinery/json/json.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt } from '#shared/apimachinery/object.ts';
import { messages } from '#shared/apimachinery/validation/field-rules.ts';
import { isDNS1123Subdomain } from '#shared/apimachinery/validation/names.ts';

interface Ways {
  /** Names of the placement fields that are set, in backquotes. */
  readonly given: readonly string[];
  readonly errors: readonly FieldError[];
}

const ofSlice = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';
const ofDevice =
  'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec';

/**
 * Validates where the devices of a slice, or one device, are available: exactly one of the fields must say so
 * (pkg/apis/resource/validation).
 */
export function validatePlacement(body: JsonObject, field: Path, isDevice: boolean): FieldError[] {
  const ways = [
    nodeName(body, field, isDevice),
    nodeSelector(body, field, isDevice),
    flag(body, 'allNodes', field),
    ...(isDevice ? [] : [flag(body, 'perDeviceNodeSelection', field)]),
  ];
  const given = ways.flatMap((way) => way.given);
  const errors = ways.flatMap((way) => way.errors);
  if (given.length === 0) return [...errors, required(field, isDevice ? ofDevice : ofSlice)];
  return given.length === 1
    ? errors
    : [
        ...errors,
        invalid(field, `{${given.join(', ')}}`, isDevice ? ofDevice : `${ofSlice}, but multiple fields are set`),
      ];
}

function nodeName(body: JsonObject, field: Path, isDevice: boolean): Ways {
  const name = body['nodeName'];
  const at = field.child('nodeName');
  if (typeof name !== 'string') return { given: [], errors: [] };
  if (name === '')
    return {
      given: [],
      errors: [invalid(at, name, isDevice ? 'must not be empty' : 'must be either unset or set to a non-empty string')],
    };
  return { given: ['`nodeName`'], errors: messages(isDNS1123Subdomain(name), at, name) };
}

function nodeSelector(body: JsonObject, field: Path, isDevice: boolean): Ways {
  const selector = objectAt(body, 'nodeSelector');
  const at = field.child('nodeSelector');
  if (selector === undefined) return { given: [], errors: [] };
  const terms = objectsAt(selector, 'nodeSelectorTerms');
  const errors = validateNodeSelector(selector, true, at);
  // The selector must have one term, so that selectors of several slices are easy to join.
  if (!isDevice && terms.length !== 1) {
    const shown = terms.length === 0 ? null : terms.map((term) => goForm('io.k8s.api.core.v1.NodeSelectorTerm', term));
    errors.push(invalid(at.child('nodeSelectorTerms'), shown, 'must have exactly one node selector term'));
  }
  return { given: ['`nodeSelector`'], errors };
}

function flag(body: JsonObject, name: string, field: Path): Ways {
  if (getKey(body, name) === true) return { given: [`\`${name}\``], errors: [] };
  return {
    given: [],
    errors:
      getKey(body, name) === false ? [invalid(field.child(name), false, 'must be either unset or set to true')] : [],
  };
}
