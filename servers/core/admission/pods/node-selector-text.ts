import { fieldErrorText, invalid } from '#shared/apimachinery/errors/field-error.ts';
import { isLabelValue, isQualifiedName } from '#shared/apimachinery/validation/names.ts';

/**
 * The labels in a text such as `zone=a,disk=ssd` (labels.ConvertSelectorToLabelsMap).
 * @throws Error in the reference's words
 */
export function labelsOfText(text: string): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  for (const part of text === '' ? [] : text.split(',')) {
    const sides = part.split('=');
    const [key = '', value = ''] = sides.map((side) => side.trim());
    if (sides.length !== 2) throw new Error(`invalid selector: [${sides.join(' ')}]`);
    const keyFaults = isQualifiedName(key);
    if (keyFaults.length > 0) throw new Error(fieldErrorText(invalid(undefined, key, keyFaults.join('; '))));
    const valueFaults = isLabelValue(value);
    if (valueFaults.length > 0) {
      const error = invalid(undefined, value, valueFaults.join('; '));
      throw new Error(fieldErrorText({ ...error, field: `[${key}]` }));
    }
    labels.set(key, value);
  }
  return labels;
}
