import { baseEnvironments, type EnvironmentPair } from '../../../shared/cel/environment/base-environment.ts';
import { ConditionCompiler } from '../../../shared/cel/uses/admission.ts';
import type { ExpressionError } from '../../../shared/cel/uses/compile-expression.ts';
import { DeviceSelectorCompiler } from '../../../shared/cel/uses/devices.ts';
import { internalError, invalid, type FieldError, type Path } from '../../../shared/apimachinery/field-error.ts';
import { tellKeptBytes } from '../../../shared/observability/kept-bytes.ts';
import { ownRelease, releaseBefore, type Release } from '../../../shared/apimachinery/release-version.ts';
import { gates } from '../gates/gates.ts';

// What compiles the expressions in built-in objects, made when the first one comes.

let compatibility = releaseBefore(ownRelease);
let base: EnvironmentPair | undefined;
let conditions: ConditionCompiler | undefined;
let selectors: DeviceSelectorCompiler | undefined;

tellKeptBytes('expressions', () => (conditions?.keptBytes ?? 0) + (selectors?.keptBytes ?? 0));

/** Settles once, at the start, which release new expressions have to work with. */
export function useExpressionsOf(release: Release): void {
  compatibility = release;
  [base, conditions, selectors] = [undefined, undefined, undefined];
}

/** Compiles the expressions of webhooks and admission policies. */
export function conditionCompiler(): ConditionCompiler {
  return (conditions ??= new ConditionCompiler(environments()));
}

/** Compiles the selectors of devices. */
export function selectorCompiler(): DeviceSelectorCompiler {
  return (selectors ??= new DeviceSelectorCompiler(environments(), gates));
}

function environments(): EnvironmentPair {
  return (base ??= baseEnvironments(
    minorOf(compatibility),
    (gate) => gate !== 'AuthorizeWithSelectors' || gates.AuthorizeWithSelectors,
  ));
}

function minorOf(release: Release): number {
  return Number(release.split('.')[1]);
}

/** What is said of a field whose expression does not compile. */
export function expressionErrors(field: Path, text: string, error: ExpressionError): FieldError[] {
  return [error.type === 'RuleInvalid' ? invalid(field, text, error.detail) : internalError(field, error.detail)];
}
